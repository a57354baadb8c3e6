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
    const common = { tool_name: call.name, tool_input: call.args, tool_call_id: call.id };
    if (moment === 'beforeTool') return common;
    if (moment === 'afterTool') return { ...common, tool_output: 'done' };
    return { ...common, error: { code: 'internal', message: 'it failed', retryable: false } };
  }
  if (moment === 'sessionStart') return { source: 'startup', model: 'verify', profile: 'agent' };
  if (moment === 'prompt') return { prompt: [{ type: 'text', text: 'verify' }], is_steer: false };
  if (moment === 'beforeCompact') return { trigger: 'manual', token_count: 1 };
  return moment === 'stop' ? { stop_hook_active: false } : { reason: 'exit' };
}

/** The host's tool for a trial. */
export function toolFor(trial: Trial): HostTool {
  switch (trial.does) {
    case 'write':
      return { name: 'Write', args: { path: trial.file, content: trial.content } };
    case 'edit':
      return { name: 'Edit', args: { path: trial.file, old_string: 'a', new_string: 'b' } };
    case 'read':
      return { name: 'Read', args: { path: trial.file } };
    case 'shell':
      return { name: 'Bash', args: { command: trial.command } };
    case 'undeclared':
      return { name: 'NoSuchTool', args: { path: trial.file } };
    case 'handshake':
      return { name: `${OWN_PREFIX}${HANDSHAKE_TOOL}`, args: { intent_id: trial.intentId } };
  }
}

/** A whole payload (recorded: fixtures/hosts/kimi). */
export function payloadFor({ root }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return {
    hook_event_name: EVENTS[moment],
    session_id: SESSION,
    cwd: root,
    client_type: 'kimi_code_cli',
    ...about(moment, call),
  };
}
