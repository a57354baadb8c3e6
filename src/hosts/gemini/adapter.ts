import { isObject } from '../../core/json.ts';
import type { HostAdapter, Moment } from '../adapter.ts';
import { claudeShaped } from '../shared/claude-shaped.ts';
import { bounded, jsonReply, noticeReply, refusalReply } from '../shared/encode/reply.ts';
import { type Answers, adapterOf, askFor, textOf } from '../shared/hook-host.ts';
import { CALLS, decodeCall } from './decode.ts';
import { assertNotSearched } from './searched-path.ts';
import { transcriptOf } from './transcript.ts';

/** Events by what they are; the host has one for both ends of a call. */
const EVENTS = {
  BeforeTool: 'beforeTool',
  AfterTool: 'afterTool',
  SessionStart: 'sessionStart',
  BeforeAgent: 'prompt',
  PreCompress: 'beforeCompact',
  AfterAgent: 'stop',
  SessionEnd: 'sessionEnd',
} as const satisfies Readonly<Record<string, Moment>>;

function contextFor(event: string, text: string): object {
  return { hookSpecificOutput: { hookEventName: event, additionalContext: bounded(text) } };
}

const ANSWERS: Answers = {
  /**
   * In every form the host honours at once: its own answer, the reason on standard error, exit code 2. It hides the call or
   * the prompt from tool and model; with `halt` the run ends.
   */
  refuse: (text, halt) => {
    const reason = bounded(text);
    const end = halt ? { continue: false, stopReason: reason } : {};
    return refusalReply({ decision: 'deny', reason, ...end }, reason);
  },
  // An alarm takes the place of the tool's result.
  result: (event, { alarm, context }) => {
    if (alarm === null) return jsonReply(context === null ? {} : contextFor(event, context));
    const reason = bounded(alarm);
    return noticeReply({ decision: 'deny', reason, systemMessage: reason.split('\n')[0] }, reason);
  },
  // A failure of ours is told to agent and human; tools are refused anyway.
  context: (event, answer) => {
    const text = textOf(answer);
    if (text === '') return jsonReply({});
    const notice = answer.alarm === null ? {} : { systemMessage: bounded(answer.alarm) };
    return jsonReply({ ...notice, ...contextFor(event, text) });
  },
  // Never a refusal: one of AfterAgent sends the agent on for ever.
  notice: ({ alarm }) => jsonReply(alarm === null ? {} : { systemMessage: bounded(alarm) }),
};

const hooks = claudeShaped({
  ...CALLS,
  projectVariables: ['GEMINI_PROJECT_DIR'],
  events: EVENTS,
  // An `error` in the response tells a failure.
  endOf: ({ raw }) => {
    const result = raw.tool_response ?? null;
    const error = isObject(result) ? result.error : undefined;
    return { ok: error === undefined || error === null, result };
  },
  transcript: transcriptOf,
  answers: ANSWERS,
});

/** Gemini CLI (docs/hosts/gemini.md). */
export const gemini: HostAdapter = adapterOf({
  ...hooks,
  special: {
    BeforeTool: async (input, engine) => {
      assertNotSearched(decodeCall(input));
      return askFor(hooks, input, engine);
    },
  },
});
