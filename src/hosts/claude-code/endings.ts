import { isObject, type JsonValue } from '../../core/json.ts';
import type { CallEnding } from '../../hooks/requests.ts';
import { markOf } from '../../platform/file-mark.ts';
import { readSlice } from '../../platform/files.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import type { Recorded } from '../shared/settling.ts';
import { transcriptFiles } from './transcript.ts';

/** How much of a transcript's end is searched: a result stands near it when the next event comes. */
const TAIL = 4 << 20;

/** The result of a call in a line of a transcript, or null. */
function resultIn(line: string, callId: string): CallEnding | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const content = isObject(value) && isObject(value.message) ? value.message.content : null;
  const found = (Array.isArray(content) ? content : []).find(
    (one: unknown) => isObject(one) && one.type === 'tool_result' && one.tool_use_id === callId,
  ) as { is_error?: unknown; content?: JsonValue } | undefined;
  return found ? { ok: found.is_error !== true, result: found.content ?? null } : null;
}

function tailOf(file: string): string {
  try {
    const size = markOf(file)?.size ?? 0;
    const from = Math.max(0, size - TAIL);
    return readSlice(file, from, size - from).toString('utf8');
  } catch {
    return '';
  }
}

/**
 * How calls ended by the client's transcript. It writes a result there only after its hooks have been told of it (seen
 * with 2.1.329, parallel calls too), so that a call with a result whose hook has not come will have none. What the client
 * has moved to the background has a result and goes on.
 */
export function endingsIn(input: HookInput): Recorded {
  return ({ callId, agentId }) => {
    const mention = JSON.stringify(callId);
    for (const file of transcriptFiles(input.transcriptPath, agentId ?? null))
      for (const line of tailOf(file).split('\n')) {
        const ending = line.includes(mention) && line.includes('tool_result') ? resultIn(line, callId) : null;
        if (ending !== null) return /moved to the background/.test(line) ? null : ending;
      }
    return null;
  };
}
