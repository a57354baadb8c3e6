import type { TranscriptReading } from '../../../hooks/requests.ts';
import { linesOf } from './transcript.ts';

/** One response of the model as a transcript tells of it. */
export interface Response {
  /** Lines of one response share it. */
  readonly id: string;
  readonly model: string | null;
  readonly tokens: number;
  /** Host ids of the calls it made. */
  readonly calls: readonly string[];
  /** It asks for the handshake, which counts in no budget (C-33). */
  readonly handshake: boolean;
}

/**
 * What a transcript of JSON lines has gained since an offset: whole lines only, a response that is written several
 * times counted once. `lastIsHandshake`: the newest one asks for the handshake, though the transcript does not say so yet.
 */
export function readResponses(
  file: string,
  offset: number,
  lastMessage: string | null,
  toResponse: (line: unknown) => Response | null,
  lastIsHandshake = false,
): TranscriptReading {
  const { lines, offset: next } = linesOf(file, offset);
  const responses = lines.flatMap((line) => toResponse(line) ?? []);
  const handshakes = new Set(responses.filter(({ handshake }) => handshake).map(({ id }) => id));
  const newest = responses.at(-1);
  if (lastIsHandshake && newest) handshakes.add(newest.id);
  let [turns, tokens, last] = [0, 0, lastMessage];
  let model: string | null = null;
  for (const response of responses) {
    model = response.model ?? model;
    if (response.id === last) continue;
    last = response.id;
    if (handshakes.has(response.id)) continue;
    turns += 1;
    tokens += response.tokens;
  }
  const calls = responses.flatMap((response) => response.calls);
  return { offset: next, turns, tokens, model, lastMessage: last, calls };
}
