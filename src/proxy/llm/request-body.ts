import { messageOf } from '../../core/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { membersAfter, membersOf, type Place } from './json-places.ts';
import { type HistoryKey, RequestFault } from './wire.ts';

/** The conversation in a request's bytes. */
interface History {
  readonly key: HistoryKey;
  readonly elements: readonly JsonValue[];
  readonly places: readonly Place[];
}

/** A request's body, read. */
export interface ReadBody {
  readonly bytes: Buffer;
  readonly body: JsonObject;
  /** Null for a body that is short, or in which members could be taken for one another. */
  readonly history: History | null;
}

interface Kept {
  readonly read: ReadBody & { readonly history: History };
  /** Members before the history. */
  readonly head: JsonObject;
  readonly readAt: number;
}

/** Bodies shorter than this are read and written whole: looking for what is known would cost as much. */
const SHORT = 16 << 10;
/** Most of all bodies that are remembered, in bytes, and of one of them. */
const MAX_KEPT = 32 << 20;
const MAX_ONE = 8 << 20;
/** How long a body waits for the request that goes on from it, in milliseconds. */
const MAX_WAIT = 120_000;
const STEP = 64 << 10;

function parse(bytes: Buffer): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new RequestFault(400, `the body is not JSON: ${messageOf(error)}`, 'Send one JSON object.');
  }
  if (!isObject(body)) throw new RequestFault(400, 'the body is not a JSON object', 'Send one JSON object.');
  return body;
}

/** Two keys could be the same one: then which of two values counts depends on who reads. */
function isDoubtful(keys: readonly string[]): boolean {
  return new Set(keys).size !== keys.length || keys.some((key) => key.includes('\\'));
}

/** How many bytes two texts share from their beginning on. */
function sharedBytes(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length);
  let [at, step] = [0, STEP];
  while (at < most && step >= 1) {
    const to = Math.min(most, at + step);
    if (a.compare(b, at, to, at, to) === 0) at = to;
    else step = step === 1 ? 0 : Math.max(1, step >> 4);
  }
  return at;
}

/** How many of a conversation's first messages a request's bytes repeat. */
function repeated({ read: { bytes, history } }: Kept, now: Buffer): number {
  const shared = sharedBytes(bytes, now);
  let [low, high] = [0, history.places.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((history.places[middle - 1]?.to ?? 0) <= shared) low = middle;
    else high = middle - 1;
  }
  // A number may go on where the other text ended; a text or an object cannot.
  while (low > 0 && !isObject(history.elements[low - 1])) low -= 1;
  return low;
}

/**
 * Reads requests. An agent's next request repeats the conversation so far, byte for byte, and adds to its end: what was
 * read before is not read again. The same values come out as if each were read whole.
 */
export class BodyReader {
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  /** `now`: a clock that only goes forward, in milliseconds. */
  constructor(private readonly now: () => number = monotonicMs) {}

  /** `who` tells clients apart, so that they do not displace each other; it may be wrong. Throws a RequestFault. */
  read(bytes: Buffer, key: HistoryKey, who: string): ReadBody {
    if (bytes.length < SHORT) return { bytes, body: parse(bytes), history: null };
    const place = `${key}\n${who}\n${bytes.toString('latin1', 0, 256)}`;
    const known = this.#kept.get(place);
    const made = (known && readOn(known, bytes)) ?? readWhole(bytes, key);
    this.#keep(place, made);
    return made.read;
  }

  /** Bytes of all bodies that are remembered. */
  get size(): number {
    return this.#size;
  }

  #keep(place: string, { read, head }: ReturnType<typeof readWhole>): void {
    this.#drop(place);
    const { history } = read;
    if (!history || read.bytes.length > MAX_ONE) return;
    const readAt = this.now();
    this.#kept.set(place, { read: { ...read, history }, head, readAt });
    this.#size += read.bytes.length;
    for (const [oldest, { readAt: then }] of this.#kept) {
      if (this.#size <= MAX_KEPT && readAt - then <= MAX_WAIT) return;
      this.#drop(oldest);
    }
  }

