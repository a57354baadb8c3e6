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
    const common = { tool_name: call.name, tool_input: call.args, tool_use_id: call.id };
    if (moment === 'beforeTool') return common;
    if (moment === 'afterFailure') return { ...common, error: 'Exit code 1' };
    return { ...common, tool_response: responseOf(call) };
  }
  if (moment === 'sessionStart') return { source: 'startup' };
  if (moment === 'prompt') return { prompt: 'verify' };
  if (moment === 'beforeCompact') return { trigger: 'manual', custom_instructions: '' };
  return moment === 'stop'
    ? { stop_hook_active: false, last_assistant_message: 'done' }
    : { reason: 'other' };
}

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
export function toolFor(trial: Trial): HostTool {
  switch (trial.does) {
    case 'write':
      return { name: 'Write', args: { file_path: trial.file, content: trial.content } };
    case 'edit':
      return { name: 'Edit', args: { file_path: trial.file, old_string: 'a', new_string: 'b' } };
    case 'read':
      return { name: 'Read', args: { file_path: trial.file } };
    case 'shell':
      return { name: 'Bash', args: { command: trial.command } };
    case 'undeclared':
      return { name: 'NoSuchTool', args: { file_path: trial.file } };
    case 'handshake':
      return { name: `${OWN_PREFIX}${HANDSHAKE_TOOL}`, args: { intent_id: trial.intentId } };
  }
}

/** A whole payload (recorded: fixtures/hosts/claude-code). */
export function payloadFor({ root, home }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return {
    session_id: SESSION,
    transcript_path: `${home}/.claude/projects/verify/${SESSION}.jsonl`,
    cwd: root,
    permission_mode: 'default',
    hook_event_name: EVENTS[moment],
    ...about(moment, call),
  };
}
