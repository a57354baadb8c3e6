import type { JsonObject } from '../../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../../core/words.ts';
import type { Moment } from '../../adapter.ts';
import { SESSION } from '../../shared/verify/sandbox.ts';
import type { HostTool, Sandbox, Trial, TriedCall } from '../../shared/verify/verifier.ts';
import { OWN_PREFIX } from '../tools.ts';

/** The host's event for each moment. */
export const EVENTS = {
  sessionStart: 'sessionStart',
  prompt: 'userPromptSubmitted',
  beforeTool: 'preToolUse',
  afterTool: 'postToolUse',
  afterFailure: 'postToolUseFailure',
  beforeCompact: 'preCompact',
  stop: 'agentStop',
  sessionEnd: 'sessionEnd',
} as const;

/** What each moment's payload carries beside the common keys. */
function about(moment: Moment, call: TriedCall | null): JsonObject {
  if (call !== null) {
    const common = { toolName: call.name, toolArgs: call.args };
    if (moment === 'beforeTool') return common;
    if (moment === 'afterFailure') return { ...common, error: 'it failed' };
    return { ...common, toolResult: { resultType: 'success', textResultForLlm: 'done' } };
  }
  if (moment === 'sessionStart') return { source: 'new', initialPrompt: 'verify' };
  if (moment === 'prompt') return { prompt: 'verify' };
  if (moment === 'beforeCompact') return { trigger: 'manual', customInstructions: '' };
  return moment === 'stop' ? { stopReason: 'end_turn', stop_hook_active: false } : { reason: 'complete' };
}

/** The host's tool for a trial. */
export function toolFor(trial: Trial): HostTool {
  switch (trial.does) {
    case 'write':
      return { name: 'create', args: { path: trial.file, file_text: trial.content } };
    case 'edit':
      return { name: 'edit', args: { path: trial.file, old_str: 'a', new_str: 'b' } };
    case 'read':
      return { name: 'view', args: { path: trial.file } };
    case 'shell':
      return { name: 'bash', args: { command: trial.command, description: 'verify', mode: 'sync' } };
    case 'undeclared':
      return { name: 'no_such_tool', args: { path: trial.file } };
    case 'handshake':
      return { name: `${OWN_PREFIX}${HANDSHAKE_TOOL}`, args: { intent_id: trial.intentId } };
  }
}

/** A whole payload (recorded: fixtures/hosts/copilot). */
export function payloadFor({ root }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return { sessionId: SESSION, timestamp: 0, cwd: root, ...about(moment, call) };
}
