import type { JsonObject } from '../../core/json.ts';
import type { Moment } from '../adapter.ts';
import { CLAUDE_EVENTS, momentOf, type PayloadShape, toolsOf } from '../shared/verify/claude-shaped.ts';
import { SESSION } from '../shared/verify/sandbox.ts';
import type { Sandbox, TriedCall } from '../shared/verify/verifier.ts';
import { OWN_PREFIX } from './tools.ts';

/** The host's event for each moment. */
export const EVENTS = CLAUDE_EVENTS;

const SHAPE: PayloadShape = {
  call: ({ id }) => ({ tool_use_id: id, tool_call_id: `call_${id}` }),
  success: () => ({ tool_response: { llmContent: 'done', returnDisplay: '' }, duration_ms: 1 }),
  failure: { error: 'Exit Code: 1', is_interrupt: false },
  moments: {
    sessionStart: { source: 'startup', model: 'verify' },
    prompt: { prompt: 'verify', submitted_prompt: 'verify' },
    stop: {
      stop_hook_active: false,
      last_assistant_message: 'done',
      background_tasks: [],
      crons: [],
    },
  },
};

/** The host's tool for a trial. */
export const toolFor = toolsOf({
  path: 'file_path',
  write: 'write_file',
  edit: 'edit',
  replace: ['old_string', 'new_string'],
  read: 'read_file',
  shell: 'run_shell_command',
  alsoShell: { is_background: false },
  undeclared: 'no_such_tool',
  own: OWN_PREFIX,
});

/** A whole payload (recorded: fixtures/hosts/qwen). */
export function payloadFor({ root, home }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return {
    session_id: SESSION,
    transcript_path: `${home}/.qwen/projects/verify/chats/${SESSION}.jsonl`,
    cwd: root,
    hook_event_name: EVENTS[moment],
    timestamp: '2026-01-01T00:00:00.000Z',
    permission_mode: 'default',
    ...momentOf(SHAPE, moment, call),
  };
}
