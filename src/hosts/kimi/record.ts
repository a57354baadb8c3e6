import { isObject, type JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { TranscriptReading, TranscriptSource } from '../../hooks/requests.ts';
import { markOf } from '../../platform/file-mark.ts';
import { isDirectory, listNames, readSlice } from '../../platform/files.ts';
import { folderOf } from '../../platform/home.ts';
import { waitUntil } from '../../platform/run.ts';
import { asksFor, tally } from '../shared/decode/responses.ts';
import { count, linesOf } from '../shared/decode/transcript.ts';
import { OWN_PREFIX } from './tools.ts';

/** How far back the calls of a step may stand whose end comes with this reading, in bytes. */
const LOOK_BACK = 1 << 20;
/** How far back a call's result is looked for. */
const TAIL = 1 << 20;
/** Longest wait for hooks that the host has started and does not wait for. */
const LATE_MS = 5_000;

/** The records of a session, the main agent's and its subagents'; none when there are none. */
function filesOf(sessionId: string): string[] {
  if (!/^[\w-]+$/.test(sessionId)) return [];
  const sessions = `${folderOf('KIMI_CODE_HOME', '.kimi-code')}/sessions`;
  // The folder between is named by the project's path and a digest of it.
  const own = listNames(sessions)
    .map((project) => `${sessions}/${project}/${sessionId}/agents`)
    .find(isDirectory);
  return own === undefined ? [] : listNames(own).map((agent) => `${own}/${agent}/wire.jsonl`);
}

/** The events of the agent's loop that these lines tell of. */
function loopEvents(lines: readonly unknown[], type: string): JsonObject[] {
  return lines.flatMap((line) => {
    const event = isObject(line) && line.type === 'context.append_loop_event' ? line.event : null;
    return isObject(event) && event.type === type ? [event as JsonObject] : [];
  });
}

/** Reads a record from a byte offset. A step is one response of the model; its end tells what it cost. */
export function readRecord(file: string, offset: number, lastMessage: string | null): TranscriptReading {
  const { lines, offset: next } = linesOf(file, offset);
  const ends = loopEvents(lines, 'step.end');
  const seen = { offset: next, turns: 0, tokens: 0, model: null, lastMessage, calls: [] };
  if (ends.length === 0) return seen;
  const calls = loopEvents(linesOf(file, Math.max(0, offset - LOOK_BACK)).lines, 'tool.call');
  const steps = ends.map(({ uuid, usage }) => ({
    tokens: isObject(usage)
      ? count(usage.inputOther) + count(usage.inputCacheCreation) + count(usage.output)
      : 0,
    ...asksFor(
      calls.filter(({ stepUuid }) => stepUuid === uuid).map(({ name }) => name),
      `${OWN_PREFIX}${HANDSHAKE_TOOL}`,
    ),
  }));
  return { ...seen, ...tally(steps) };
}

/** The record that the engine counts a session's use from. */
export function recordOf(sessionId: string): TranscriptSource {
  return { files: filesOf(sessionId), read: readRecord };
}

/** Whether the record holds the result of a call. */
function hasResult(file: string, callId: string): boolean {
  const size = markOf(file)?.size ?? 0;
  const from = Math.max(0, size - TAIL);
  const mention = JSON.stringify(callId);
  return readSlice(file, from, size - from)
    .toString('utf8')
    .split('\n')
    .some((line) => line.includes('"tool.result"') && line.includes(mention));
}

/**
 * Waits until what has ended is recorded as ended: the host does not wait for the hooks that tell of it, so that the
 * next call could be judged before a handshake counts. Calls that run meanwhile are not waited for. After the longest
 * wait the call is judged by what is known.
 */
export async function awaitEnds(sessionId: string, callId: string | null, engine: HookEngine): Promise<void> {
  const files = filesOf(sessionId);
  const hasEnded = (id: string) => {
    try {
      return files.some((file) => hasResult(file, id));
    } catch {
      return false;
    }
  };
  await waitUntil(async () => {
    const open = await engine.openCalls(sessionId);
    return !open.some((id) => id !== callId && hasEnded(id));
  }, LATE_MS);
}
