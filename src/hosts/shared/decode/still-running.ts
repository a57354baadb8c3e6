import { isObject, type JsonValue } from '../../../core/json.ts';
import type { ToolCall } from '../../../core/tool-call.ts';

/**
 * Whether a call goes on though its host says that it has ended: it was meant to (a background command, a monitor), or
 * the host moved it to the background at its time limit and names the task (Claude Code: `backgroundTaskId`, F-1).
 */
export function stillRunning(call: ToolCall, result: JsonValue): { readonly stillRunning?: true } {
  const moved = isObject(result) && typeof result.backgroundTaskId === 'string';
  return moved || call.background === true ? { stillRunning: true } : {};
}
