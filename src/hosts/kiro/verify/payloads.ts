import type { JsonObject } from '../../../core/json.ts';
import { CLAUDE_EVENTS, momentOf, type PayloadShape, toolsOf } from '../../shared/verify/claude-shaped.ts';
import { SESSION } from '../../shared/verify/sandbox.ts';
import type { Moment, Sandbox, TriedCall } from '../../shared/verify/verifier.ts';
import { OWN_PREFIX } from '../tools.ts';

const { sessionStart, prompt, beforeTool, afterTool, stop } = CLAUDE_EVENTS;

/** The host's trigger for each moment; it has none for a failed call, a compaction, the end of a session. */
export const EVENTS = { sessionStart, prompt, beforeTool, afterTool, stop };

const SHAPE: PayloadShape = {
  call: () => ({}),
  success: () => ({ tool_response: { success: true, result: ['done'] } }),
  failure: {},
};

/** The host's tool for a trial. */
export const toolFor = toolsOf({
  path: 'path',
  write: 'fs_write',
  edit: 'str_replace',
  replace: ['old_str', 'new_str'],
  read: 'read_file',
  shell: 'execute_bash',
  undeclared: 'no_such_tool',
  own: OWN_PREFIX,
});

/** A whole payload (hosts reference §13). */
export function payloadFor({ root }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return {
    hook_event_name: CLAUDE_EVENTS[moment],
    session_id: SESSION,
    cwd: root,
    ...momentOf(SHAPE, moment, call),
  };
}
