import type { JsonObject } from '../../../core/json.ts';
import type { Moment } from '../../adapter.ts';
import { CLAUDE_EVENTS, momentOf, type PayloadShape, toolsOf } from '../../shared/verify/claude-shaped.ts';
import { SESSION } from '../../shared/verify/sandbox.ts';
import type { Sandbox, TriedCall } from '../../shared/verify/verifier.ts';
import { OWN_PREFIX } from '../tools.ts';

/** The host's event for each moment. */
export const EVENTS = CLAUDE_EVENTS;

const SHAPE: PayloadShape = {
  call: ({ id }) => ({ tool_call_id: id }),
  success: () => ({ tool_output: 'done' }),
  failure: { error: { code: 'internal', message: 'it failed', retryable: false } },
  moments: {
    sessionStart: { source: 'startup', model: 'verify', profile: 'agent' },
    prompt: { prompt: [{ type: 'text', text: 'verify' }], is_steer: false },
    beforeCompact: { trigger: 'manual', token_count: 1 },
    sessionEnd: { reason: 'exit' },
  },
};

/** The host's tool for a trial. */
export const toolFor = toolsOf({
  path: 'path',
  write: 'Write',
  edit: 'Edit',
  replace: ['old_string', 'new_string'],
  read: 'Read',
  shell: 'Bash',
  undeclared: 'NoSuchTool',
  own: OWN_PREFIX,
});

/** A whole payload (recorded: fixtures/hosts/kimi). */
export function payloadFor({ root }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return {
    hook_event_name: EVENTS[moment],
    session_id: SESSION,
    cwd: root,
    client_type: 'kimi_code_cli',
    ...momentOf(SHAPE, moment, call),
  };
}
