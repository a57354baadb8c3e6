import type { JsonObject } from '../../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../../core/words.ts';
import { SERVER } from '../../shared/install/server.ts';
import { SESSION } from '../../shared/verify/sandbox.ts';
import type { HostTool, Moment, Sandbox, Trial, TriedCall } from '../../shared/verify/verifier.ts';

/** The host's event for each moment. */
export const EVENTS = {
  sessionStart: 'sessionStart',
  prompt: 'beforeSubmitPrompt',
  beforeTool: 'preToolUse',
  afterTool: 'postToolUse',
  afterFailure: 'postToolUseFailure',
  beforeCompact: 'preCompact',
  stop: 'stop',
  sessionEnd: 'sessionEnd',
} as const;

/** Around the run of an MCP tool the host fires events of their own, which name the server. */
export function eventFor(moment: Moment, call: TriedCall | null): string | undefined {
  if (call?.trial.does !== 'handshake') return undefined;
  return moment === 'beforeTool' ? 'beforeMCPExecution' : 'afterMCPExecution';
}

/** What each moment's payload carries beside the common keys. */
function about(moment: Moment, call: TriedCall | null): JsonObject {
  if (call?.trial.does === 'handshake') {
    const common = { tool_name: call.name, tool_input: JSON.stringify(call.args), mcp_server_name: SERVER };
    if (moment === 'beforeTool') return { ...common, command: 'pactclaw mcp serve' };
    return { ...common, result_json: '{"content":[],"isError":false}', duration: 1 };
  }
  if (call !== null) {
    const common = { tool_name: call.name, tool_input: call.args, tool_use_id: call.id };
    if (moment === 'beforeTool') return common;
    return moment === 'afterFailure'
      ? { ...common, error_message: 'it failed', failure_type: 'error', duration: 1, is_interrupt: false }
      : { ...common, tool_output: '{}', duration: 1 };
  }
  if (moment === 'sessionStart') return { is_background_agent: false };
  if (moment === 'prompt') return { prompt: 'verify', attachments: [] };
  if (moment === 'beforeCompact') return { trigger: 'manual', context_usage_percent: 1 };
  return moment === 'stop' ? { status: 'completed', loop_count: 0 } : { reason: 'completed' };
}

/** The host's tool for a trial. */
export function toolFor(trial: Trial): HostTool {
  switch (trial.does) {
    case 'write':
      return { name: 'Write', args: { file_path: trial.file, content: trial.content } };
    case 'edit':
      return { name: 'Write', args: { file_path: trial.file, content: 'b' } };
    case 'read':
      return { name: 'Read', args: { file_path: trial.file } };
    case 'shell':
      return { name: 'Shell', args: { command: trial.command, timeout: 30_000 } };
    case 'undeclared':
      return { name: 'NoSuchTool', args: { file_path: trial.file } };
    case 'handshake':
      return { name: HANDSHAKE_TOOL, args: { intent_id: trial.intentId } };
  }
}

/** A whole payload (fixtures/hosts/cursor). */
export function payloadFor({ root }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  return {
    conversation_id: SESSION,
    generation_id: 'verify',
    model: 'verify',
    session_id: SESSION,
    hook_event_name: eventFor(moment, call) ?? EVENTS[moment],
    cursor_version: '0.0.0',
    workspace_roots: [root],
    user_email: null,
    transcript_path: null,
    ...(call === null ? {} : { cwd: root }),
    ...about(moment, call),
  };
}
