import type { JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { Moment } from '../adapter.ts';
import { toolsOf } from '../shared/verify/claude-shaped.ts';
import { SESSION } from '../shared/verify/sandbox.ts';
import type { Sandbox, TriedCall } from '../shared/verify/verifier.ts';
import { OWN_PREFIX } from './tools.ts';

/** The host's event for each moment; it has one for both ends of a call. */
export const EVENTS = {
  sessionStart: 'SessionStart',
  prompt: 'BeforeAgent',
  beforeTool: 'BeforeTool',
  afterTool: 'AfterTool',
  afterFailure: 'AfterTool',
  beforeCompact: 'PreCompress',
  stop: 'AfterAgent',
  sessionEnd: 'SessionEnd',
} as const;

/** What each moment's payload carries beside the common keys. */
function about(moment: Moment, call: TriedCall | null): JsonObject {
  if (call !== null) {
    const own = call.trial.does === 'handshake';
    const common = {
      tool_name: call.name,
      tool_input: call.args,
      ...(own ? { mcp_context: { server_name: 'pactclaw', tool_name: HANDSHAKE_TOOL } } : {}),
    };
    if (moment === 'beforeTool') return common;
    const error =
      moment === 'afterFailure' ? { error: { message: 'it failed', type: 'execution_failed' } } : {};
    return { ...common, tool_response: { llmContent: 'done', returnDisplay: '', ...error } };
  }
  if (moment === 'sessionStart') return { source: 'startup' };
  if (moment === 'prompt') return { prompt: 'verify' };
  if (moment === 'beforeCompact') return { trigger: 'manual' };
  if (moment === 'sessionEnd') return { reason: 'exit' };
  return { prompt: 'verify', prompt_response: 'done', stop_hook_active: false };
}

/** The host's tool for a trial. */
export const toolFor = toolsOf({
  path: 'file_path',
  write: 'write_file',
  edit: 'replace',
  replace: ['old_string', 'new_string'],
  alsoEdit: { instruction: 'verify' },
  read: 'read_file',
  shell: 'run_shell_command',
  alsoShell: { description: 'verify' },
  undeclared: 'no_such_tool',
  own: OWN_PREFIX,
});

/** A whole payload (recorded: fixtures/hosts/gemini). */
export function payloadFor({ root, home }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return {
    session_id: SESSION,
    transcript_path: `${home}/.gemini/tmp/verify/chats/session-${SESSION}.jsonl`,
    cwd: root,
    hook_event_name: EVENTS[moment],
    timestamp: '2026-01-01T00:00:00.000Z',
    ...about(moment, call),
  };
}
