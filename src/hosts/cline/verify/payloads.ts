import type { JsonObject } from '../../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../../core/words.ts';
import type { Moment } from '../../adapter.ts';
import { SESSION } from '../../shared/verify/sandbox.ts';
import type { HostTool, Sandbox, Trial, TriedCall } from '../../shared/verify/verifier.ts';
import { OWN_PREFIX } from '../tools.ts';

/** The host's event for each moment. A call that failed ends as any other. */
export const EVENTS = {
  sessionStart: 'TaskStart',
  prompt: 'UserPromptSubmit',
  beforeTool: 'PreToolUse',
  afterTool: 'PostToolUse',
  beforeCompact: 'PreCompact',
  stop: 'TaskComplete',
  sessionEnd: 'SessionShutdown',
} as const;

/** What each moment's payload carries beside the common keys. */
function about(moment: Moment, call: TriedCall | null): JsonObject {
  if (call !== null) {
    const told = { id: call.id, name: call.name, input: call.args };
    return moment === 'beforeTool'
      ? { hookName: 'tool_call', iteration: 1, tool_call: told }
      : { hookName: 'tool_result', iteration: 1, tool_result: { ...told, output: {}, durationMs: 1 } };
  }
  if (moment === 'sessionStart') return { hookName: 'agent_start', taskStart: { taskMetadata: {} } };
  if (moment === 'prompt')
    return { hookName: 'prompt_submit', userPromptSubmit: { prompt: 'verify', attachments: [] } };
  if (moment === 'beforeCompact') return { hookName: 'pre_compact' };
  return moment === 'stop'
    ? { hookName: 'agent_end', turn: { outputText: 'done', status: 'completed' } }
    : { hookName: 'session_shutdown' };
}

/** The host's tool for a trial. */
export function toolFor(trial: Trial): HostTool {
  switch (trial.does) {
    case 'write':
      return { name: 'editor', args: { path: trial.file, new_text: trial.content } };
    case 'edit':
      return { name: 'editor', args: { path: trial.file, old_text: 'a', new_text: 'b' } };
    case 'read':
      return { name: 'read_files', args: { files: [{ path: trial.file }] } };
    case 'shell':
      return { name: 'run_commands', args: { commands: [trial.command] } };
    case 'undeclared':
      return { name: 'no_such_tool', args: { path: trial.file } };
    case 'handshake':
      return { name: `${OWN_PREFIX}${HANDSHAKE_TOOL}`, args: { intent_id: trial.intentId } };
  }
}

/** A whole payload (recorded: fixtures/hosts/cline). */
export function payloadFor({ root }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return {
    clineVersion: '',
    timestamp: '2026-01-01T00:00:00.000Z',
    taskId: 'conv_verify',
    sessionContext: { rootSessionId: SESSION },
    workspaceRoots: [root],
    workspaceInfo: { rootPath: root, hint: 'verify' },
    userId: 'verify',
    agent_id: 'agent_verify',
    parent_agent_id: null,
    ...about(moment, call),
  };
}
