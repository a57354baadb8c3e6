import { CHAIN_START, type ChainHead, type ChainLink, type CheckedLink, sealLine } from '../core/chain.ts';
import { sha256 } from '../core/digest.ts';
import { StateError } from '../core/errors.ts';
import { appendDurably, createFile, truncateFile } from '../platform/durable-files.ts';
import { type FileMark, markOf, sameMark } from '../platform/file-mark.ts';
import { makePrivateFolder, readSlice } from '../platform/files.ts';
import type { KnownLog, LogPositions } from './port.ts';
import {
  HASH_FIELD,
  type KnownPart,
  type LogName,
  type Replay,
  type Verification,
  verifyLog,
} from './verify.ts';

type Visit = NonNullable<Replay['visit']>;

/** Bytes of an unfinished append, set aside and named (issue: torn tail). */
export interface TornTail {
  readonly log: LogName;
  readonly sha256: string;
  readonly length: number;
  readonly kept: string;
}

const REMEDY =
  'If you switched branches or put an older copy there, or it is damaged: `pactclaw fsck` shows what is wrong and `pactclaw fsck --repair` goes on from what is good, deleting nothing. Else restore the file.';

/**
 * One chained log and its view in the database. Every method runs inside the write transaction that is the
 * workspace's lock, so that nobody else appends meanwhile.
 */
export class LogFile {
  #mark: FileMark | null = null;
  #lines = 0;
  #pending: string[] = [];
  #pendingBytes = 0;
  readonly #heads = new Map<string, ChainHead>();

  constructor(
    readonly name: LogName,
    readonly file: string,
    private readonly positions: LogPositions,
  ) {}

