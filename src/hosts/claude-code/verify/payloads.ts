import type { JsonObject } from '../../../core/json.ts';
import type { Moment } from '../../adapter.ts';
import { CLAUDE_EVENTS, momentOf, type PayloadShape, toolsOf } from '../../shared/verify/claude-shaped.ts';
import { SESSION } from '../../shared/verify/sandbox.ts';
import type { Sandbox, TriedCall } from '../../shared/verify/verifier.ts';
import { OWN_PREFIX } from '../tools.ts';

/** The host's event for each moment. */
export const EVENTS = CLAUDE_EVENTS;

const SHAPE: PayloadShape = {
  call: ({ id }) => ({ tool_use_id: id }),
  success: (call) => ({ tool_response: responseOf(call) }),
  failure: { error: 'Exit code 1' },
  moments: {
    beforeCompact: { trigger: 'manual', custom_instructions: '' },
    stop: { stop_hook_active: false, last_assistant_message: 'done' },
  },
};

function responseOf({ trial }: TriedCall): JsonObject[string] {
  if (trial.does === 'write')
    return {
      type: 'create',
      filePath: trial.file,
      content: trial.content,
      structuredPatch: [],
      originalFile: null,
    };
  return [{ type: 'text', text: trial.does === 'handshake' ? trial.intentId : 'done' }];
}

/** The host's tool for a trial. */
export const toolFor = toolsOf({
  path: 'file_path',
  write: 'Write',
  edit: 'Edit',
  replace: ['old_string', 'new_string'],
  read: 'Read',
  shell: 'Bash',
  undeclared: 'NoSuchTool',
  own: OWN_PREFIX,
});

/** A whole payload (recorded: fixtures/hosts/claude-code). */
export function payloadFor({ root, home }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return {
    session_id: SESSION,
    transcript_path: `${home}/.claude/projects/verify/${SESSION}.jsonl`,
    cwd: root,
    permission_mode: 'default',
    hook_event_name: EVENTS[moment],
    ...momentOf(SHAPE, moment, call),
  };
}
