import { isObject, type JsonObject } from '../../core/json.ts';
import { markOf } from '../../platform/file-mark.ts';
import { readSlice } from '../../platform/files.ts';
import { waitUntil } from '../../platform/run.ts';

/**
 * The host's record of a session ("rollout": one JSON object a line, recorded from 0.169.0). It is a second witness:
 * a hook is told a command without its terminal and its shell, and hears nothing of calls that fail; the record has all.
 */

/** How much of a record's end is searched for a call, the likeliest amount first. */
const TAILS = [1 << 18, 1 << 21, 1 << 24];
/** The record is written beside the hooks; a line may come a moment late. */
const LATE_MS = 1_000;

/** What the record tells of one call. */
export interface RecordedCall {
  /** The tool's name as the hooks are told it. */
  readonly name: string;
  /** Its arguments as the model gave them. */
  readonly args: JsonObject;
  /** What the model was told came of it; null while it has been told nothing. */
  readonly output: string | null;
  /** How the host says it went: its exit code where it ran a command, else 0 for done and 1 for failed; null: not said. */
  readonly code: number | null;
}

function parsed(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && isObject(value.payload) ? value.payload : null;
  } catch {
    return null;
  }
}

function argumentsOf(payload: JsonObject): JsonObject | null {
  if (typeof payload.input === 'string') return { command: payload.input };
  try {
    const args: unknown = JSON.parse(String(payload.arguments));
    return isObject(args) ? args : null;
  } catch {
    return null;
  }
}

/** The name under which a hook hears of a tool that the model calls so. */
function hookName({ name, namespace }: JsonObject): string {
  if (name === 'exec_command') return 'Bash';
  if (typeof namespace !== 'string') return String(name);
  return namespace.startsWith('mcp__') ? `${namespace}__${name}` : `${namespace}${name}`;
}

function codeOf({ item }: JsonObject): number | null {
  if (!isObject(item)) return null;
  if (typeof item.exit_code === 'number') return item.exit_code;
  return item.status === 'completed' ? 0 : item.status === 'failed' ? 1 : null;
}

/** Reads the lines of a record that name a call. Null unless it was made exactly once there. */
export function callIn(lines: readonly string[], callId: string): RecordedCall | null {
  const mention = JSON.stringify(callId);
  let call: Pick<RecordedCall, 'name' | 'args'> | null = null;
  let output: string | null = null;
  let code: number | null = null;
  for (const line of lines) {
    const payload = line.includes(mention) ? parsed(line) : null;
    if (payload === null) continue;
    const { type, call_id: id } = payload;
    if (id === callId && (type === 'function_call' || type === 'custom_tool_call')) {
      const args = argumentsOf(payload);
      if (args === null || call !== null) return null;
      call = { name: hookName(payload), args };
    } else if (id === callId && (type === 'function_call_output' || type === 'custom_tool_call_output'))
      output = typeof payload.output === 'string' ? payload.output : JSON.stringify(payload.output ?? '');
    else if (type === 'item_completed' && isObject(payload.item) && payload.item.id === callId)
      code = codeOf(payload);
  }
  return call && { ...call, output, code };
}

function searchTail(file: string, callId: string): RecordedCall | null {
  try {
    const size = markOf(file)?.size ?? 0;
    for (const tail of TAILS) {
      const from = Math.max(0, size - tail);
      const found = callIn(
        readSlice(file, from, size - from)
          .toString('utf8')
          .split('\n'),
        callId,
      );
      if (found || from === 0) return found;
    }
  } catch {
    // A record that cannot be read tells nothing.
  }
  return null;
}

/** What a session's record tells of a call; null when there is none, or it tells nothing clear. */
export function recordedCall(file: string | null, callId: string | null): RecordedCall | null {
  return file === null || callId === null ? null : searchTail(file, callId);
}

/** The same for a call that is just being made: its line may come a moment late. */
export async function awaitCall(file: string | null, callId: string | null): Promise<RecordedCall | null> {
  let found = recordedCall(file, callId);
  if (found || file === null || callId === null) return found;
  await waitUntil(() => {
    found = searchTail(file, callId);
    return found !== null;
  }, LATE_MS);
  return found;
}

/** Long enough for the first line, which holds the whole instructions of the model. */
const HEADS = [1 << 16, 1 << 20];

/** The folder that a session was started in, as the first line of its record says; null where it does not. */
export function sessionFolder(file: string | null): string | null {
  if (file === null) return null;
  try {
    const size = markOf(file)?.size ?? 0;
    for (const head of HEADS) {
      const text = readSlice(file, 0, Math.min(size, head)).toString('utf8');
      if (!text.includes('\n') && head < size) continue;
      const payload = parsed(text.slice(0, text.indexOf('\n') + 1));
      return typeof payload?.cwd === 'string' && payload.cwd.startsWith('/') ? payload.cwd : null;
    }
    return null;
  } catch {
    return null;
  }
}

/** True for a command of which the model was told that it goes on. */
export function goesOn({ output }: RecordedCall): boolean {
  return (
    output !== null && /^Process running with session ID \d+$/m.test(output.split('\nOutput:\n')[0] ?? '')
  );
}
