import type { JsonObject } from '../../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../../core/words.ts';
import { SESSION } from '../../verify/sandbox.ts';
import type { HostTool, Moment, Sandbox, Trial, TriedCall } from '../../verify/verifier.ts';
import { OWN_PREFIX } from '../tools.ts';

/** The host's event for each moment. */
export const EVENTS = {
  sessionStart: 'SessionStart',
  prompt: 'UserPromptSubmit',
  beforeTool: 'PreToolUse',
  afterTool: 'PostToolUse',
  afterFailure: 'PostToolUseFailure',
  beforeCompact: 'PreCompact',
  stop: 'Stop',
  sessionEnd: 'SessionEnd',
} as const;

/** What each moment's payload carries beside the common keys. */
function about(moment: Moment, call: TriedCall | null): JsonObject {
  if (call !== null) {
    const common = {
      tool_name: call.name,
      tool_input: call.args,
      tool_use_id: call.id,
      tool_call_id: `call_${call.id}`,
    };
    if (moment === 'beforeTool') return common;
    if (moment === 'afterFailure') return { ...common, error: 'Exit Code: 1', is_interrupt: false };
    return { ...common, tool_response: { llmContent: 'done', returnDisplay: '' }, duration_ms: 1 };
  }
  if (moment === 'sessionStart') return { source: 'startup', model: 'verify' };
  if (moment === 'prompt') return { prompt: 'verify', submitted_prompt: 'verify' };
  if (moment === 'beforeCompact') return { trigger: 'manual', custom_instructions: '' };
  return moment === 'stop'
    ? { stop_hook_active: false, last_assistant_message: 'done', background_tasks: [], crons: [] }
    : { reason: 'other' };
}

/** The host's tool for a trial. */
export function toolFor(trial: Trial): HostTool {
  switch (trial.does) {
    case 'write':
      return { name: 'write_file', args: { file_path: trial.file, content: trial.content } };
    case 'edit':
      return { name: 'edit', args: { file_path: trial.file, old_string: 'a', new_string: 'b' } };
    case 'read':
      return { name: 'read_file', args: { file_path: trial.file } };
    case 'shell':
      return { name: 'run_shell_command', args: { command: trial.command, is_background: false } };
    case 'undeclared':
      return { name: 'no_such_tool', args: { file_path: trial.file } };
    case 'handshake':
      return { name: `${OWN_PREFIX}${HANDSHAKE_TOOL}`, args: { intent_id: trial.intentId } };
  }
}

/** A whole payload (recorded: fixtures/hosts/qwen). */
export function payloadFor({ root, home }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return {
    session_id: SESSION,
    transcript_path: `${home}/.qwen/projects/verify/chats/${SESSION}.jsonl`,
    cwd: root,
    hook_event_name: EVENTS[moment],
    timestamp: '2026-01-01T00:00:00.000Z',
    permission_mode: 'default',
    ...about(moment, call),
  };
}