  /**
   * Brings the view up to the file. When the file is as we left it this costs one stat, whatever its length.
   * Anything else makes the whole chain be verified before a call is judged: a finished append whose process
   * died is taken in, an unfinished one is set aside, everything else is tampering and throws a StateError.
   *
   * A log over `limit` bytes is not read whole. If it has grown in place, as after an append whose process died,
   * what came to it is verified; any other change of it throws, and a human has it verified with fsck.
   */
  catchUp(quarantine: string, limit: number, begin: () => void, visit: Visit): TornTail | null {
    const row = this.#known();
    const mark = this.#markFile();
    if (!mark)
      throw new StateError(
        `${this.name === 'trace' ? 'the ledger' : 'the receipt log'} is missing`,
        { file: this.file },
        REMEDY,
      );
    this.#pending = [];
    this.#pendingBytes = 0;
    if (row && sameMark(mark, row)) {
      this.#mark = mark;
      this.#lines = row.lines;
      this.#heads.clear();
      return null;
    }
    if (mark.size <= limit) return this.#readAll(mark, row?.size ?? 0, quarantine, begin, visit);
    if (row && row.inode === mark.inode && row.size < mark.size)
      return this.#readOn(
        { bytes: row.size, lines: row.lines, heads: this.positions.heads(this.name) },
        quarantine,
        visit,
      );
    throw new StateError(
      'the log is not as PactClaw left it, and too long to be verified while a call waits',
      { file: this.file },
      'Run `pactclaw fsck --repair`: it verifies the log from its beginning, takes it in if it is good, and else goes on from what is good, deleting nothing.',
    );
  }

  /** Whether the file is as the view knows it. Looks only, and needs no lock: a change that is under way is a change. */
  isAsLeft(): boolean {
    const row = this.#known();
    const mark = row && this.#markFile();
    return !!mark && sameMark(mark, row);
  }

  #known(): KnownLog | null {
    return this.positions.knownLog(this.name);
  }

  #markFile(): FileMark | null {
    try {
      return markOf(this.file);
    } catch (error) {
      throw new StateError('a log is not a regular file', { file: this.file }, REMEDY, { cause: error });
    }
  }

  #readAll(
    mark: FileMark,
    known: number,
    quarantine: string,
    begin: () => void,
    visit: Visit,
  ): TornTail | null {
    if (mark.size < known) throw this.#shortened(known - mark.size);
    begin();
    const wanted = this.positions.heads(this.name);
    const reached = new Set<string>();
    const onLink = ({ writer, seq, hash }: CheckedLink) => {
      const head = wanted.get(writer);
      if (head?.seq === seq && head.hash === hash) reached.add(writer);
    };
    const found = this.#verified({ visit, onLink });
    for (const [writer, { seq }] of wanted)
      if (!reached.has(writer))
        throw new StateError(
          `the log was rewritten: seq ${seq} of writer ${writer} is not the record that was acknowledged`,
          { file: this.file },
          REMEDY,
        );
    return this.#take(found, quarantine);
  }

  /** Verifies what came to a log that is good up to `known`. */
  #readOn(known: KnownPart, quarantine: string, visit: Visit): TornTail | null {
    return this.#take(this.#verified({ visit, known }), quarantine);
  }

  #verified(replay: Replay): Verification {
    const found = verifyLog(this.file, this.name, replay);
    if (!found.bad) return found;
    throw new StateError(`line ${found.bad.why}`, { file: this.file, line: found.bad.line }, REMEDY);
  }

  #take(found: Verification, quarantine: string): TornTail | null {
    const torn = found.torn ? this.#setAside(found.torn, quarantine) : null;
    this.#heads.clear();
    for (const [writer, head] of found.heads) this.#heads.set(writer, head);
    this.#lines = found.lines;
    this.#mark = this.#markFile();
    this.#save();
    return torn;
  }

  /** A log that lost bytes: the first line that shows it, else the end. */
  #shortened(missing: number): StateError {
    const { bad } = verifyLog(this.file, this.name);
    if (bad) return new StateError(`line ${bad.why}`, { file: this.file, line: bad.line }, REMEDY);
    return new StateError(`${missing} bytes at the end of the log are missing`, { file: this.file }, REMEDY);
  }

  #setAside(torn: { offset: number; length: number }, quarantine: string): TornTail {
    const bytes = readSlice(this.file, torn.offset, torn.length);
    const digest = sha256(bytes);
    makePrivateFolder(quarantine);
    const kept = `${quarantine}/${this.name}-torn-${digest.slice(0, 16)}`;
    createFile(kept, bytes);
    truncateFile(this.file, torn.offset);
    return { log: this.name, sha256: digest, length: torn.length, kept };
  }

  #headOf(writer: string): ChainHead {
    const known = this.#heads.get(writer);
    if (known) return known;
    return this.positions.head(this.name, writer) ?? CHAIN_START;
  }

  /** The seq that the writer's next record gets. */
  nextSeq(writer: string): number {
    return this.#headOf(writer).seq + 1;
  }

  /** Seals a record into the chain and queues its line; {@link flush} makes it durable. Returns its place. */
  queue<T extends object>(
    draft: T,
    writer: string,
  ): { record: T & ChainLink & Record<string, unknown>; offset: number } {
    const head = this.#headOf(writer);
    const link = { writer, seq: head.seq + 1, previous_hash: head.hash };
    const { line, hash } = sealLine({ ...draft, ...link }, HASH_FIELD[this.name]);
    this.#heads.set(writer, { seq: link.seq, hash });
    const offset = (this.#mark?.size ?? 0) + this.#pendingBytes;
    this.#pending.push(line);
    this.#pendingBytes += Buffer.byteLength(line) + 1;
    return { record: { ...draft, ...link, [HASH_FIELD[this.name]]: hash }, offset };
  }

  /** What is queued now, to go back to when a part of a shared append fails. */
  checkpoint(): () => void {
    const pending = this.#pending.length;
    const bytes = this.#pendingBytes;
    const heads = [...this.#heads];
    return () => {
      this.#pending.length = pending;
      this.#pendingBytes = bytes;
      this.#heads.clear();
      for (const [writer, head] of heads) this.#heads.set(writer, head);
    };
  }

  /** Writes what was queued in one append, waits for the disk, and moves the view along. */
  flush(): void {
    if (this.#pending.length === 0) return;
    const bytes = Buffer.from(`${this.#pending.join('\n')}\n`);
    this.#mark = appendDurably(this.file, bytes, this.#mark?.size ?? 0);
    this.#lines += this.#pending.length;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#save();
  }

  #save(): void {
    if (!this.#mark) return;
    this.positions.putLog(this.name, { ...this.#mark, lines: this.#lines });
    for (const [writer, head] of this.#heads) this.positions.putHead(this.name, writer, head);
  }
}
