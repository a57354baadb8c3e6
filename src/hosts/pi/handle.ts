import type { HookEngine } from '../../hooks/engine.ts';
import { NOTHING, told } from '../generic/answer.ts';
import type { GenericAnswer } from '../generic/contract.ts';
import { after, before, prompt } from '../shared/in-process/events.ts';
import { originOf, type PluginEvent } from '../shared/in-process/message.ts';
import { decodeCall, endOf, responseOf } from './decode.ts';
import { HOST } from './names.ts';

type Handler = (event: PluginEvent, engine: HookEngine) => Promise<GenericAnswer>;

const origin = (event: PluginEvent) => originOf(HOST, event, responseOf);

const ended: Handler = (event, engine) => after(origin(event), decodeCall(event), endOf(event), engine);

/** The host's events that our extension sends. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  // Typed by somebody, or sent by a program that stands for one; another extension's message is none.
  input: (event, engine) =>
    prompt(
      origin(event),
      { first: event.first, byHuman: event.input.source === 'interactive' || event.input.source === 'rpc' },
      engine,
    ),
  tool_call: (event, engine) => before(origin(event), event.first, decodeCall(event), engine),
  tool_result: ended,
  // A call that was allowed and that another extension then refused.
  tool_execution_end: ended,
  session_before_compact: async (event, engine) => told(await engine.beforeCompact(origin(event))),
  session_compact: async (event, engine) => told(await engine.compacted(origin(event))),
  agent_end: async (event, engine) => told(await engine.stop(origin(event))),
};

/** Events that our extension sends. */
export const EVENTS = Object.keys(HANDLERS);

/** Handles one event that our extension sent. One that it never sends is answered with nothing. */
export async function handleEvent(event: PluginEvent, engine: HookEngine): Promise<GenericAnswer> {
  const handler = Object.hasOwn(HANDLERS, event.event) ? HANDLERS[event.event] : undefined;
  return handler ? handler(event, engine) : NOTHING;
}
