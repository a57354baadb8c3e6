import type { JsonObject } from '../../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../../core/words.ts';
import { replaceFile } from '../../../platform/durable-files.ts';
import { makeDirectory } from '../../../platform/files.ts';
import type { Moment } from '../../adapter.ts';
import { SESSION } from '../../shared/verify/sandbox.ts';
import type { HostTool, Sandbox, Trial, TriedCall } from '../../shared/verify/verifier.ts';
import { OWN_PREFIX } from '../tools.ts';

/** The host's event for each moment. It has none for a call that failed. */
export const EVENTS = {
  sessionStart: 'SessionStart',
  prompt: 'UserPromptSubmit',
  beforeTool: 'PreToolUse',
  afterTool: 'PostToolUse',
  beforeCompact: 'PreCompact',
  stop: 'Stop',
  sessionEnd: 'SessionEnd',
} as const;

/** What each moment's payload carries beside the common keys (recorded: fixtures/hosts/codex). */
function about(moment: Moment, call: TriedCall | null): JsonObject {
  if (call !== null) {
    const common = { tool_name: call.name, tool_input: call.args, tool_use_id: call.id };
    return moment === 'beforeTool' ? common : { ...common, tool_response: responseOf(call) };
  }
  if (moment === 'sessionStart') return { source: 'startup' };
  if (moment === 'prompt') return { prompt: 'verify' };
  if (moment === 'beforeCompact') return { trigger: 'manual' };
  return moment === 'stop'
    ? { stop_hook_active: false, last_assistant_message: 'done' }
    : { reason: 'other' };
}

function responseOf({ trial }: TriedCall): JsonObject[string] {
  if (trial.does === 'handshake')
    return { content: [{ type: 'text', text: trial.intentId }], structuredContent: {} };
  return `Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n`;
}

/** The host's tool for a trial; it has none that reads a text file. */
export function toolFor(trial: Trial): HostTool | null {
  const patch = (...lines: string[]) => ({
    name: 'apply_patch',
    args: { command: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') },
  });
  switch (trial.does) {
    case 'write':
      return patch(`*** Add File: ${trial.file}`, ...trial.content.split('\n').map((line) => `+${line}`));
    case 'edit':
      return patch(`*** Update File: ${trial.file}`, '@@', '-a', '+b');
    case 'read':
      return { name: 'view_image', args: { path: trial.file } };
    case 'shell':
      return { name: 'Bash', args: { command: trial.command } };
    case 'undeclared':
      return { name: 'no_such_tool', args: { file_path: trial.file } };
    case 'handshake':
      return { name: `${OWN_PREFIX}${HANDSHAKE_TOOL}`, args: { intent_id: trial.intentId } };
  }
}

/** The session's record, in which the host notes a call before it asks the hook. */
function recordIn(sandbox: Sandbox, call: TriedCall | null): string {
  const file = `${sandbox.home}/.codex/sessions/rollout-${SESSION}.jsonl`;
  makeDirectory(file.slice(0, file.lastIndexOf('/')));
  const lines: JsonObject[] = [{ type: 'session_meta', payload: { cwd: sandbox.root } }];
  if (call?.name === 'Bash') {
    const args = JSON.stringify({ cmd: call.args.command });
    const payload = { type: 'function_call', name: 'exec_command', arguments: args, call_id: call.id };
    lines.push({ type: 'response_item', payload });
  }
  replaceFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { durable: false });
  return file;
}

/** A whole payload (recorded: fixtures/hosts/codex), beside the record that the host would have kept. */
export function payloadFor(sandbox: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  const event = moment === 'afterFailure' ? null : EVENTS[moment];
  return {
    session_id: SESSION,
    turn_id: `${SESSION}-turn`,
    transcript_path: recordIn(sandbox, call),
    cwd: sandbox.root,
    hook_event_name: event,
    model: 'none',
    permission_mode: 'default',
    ...about(moment, call),
  };
}
