import { WireFault } from './shapes.ts';

/** One event of a stream (WHATWG HTML, server-sent events). */
export interface SseEvent {
  readonly event: string | null;
  /** Data lines joined; empty for a comment. */
  readonly data: string;
  /** The event as it came, up to and with its blank line. */
  readonly raw: string;
}

/** Longest single event, in characters. */
const MAX_EVENT = 32 << 20;
const BOUNDARY = /(?:\r\n|\n|\r(?!\n)){2}/g;

/** Only data may hold an object: in a comment or an id it could be taken for data by a reader that is less strict. */
const PLAIN_LINE = /^(?:data(?::|$)|(?::|(?:event|id|retry)(?::|$))[^{]*$)/;
/** An event as nearly every server writes it. */
const USUAL = /^(?:event: ([^\r\n{]*)\n)?data: ([^\r\n]*)\n\n$/;

/**
 * Reads one event. Lines that are no field of the format are taken out of what goes on: a reader less strict than this
 * one could make something of them that nobody has judged.
 */
function parse(raw: string): SseEvent {
  const usual = USUAL.exec(raw);
  if (usual) return { event: usual[1] ?? null, data: usual[2] as string, raw };
  let event: string | null = null;
  const data: string[] = [];
  const lines = raw.split(/\r\n|\n|\r/).filter((line) => line !== '');
  const plain = lines.filter((line) => PLAIN_LINE.test(line));
  for (const line of plain) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
  // An event without data means nothing; only what keeps the connection alive is worth passing on.
  const kept = data.length === 0 ? plain.filter((line) => line.startsWith(':')) : plain;
  const isWhole = kept.length === lines.length;
  return {
    event,
    data: data.join('\n'),
    raw: isWhole ? raw : kept.length === 0 ? '' : `${kept.join('\n')}\n\n`,
  };
}

/** Cuts a stream into events, however its bytes were cut into pieces. */
export class SseReader {
  #rest = '';
  #seen = 0;
  #begun = false;
  /** A carriage return was seen: lines may end in three ways. */
  #returns = false;

  /** Events that this text completes. Throws a WireFault when one grows without end. */
  push(text: string): SseEvent[] {
    this.#rest += text;
    this.#returns ||= text.includes('\r');
    if (!this.#begun && this.#rest !== '') {
      this.#begun = true;
      if (this.#rest.startsWith('\uFEFF')) this.#rest = this.#rest.slice(1);
    }
    if (!this.#returns) return this.#cutPlain();
    const found: SseEvent[] = [];
    // A carriage return at the very end may be half of a line end.
    const usable = this.#rest.endsWith('\r') ? this.#rest.length - 1 : this.#rest.length;
    let from = 0;
    BOUNDARY.lastIndex = Math.max(0, this.#seen - 3);
    for (let match = BOUNDARY.exec(this.#rest); match; match = BOUNDARY.exec(this.#rest)) {
      const end = match.index + match[0].length;
      if (end > usable) break;
      const raw = this.#rest.slice(from, end);
      if (raw.trim() !== '') found.push(parse(raw));
      from = end;
    }
    this.#keep(from);
    return found;
  }

  /** The same for text without carriage returns, as nearly every stream is. */
  #cutPlain(): SseEvent[] {
    const found: SseEvent[] = [];
    let from = 0;
    let at = this.#rest.indexOf('\n\n', Math.max(0, this.#seen - 3));
    for (; at >= 0; at = this.#rest.indexOf('\n\n', from)) {
      const raw = this.#rest.slice(from, at + 2);
      if (raw.trim() !== '') found.push(parse(raw));
      from = at + 2;
    }
    this.#keep(from);
    return found;
  }

  /** What is left of the text is the beginning of the next event. */
  #keep(from: number): void {
    if (from > 0) this.#rest = this.#rest.slice(from);
    this.#seen = this.#rest.length;
    if (this.#seen > MAX_EVENT) throw new WireFault(`an event is longer than ${MAX_EVENT} characters`);
  }
}

/** An event as text. */
export function sse(event: string | null, data: unknown): string {
  return `${event === null ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}
