import type { JsonObject } from '../../../core/json.ts';
import { CLAUDE_EVENTS, momentOf, type PayloadShape, toolsOf } from '../../shared/verify/claude-shaped.ts';
import { SESSION } from '../../shared/verify/sandbox.ts';
import type { Moment, Sandbox, TriedCall } from '../../shared/verify/verifier.ts';
import { OWN_PREFIX } from '../tools.ts';

const { afterFailure: _none, ...events } = CLAUDE_EVENTS;

/** The host's event for each moment; a failed call has none of its own. */
export const EVENTS = events;

const SHAPE: PayloadShape = {
  call: () => ({}),
  success: () => ({ tool_response: { success: true } }),
  failure: { tool_response: { success: true } },
};

/** The host's tool for a trial. */
export const toolFor = toolsOf({
  path: 'file_path',
  write: 'Create',
  edit: 'Edit',
  replace: ['old_str', 'new_str'],
  read: 'Read',
  shell: 'Execute',
  alsoShell: { riskLevel: 'low' },
  undeclared: 'NoSuchTool',
  own: OWN_PREFIX,
});

/** A whole payload (hosts reference §15). */
export function payloadFor({ root, home }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return {
    session_id: SESSION,
    transcript_path: `${home}/.factory/sessions/${SESSION}.jsonl`,
    cwd: root,
    permission_mode: 'default',
    hook_event_name: moment === 'afterFailure' ? EVENTS.afterTool : EVENTS[moment],
    ...momentOf(SHAPE, moment, call),
  };
}
