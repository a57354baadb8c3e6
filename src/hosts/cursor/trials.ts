import type { JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { RunResult } from '../../platform/run.ts';
import type { Moment } from '../adapter.ts';
import type { TrialTable } from '../shared/table.ts';
import { answerOf, otherwise, unanswered } from '../shared/verify/answers.ts';
import type { HostTool, Sandbox, Trial, TriedCall, Verdict } from '../shared/verify/verifier.ts';

const SERVER = 'pactclaw';
const SESSION = 'pactclaw-verify';

/** The host's event for each moment. */
const EVENTS = {
  sessionStart: 'sessionStart',
  prompt: 'beforeSubmitPrompt',
  beforeTool: 'preToolUse',
  afterTool: 'postToolUse',
  afterFailure: 'postToolUseFailure',
  beforeCompact: 'preCompact',
  stop: 'stop',
  sessionEnd: 'sessionEnd',
} as const;

/** Around the run of an MCP tool the host fires events of their own, which name the server. */
function eventFor(moment: Moment, call: TriedCall | null): string | undefined {
  if (call?.trial.does !== 'handshake') return undefined;
  return moment === 'beforeTool' ? 'beforeMCPExecution' : 'afterMCPExecution';
}

/** What each moment's payload carries beside the common keys. */
function about(moment: Moment, call: TriedCall | null): JsonObject {
  if (call?.trial.does === 'handshake') {
    const common = { tool_name: call.name, tool_input: JSON.stringify(call.args), mcp_server_name: SERVER };
    if (moment === 'beforeTool') return { ...common, command: 'pactclaw mcp serve' };
    return { ...common, result_json: '{"content":[],"isError":false}', duration: 1 };
  }
  if (call !== null) {
    const common = { tool_name: call.name, tool_input: call.args, tool_use_id: call.id };
    if (moment === 'beforeTool') return common;
    return moment === 'afterFailure'
      ? { ...common, error_message: 'it failed', failure_type: 'error', duration: 1, is_interrupt: false }
      : { ...common, tool_output: '{}', duration: 1 };
  }
  if (moment === 'sessionStart') return { is_background_agent: false };
  if (moment === 'prompt') return { prompt: 'verify', attachments: [] };
  if (moment === 'beforeCompact') return { trigger: 'manual', context_usage_percent: 1 };
  return moment === 'stop' ? { status: 'completed', loop_count: 0 } : { reason: 'completed' };
}

/** The host's tool for a trial. */
function toolFor(trial: Trial): HostTool {
  switch (trial.does) {
    case 'write':
      return { name: 'Write', args: { file_path: trial.file, content: trial.content } };
    case 'edit':
      return { name: 'Write', args: { file_path: trial.file, content: 'b' } };
    case 'read':
      return { name: 'Read', args: { file_path: trial.file } };
    case 'shell':
      return { name: 'Shell', args: { command: trial.command, timeout: 30_000 } };
    case 'undeclared':
      return { name: 'NoSuchTool', args: { file_path: trial.file } };
    case 'handshake':
      return { name: HANDSHAKE_TOOL, args: { intent_id: trial.intentId } };
  }
}

/** A whole payload (fixtures/hosts/cursor). */
function payloadFor({ root }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return {
    conversation_id: SESSION,
    generation_id: 'verify',
    model: 'verify',
    session_id: SESSION,
    hook_event_name: eventFor(moment, call) ?? EVENTS[moment],
    cursor_version: '0.0.0',
    workspace_roots: [root],
    user_email: null,
    transcript_path: null,
    ...(call === null ? {} : { cwd: root }),
    ...about(moment, call),
  };
}

/** Exit code 2, no answer, and an answer that it cannot read all refuse where `failClosed` is set. */
function verdictOf(result: RunResult): Verdict {
  const silent = unanswered(result);
  if (silent) return silent;
  const answer = answerOf(result);
  const text = typeof answer?.user_message === 'string' ? answer.user_message : result.stderr;
  if (answer?.permission === 'deny' || result.code === 2) return { verdict: 'denied', text };
  return otherwise(result, answer);
}

/** What `verify` tries, and the ways around the hooks that this host leaves open, by its own executor of hooks and its documentation. */
export const TRIALS: TrialTable = {
  events: EVENTS,
  eventFor,
  payload: payloadFor,
  toolFor,
  env: ({ root }) => ({ CURSOR_PROJECT_DIR: root, CURSOR_VERSION: '0.0.0' }),
  reads: verdictOf,
  locks: ['answer'],
  holes: [
    {
      what: 'no client was tried',
      why: 'What is known of this host comes from its own executor of hooks and its documentation; no client of it was run here.',
    },
    {
      what: 'one bad entry in hooks.json',
      why: 'An unknown event or a wrong field, whoever wrote it, makes the client ignore the whole file.',
    },
    { what: 'Tab completion', why: 'What Tab writes is no call of a tool; only its own events speak of it.' },
    {
      what: 'background shells',
      why: 'The hook of a command does not tell that it goes on behind the call; later changes are not tied to it.',
    },
    {
      what: 'cloud agents',
      why: 'They load only the hooks of the project and the team; the paths of your machine do not exist there.',
    },
    {
      what: 'budgets',
      why: 'The client tells of tokens only at the end of a request, if at all, and of single turns never: every call counts as a turn.',
    },
    {
      what: 'calls that are already running',
      why: 'A halt refuses what comes next; it does not end the run.',
    },
  ],
};
