import { GENESIS, sha256 } from './digest.ts';
import { canonicalJson } from './json.ts';

/** Name of the field that holds a line's own hash: receipts and ledger spell it differently (R-100, §15.2). */
export type HashField = 'receipt_hash' | 'entry_hash';

const HASH = /^[0-9a-f]{64}$/;
const PLACEHOLDER = '#'.repeat(64);

/** What a chain needs of each line. */
export interface ChainLink {
  readonly writer: string;
  readonly seq: number;
  readonly previous_hash: string;
}

/** End of one writer's chain. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

/** Where the next link of a writer without a head goes. */
export const CHAIN_START: ChainHead = { seq: 0, hash: GENESIS };

/**
 * Seals a record: its hash is the SHA-256 of its canonical JSON without the hash field. Returns the log
 * line without its newline. The hashed bytes are the line's own bytes with one member cut out, so that a
 * verifier never has to serialise anything again.
 */
export function sealLine(record: ChainLink & object, field: HashField): { line: string; hash: string } {
  const draft = canonicalJson({ ...record, [field]: PLACEHOLDER });
  const member = `,"${field}":"${PLACEHOLDER}"`;
  const at = draft.indexOf(member);
  if (at < 0) throw new TypeError(`a record needs a key before ${field}`);
  const hash = sha256(draft.slice(0, at) + draft.slice(at + member.length));
  return { line: `${draft.slice(0, at)},"${field}":"${hash}"${draft.slice(at + member.length)}`, hash };
}

/** A parsed line, or why it is none. */
export type LineCheck =
  | { readonly ok: true; readonly record: ChainLink & Record<string, unknown>; readonly hash: string }
  | { readonly ok: false; readonly why: string };

/** Checks one line by itself: that it is one JSON object and that its hash is right. */
export function checkLine(line: string, field: HashField): LineCheck {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return { ok: false, why: line.includes('}{') ? 'two records are glued into one line' : 'is not JSON' };
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    return { ok: false, why: 'is not a JSON object' };
  const fields = record as Record<string, unknown>;
  const hash = fields[field];
  if (typeof hash !== 'string' || !HASH.test(hash)) return { ok: false, why: `has no ${field}` };
  if (
    typeof fields.writer !== 'string' ||
    !Number.isSafeInteger(fields.seq) ||
    typeof fields.previous_hash !== 'string'
  )
    return { ok: false, why: 'has no place in a chain (writer, seq, previous_hash)' };
  const member = `,"${field}":"${hash}"`;
  const at = line.indexOf(member);
  if (at < 0) return { ok: false, why: `does not spell ${field} canonically` };
  if (sha256(line.slice(0, at) + line.slice(at + member.length)) !== hash)
    return { ok: false, why: `was changed: ${field} does not match its content` };
  return { ok: true, record: fields as ChainLink & Record<string, unknown>, hash };
}

/** A link and its own hash, which has been checked. */
export interface CheckedLink extends ChainLink {
  readonly hash: string;
}

const WRITER = ',"writer":"';

/** Where a text has another; -1 when it has it not, or more than once, so that it could be a nested member's. */
function onlyPlaceOf(part: string, text: string): number {
  const at = text.indexOf(part);
  return at >= 0 && text.indexOf(part, at + 1) < 0 ? at : -1;
}

/**
 * {@link checkLine} for a line as {@link sealLine} makes it, without parsing it: what a chain needs is found by its
 * place in the sorted keys, which takes a third of the time. Null = it may be anything, and checkLine has to tell.
 */
export function checkSealed(line: string, field: HashField): CheckedLink | null {
  const hashAt = line.indexOf(`,"${field}":"`);
  const hashFrom = hashAt + field.length + 5;
  const previousAt = onlyPlaceOf(',"previous_hash":"', line);
  const seqAt = onlyPlaceOf(',"seq":', line);
  // The last key of all, so that its value ends with the line.
  const writerAt = line.lastIndexOf(WRITER);
  if (hashAt < 0 || previousAt < 0 || seqAt < 0 || writerAt < seqAt || !line.endsWith('"}')) return null;
  const hash = line.slice(hashFrom, hashFrom + 64);
  // The one byte of the member that neither the search nor the hash covers.
  if (line[hashFrom + 64] !== '"') return null;
  if (sha256(line.slice(0, hashAt) + line.slice(hashFrom + 65)) !== hash) return null;
  const previous_hash = line.slice(previousAt + 18, previousAt + 82);
  const seq = Number(line.slice(seqAt + 7, line.indexOf(',', seqAt + 7)));
  const writer = line.slice(writerAt + WRITER.length, -2);
  if (!HASH.test(previous_hash) || !Number.isSafeInteger(seq) || !/^[\w-]+$/.test(writer)) return null;
  return { writer, seq, previous_hash, hash };
}

/** Why a link does not follow a writer's head, or null when it does. */
export function breakBetween(head: ChainHead, link: ChainLink): string | null {
  if (link.seq !== head.seq + 1)
    return link.seq <= head.seq
      ? `repeats or re-orders seq ${link.seq} of writer ${link.writer} (after ${head.seq})`
      : `does not follow: seq ${head.seq + 1}…${link.seq - 1} of writer ${link.writer} are missing before it`;
  if (link.previous_hash !== head.hash)
    return `does not follow: previous_hash differs from line seq ${head.seq} of writer ${link.writer}`;
  return null;
}