  #drop(place: string): void {
    this.#size -= this.#kept.get(place)?.read.bytes.length ?? 0;
    this.#kept.delete(place);
  }
}

function readWhole(bytes: Buffer, key: HistoryKey): { read: ReadBody; head: JsonObject } {
  const body = parse(bytes);
  const { keys, elements: places } = membersOf(bytes, key);
  const elements = body[key];
  if (isDoubtful(keys) || !Array.isArray(elements) || places?.length !== elements.length)
    return { read: { bytes, body, history: null }, head: {} };
  const before = new Set(keys.slice(0, keys.indexOf(key)));
  const head = Object.fromEntries(Object.entries(body).filter(([name]) => before.has(name)));
  return { read: { bytes, body, history: { key, elements, places } }, head };
}

/** Reads only what comes after the messages that are known. Null when that is not worth it or cannot be told apart. */
function readOn(known: Kept, bytes: Buffer): { read: ReadBody; head: JsonObject } | null {
  const { key, elements, places } = known.read.history;
  const count = repeated(known, bytes);
  const from = places[count - 1]?.to ?? 0;
  if (from < SHORT) return null;
  let rest: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(from));
    rest = JSON.parse(`{"${key}":[null${text}`);
  } catch {
    // Whatever it is, it is told of the whole body.
    return null;
  }
  const after = membersAfter(bytes, from);
  if (!isObject(rest) || isDoubtful([...Object.keys(known.head), key, ...after.keys])) return null;
  const added = rest[key];
  if (!Array.isArray(added) || added.length - 1 !== after.elements.length) return null;
  const all = [...elements.slice(0, count), ...added.slice(1)];
  const history = { key, elements: all, places: [...places.slice(0, count), ...after.elements] };
  return { read: { bytes, body: { ...known.head, ...rest, [key]: all }, history }, head: known.head };
}

/**
 * A body that was changed, as bytes. Messages that are still the very ones that were read are copied as they came;
 * everything else is written anew.
 */
export function writeBody({ bytes, body, history }: ReadBody, edited: JsonObject): Uint8Array | string {
  if (edited === body) return bytes;
  const list = history && edited[history.key];
  if (!history || !Array.isArray(list)) return JSON.stringify(edited);
  const parts: Uint8Array[] = [];
  let text = '{';
  for (const [name, value] of Object.entries(edited)) {
    if (value === undefined) continue;
    text += `${text === '{' && parts.length === 0 ? '' : ','}${JSON.stringify(name)}:`;
    if (name !== history.key) {
      text += JSON.stringify(value);
      continue;
    }
    text += '[';
    for (const [at, piece] of piecesOf(list, history).entries()) {
      if (at > 0) text += ',';
      if (typeof piece === 'string') text += piece;
      else {
        parts.push(Buffer.from(text), bytes.subarray(piece.from, piece.to));
        text = '';
      }
    }
    text += ']';
  }
  return Buffer.concat([...parts, Buffer.from(`${text}}`)]);
}

/** How far ahead a message is looked for when others before it were changed. */
const AHEAD = 4;

/** The elements of a list: runs of those that stand in the bytes as their place, others written out. */
function piecesOf(list: readonly JsonValue[], { elements, places }: History): (Place | string)[] {
  const pieces: (Place | string)[] = [];
  let next = 0;
  let run: { from: number; to: number; end: number } | null = null;
  for (const element of list) {
    let at = next;
    while (at < next + AHEAD && elements[at] !== element) at += 1;
    const place = isObject(element) && elements[at] === element ? places[at] : undefined;
    if (!place) {
      run = null;
      pieces.push(JSON.stringify(element));
      continue;
    }
    next = at + 1;
    if (run?.end === at) {
      run.to = place.to;
      run.end = next;
      continue;
    }
    run = { ...place, end: next };
    pieces.push(run);
  }
  return pieces;
}
