import type { JsonObject } from '../../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../../core/words.ts';
import { SESSION } from '../../verify/sandbox.ts';
import type { HostTool, Moment, Sandbox, Trial, TriedCall } from '../../verify/verifier.ts';
import { OWN_PREFIX } from '../tools.ts';

/** The host's event for each moment; a failed call has none of its own. */
export const EVENTS = {
  sessionStart: 'SessionStart',
  prompt: 'UserPromptSubmit',
  beforeTool: 'PreToolUse',
  afterTool: 'PostToolUse',
  beforeCompact: 'PreCompact',
  stop: 'Stop',
  sessionEnd: 'SessionEnd',
} as const;

/** What each moment's payload carries beside the common keys. */
function about(moment: Moment, call: TriedCall | null): JsonObject {
  if (call !== null) {
    const common = { tool_name: call.name, tool_input: call.args };
    return moment === 'beforeTool' ? common : { ...common, tool_response: { success: true } };
  }
  if (moment === 'sessionStart') return { source: 'startup' };
  if (moment === 'prompt') return { prompt: 'verify' };
  if (moment === 'beforeCompact') return { trigger: 'manual', custom_instructions: '' };
  return moment === 'stop' ? { stop_hook_active: false } : { reason: 'other' };
}

/** The host's tool for a trial. */
export function toolFor(trial: Trial): HostTool {
  switch (trial.does) {
    case 'write':
      return { name: 'Create', args: { file_path: trial.file, content: trial.content } };
    case 'edit':
      return { name: 'Edit', args: { file_path: trial.file, old_str: 'a', new_str: 'b' } };
    case 'read':
      return { name: 'Read', args: { file_path: trial.file } };
    case 'shell':
      return { name: 'Execute', args: { command: trial.command, riskLevel: 'low' } };
    case 'undeclared':
      return { name: 'NoSuchTool', args: { file_path: trial.file } };
    case 'handshake':
      return { name: `${OWN_PREFIX}${HANDSHAKE_TOOL}`, args: { intent_id: trial.intentId } };
  }
}

/** A whole payload (hosts reference §15). */
export function payloadFor({ root, home }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return {
    session_id: SESSION,
    transcript_path: `${home}/.factory/sessions/${SESSION}.jsonl`,
    cwd: root,
    permission_mode: 'default',
    hook_event_name: moment === 'afterFailure' ? EVENTS.afterTool : EVENTS[moment],
    ...about(moment, call),
  };
}
