import { isObject } from '../../core/json.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import { NOTHING, told } from '../generic/answer.ts';
import type { GenericAnswer } from '../generic/contract.ts';
import { after, before, prompt } from '../shared/in-process/events.ts';
import { originOf, type PluginEvent } from '../shared/in-process/message.ts';
import { callAfter, callBefore, callFailed, responseOf } from './decode.ts';
import { HOST } from './names.ts';

type Handler = (event: PluginEvent, engine: HookEngine) => Promise<GenericAnswer>;

const origin = (event: PluginEvent) => originOf(HOST, event, responseOf);

/** True unless every part of the prompt was written by the host itself. */
function writtenByHuman({ output }: PluginEvent): boolean {
  const parts = Array.isArray(output.parts) ? output.parts : [];
  return parts.length === 0 || parts.some((part) => !isObject(part) || part.synthetic !== true);
}

/** Events of the host's bus that its plugins are told of (its `Event` type). */
const BUS: Readonly<Record<string, Handler>> = {
  'message.part.updated': (event, engine) => {
    const properties = isObject(event.input.properties) ? event.input.properties : {};
    const part = isObject(properties.part) ? properties.part : {};
    const { call, ...end } = callFailed(event, part);
    return after(origin(event), call, end, engine);
  },
  'session.compacted': async (event, engine) => told(await engine.compacted(origin(event))),
  'session.idle': async (event, engine) => told(await engine.stop(origin(event))),
};

/** The hooks of the host's plugins that PactClaw takes part in. */
const HOOKS: Readonly<Record<string, Handler>> = {
  'chat.message': (event, engine) =>
    prompt(origin(event), { first: event.first, byHuman: writtenByHuman(event) }, engine),
  'tool.execute.before': (event, engine) => before(origin(event), event.first, callBefore(event), engine),
  'tool.execute.after': (event, engine) => {
    const { call, ...end } = callAfter(event);
    return after(origin(event), call, end, engine);
  },
  'experimental.session.compacting': async (event, engine) => told(await engine.beforeCompact(origin(event))),
  event: (event, engine) => {
    const type = typeof event.input.type === 'string' ? event.input.type : '';
    const handler = Object.hasOwn(BUS, type) ? BUS[type] : undefined;
    return handler ? handler(event, engine) : Promise.resolve(NOTHING);
  },
};

/** Hooks that our plugin sends. */
export const EVENTS = Object.keys(HOOKS);

/** Handles one event that our plugin sent. One that it never sends is answered with nothing. */
export async function handleEvent(event: PluginEvent, engine: HookEngine): Promise<GenericAnswer> {
  const handler = Object.hasOwn(HOOKS, event.event) ? HOOKS[event.event] : undefined;
  return handler ? handler(event, engine) : NOTHING;
}
