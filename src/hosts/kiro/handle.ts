import type { HookEngine } from '../../hooks/engine.ts';
import type { EventAnswer, EventOrigin } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { bounded, jsonReply, noticeReply, refusalReply } from '../shared/encode/reply.ts';
import { decodeCall } from './decode.ts';
import { HOST } from './tools.ts';

/** Exit code 2 is the only refusal that the host knows; its agent is given what stands on standard error. */
export function refusal(text: string): HookReply {
  return refusalReply({}, bounded(text));
}

/** Answer to events that carry nothing back. */
export function told({ alarm }: EventAnswer): HookReply {
  return alarm === null ? jsonReply({}) : noticeReply({}, bounded(alarm));
}

/** What stands on standard output goes before the agent as it is. */
function context({ alarm, context: text }: EventAnswer): HookReply {
  const all = [alarm, text].filter((part) => part !== null).join('\n\n');
  return jsonReply(all === '' ? {} : { pactclaw: bounded(all) });
}

function originOf({ sessionId }: HookInput): EventOrigin {
  return { sessionId, host: HOST, transcript: null };
}

type Handler = (input: HookInput, engine: HookEngine) => Promise<HookReply>;

/** The host's triggers and the engine's; this table is all that translating them takes. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  PreToolUse: async (input, engine) => {
    const request = { ...originOf(input), call: decodeCall(input) };
    const { decision, text } = await engine.preToolUse(request);
    return decision.verdict === 'allow' ? jsonReply({}) : refusal(text ?? 'Refused.');
  },
  // The host does not tell whether a tool succeeded.
  PostToolUse: async (input, engine) => {
    const result = input.raw.tool_response ?? null;
    return told(await engine.postToolUse({ ...originOf(input), call: decodeCall(input), ok: true, result }));
  },
  SessionStart: async (input, engine) => context(await engine.sessionStart(originOf(input))),
  UserPromptSubmit: async (input, engine) =>
    context(await engine.userPrompt(originOf(input), isByHuman(input.raw.prompt))),
  Stop: async (input, engine) => told(await engine.stop(originOf(input))),
};

/** Triggers that the installer registers. */
export const EVENTS = Object.keys(HANDLERS);

/** Handles one event of the host. An event that we did not register is answered with nothing. */
export async function handleEvent(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const handler = Object.hasOwn(HANDLERS, input.event) ? HANDLERS[input.event] : undefined;
  return handler ? handler(input, engine) : jsonReply({});
}
