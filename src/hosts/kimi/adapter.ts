import type { HookEngine } from '../../hooks/engine.ts';
import type { HookReply, HostAdapter } from '../adapter.ts';
import { CLAUDE_EVENTS, claudeShaped } from '../shared/claude-shaped.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { optionalText } from '../shared/decode/payload.ts';
import { encodeNotice } from '../shared/encode/exit.ts';
import { bounded, jsonReply, refusalReply } from '../shared/encode/reply.ts';
import { adapterOf, askFor, endAt, originOf, textOf } from '../shared/hook-host.ts';
import { awaitEnds, recordOf } from './record.ts';
import { HOST, TOOLS } from './tools.ts';

const hooks = claudeShaped({
  host: HOST,
  tools: TOOLS,
  callIdKey: 'tool_call_id',
  folderKey: 'cwd',
  endOf: endAt('tool_output', 'error'),
  transcript: ({ sessionId }) => recordOf(sessionId),
  // The event is fired for a human's words alone; the host keeps what its schedules and its tasks say apart.
  byHuman: () => true,
  answers: {
    /**
     * In both forms that the host honours: the answer, and exit code 2 with the reason on standard error. It has no way
     * to end a run, so that a halt is a refusal of every call that follows.
     */
    refuse: (text) => {
      const reason = bounded(text);
      const specific = { permissionDecision: 'deny', permissionDecisionReason: reason };
      return refusalReply({ hookSpecificOutput: specific }, reason);
    },
    result: (_event, answer) => encodeNotice(answer),
    // Of a prompt's answer the host shows whatever stands there, so it is never empty; of others it takes nothing.
    context: (event, answer) =>
      event === 'UserPromptSubmit'
        ? jsonReply({ message: bounded(textOf(answer)) || 'PactClaw governs this session.' })
        : encodeNotice(answer),
    notice: encodeNotice,
  },
});

async function preToolUse(input: HookInput, engine: HookEngine): Promise<HookReply> {
  hooks.callOf(input);
  await awaitEnds(input.sessionId, optionalText(input.raw, 'tool_call_id'), engine);
  return askFor(hooks, input, engine);
}

/** The host tells the end of calls too whose arguments it refused itself, before any hook was asked. */
async function failedCall(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const open = await engine.openCalls(input.sessionId);
  const call = hooks.callOf(input);
  if (!open.includes(call.callId)) return jsonReply({});
  const end = hooks.endOf(input, call, 'afterFailure');
  return encodeNotice(await engine.postToolUse({ ...originOf(hooks, input), call, ...end }));
}

/** The run is over; calls that have ended are recorded first. */
async function stop(input: HookInput, engine: HookEngine): Promise<HookReply> {
  await awaitEnds(input.sessionId, null, engine);
  return encodeNotice(await engine.stop(originOf(hooks, input)));
}

/** Kimi Code CLI (vendor's hooks page, and its program 2.1.0). */
export const kimi: HostAdapter = adapterOf({
  ...hooks,
  special: { PreToolUse: preToolUse, PostToolUseFailure: failedCall, Stop: stop, SessionEnd: stop },
});

/** Events whose failing hook must refuse; on the others exit code 2 would keep the agent going, or mean nothing. */
export const DECIDING: ReadonlySet<string> = new Set(['PreToolUse', 'UserPromptSubmit']);

/** How the tests and doors read a call of the host. */
export const decodeCall = hooks.callOf;

/** Events that the installer registers. */
export const EVENTS = Object.keys(CLAUDE_EVENTS);
