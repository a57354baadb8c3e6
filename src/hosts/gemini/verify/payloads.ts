import type { JsonObject } from '../../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../../core/words.ts';
import { SESSION } from '../../verify/sandbox.ts';
import type { HostTool, Moment, Sandbox, Trial, TriedCall } from '../../verify/verifier.ts';
import { OWN_PREFIX } from '../tools.ts';

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
export function toolFor(trial: Trial): HostTool {
  switch (trial.does) {
    case 'write':
      return { name: 'write_file', args: { file_path: trial.file, content: trial.content } };
    case 'edit':
      return {
        name: 'replace',
        args: { file_path: trial.file, instruction: 'verify', old_string: 'a', new_string: 'b' },
      };
    case 'read':
      return { name: 'read_file', args: { file_path: trial.file } };
    case 'shell':
      return { name: 'run_shell_command', args: { command: trial.command, description: 'verify' } };
    case 'undeclared':
      return { name: 'no_such_tool', args: { file_path: trial.file } };
    case 'handshake':
      return { name: `${OWN_PREFIX}${HANDSHAKE_TOOL}`, args: { intent_id: trial.intentId } };
  }
}

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
