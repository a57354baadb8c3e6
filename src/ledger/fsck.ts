import type { ChainHead } from '../core/chain.ts';
import { messageOf, StateError } from '../core/errors.ts';
import type { Layout } from '../core/layout.ts';
import type { Receipt } from '../core/receipt.ts';
import type { TraceRecord } from '../core/trace-record.ts';
import { markOf } from '../platform/file-mark.ts';
import { exists } from '../platform/files.ts';
import { Ingest } from './ingest.ts';
import type { DerivedPart, Storage, Tables } from './port.ts';
import { catchUp } from './provenance/catch-up.ts';
import type { LedgerLine } from './provenance/ledger-line.ts';
import { checkChain } from './read.ts';
import { openStorageToLook, storageInMemory } from './sqlite/storage.ts';
import { HASH_FIELD, type LogName } from './verify.ts';
import { readTrace } from './why.ts';

/** Something that fsck has to say. An `error` is a contradiction; a `note` is worth knowing and no fault. */
export interface Finding {
  readonly level: 'error' | 'note';
  readonly part: 'logs' | 'state' | 'index' | 'links' | 'map';
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
}

/** What checking everything against everything found. */
export interface FsckReport {
  readonly findings: Finding[];
  readonly logs: Readonly<Record<LogName, { records: number; writers: number }>>;
  /** Allowed attempts whose outcome never came. */
  readonly openAttempts: number;
}

export type FsckStep = (what: string, count: number) => void;

/** Findings of one kind that are listed one by one. */
const MAX_LISTED = 20;
const LOGS = ['receipts', 'trace'] as const;

/** state.db as it was at one moment, and how much of each log it had read then. */
interface Live {
  readonly storage: Storage;
  readonly sizes: Readonly<Record<LogName, number>>;
}

/** One check of a workspace: reads everything, changes nothing, waits for nobody. */
class Check {
  readonly findings: Finding[] = [];
  readonly logs = { receipts: { records: 0, writers: 0 }, trace: { records: 0, writers: 0 } };
  readonly #made = storageInMemory();
  readonly #ingest = new Ingest(this.#made.tables);
  readonly #receiptIds = new Set<string>();
  readonly #entryHashes = new Set<string>();
  readonly #openAttempts = new Set<string>();
  readonly #named: { readonly log: LogName; readonly key: string; readonly line: number }[] = [];

  constructor(
    private readonly layout: Layout,
    private readonly step: FsckStep,
  ) {}

  run(): FsckReport {
    const live = this.#openLive();
    try {
      const sound = LOGS.map((name) => this.#checkLog(name, live?.sizes[name] ?? Number.POSITIVE_INFINITY));
      if (sound.every(Boolean)) {
        this.#checkLinks();
        if (live) this.#compare(live.storage);
      }
    } finally {
      live?.storage.close();
      this.#made.close();
    }
    return { findings: this.findings, logs: this.logs, openAttempts: this.#openAttempts.size };
  }

  #say(
    level: Finding['level'],
    part: Finding['part'],
    message: string,
    file: string | null = null,
    line: number | null = null,
  ): void {
    this.findings.push({ level, part, message, file, line });
  }

  /** Null when there is nothing to compare with; the finding says why. */
  #openLive(): Live | null {
    const file = this.layout.state;
    const none = (level: Finding['level'], message: string): null => {
      this.#say(level, 'state', message, file);
      return null;
    };
    if (!exists(file)) return none('note', 'state.db is not there; the next event makes it from the logs');
    let storage: Storage | null = null;
    try {
      storage = openStorageToLook(this.layout, 5_000);
      const sizes = storage && sizesRead(storage.tables, this.layout);
      if (storage && sizes) return { storage, sizes };
      storage?.close();
      return none('note', 'state.db has read other logs than these; the next event reads them anew');
    } catch (error) {
      storage?.close();
      return none(
        'error',
        error instanceof StateError ? error.message : `state.db cannot be read: ${messageOf(error)}`,
      );
    }
  }

  /** Verifies one log and replays what state.db has read of it. True when every record can be trusted. */
  #checkLog(name: LogName, upTo: number): boolean {
    const file = this.layout[name];
    const bad = (message: string, line: number | null = null): false => {
      this.#say('error', 'logs', message, file, line);
      return false;
    };
    try {
      if (markOf(file) === null) return bad('the log is missing');
    } catch {
      return bad('it is not a regular file');
    }
    const heads = new Map<string, ChainHead>();
    const onLine = (lines: number) => this.step(`verifying ${name}`, lines);
    const check = checkChain(this.layout, name, onLine, (record, { offset, end, number }) => {
      if (end > upTo) return;
      if (name === 'receipts') this.#takeReceipt(record as unknown as Receipt, number);
      else this.#takeRecord(record as unknown as TraceRecord, offset, number);
      heads.set(record.writer, { seq: record.seq, hash: String(record[HASH_FIELD[name]]) });
    });
    for (const [writer, head] of heads) this.#made.tables.putHead(name, writer, head);
    this.logs[name] = { records: check.lines, writers: check.heads.size };
    if (check.torn)
      this.#say(
        'note',
        'logs',
        `the last ${check.torn.length} bytes are an append that is under way or never finished`,
        file,
      );
    if (check.bad) return bad(`line ${check.bad.why}`, check.bad.line);
    const { lost } = check;
    if (lost)
      return bad(`seq ${lost.seq} of writer ${lost.writer} was acknowledged and is missing`, check.lines + 1);
    return true;
  }

  #takeReceipt(receipt: Receipt, line: number): void {
    this.#ingest.receipt(receipt);
    this.#receiptIds.add(receipt.id);
    if (receipt.phase === 'pre' && receipt.status === 'allowed') this.#openAttempts.add(receipt.id);
    if (receipt.receipt_of !== undefined) this.#openAttempts.delete(receipt.receipt_of);
    for (const key of receipt.trace ?? []) this.#named.push({ log: 'receipts', key, line });
  }

  #takeRecord(record: TraceRecord, offset: number, line: number): void {
    this.#ingest.trace(record, offset);
    this.#entryHashes.add(record.entry_hash);
    this.#named.push({ log: 'trace', key: record.receipt_id, line });
  }

  /** Each log names records of the other one; all of them must be there. */
  #checkLinks(): void {
    const broken = this.#named.filter(
      ({ log, key }) => !(log === 'receipts' ? this.#entryHashes : this.#receiptIds).has(key),
    );
    for (const { log, key, line } of broken.slice(0, MAX_LISTED)) {
      const what =
        log === 'receipts'
          ? `ledger entry ${key}, which is not in the ledger`
          : `receipt ${key}, which is not in the receipt log`;
      this.#say('error', 'links', `it names ${what}`, this.layout[log], line);
    }
    if (broken.length > MAX_LISTED)
      this.#say('error', 'links', `… and ${broken.length - MAX_LISTED} more broken links`);
    if (this.#openAttempts.size > 0)
      this.#say(
        'note',
        'links',
        `${this.#openAttempts.size} allowed attempts have no outcome: they are under way, or their host never told how they ended`,
      );
  }

  #compare(live: Storage): void {
    this.#comparePart(live, 'state');
    const { lastOffset } = live.index.position();
    if (lastOffset < 0) return;
    const onProgress = ({ records }: { records: number }) => this.step('indexing', records);
    catchUp(this.#made.index, (from) => linesUpTo(this.layout, from, lastOffset), { onProgress });
    this.#comparePart(live, 'index');
  }

  #comparePart(live: Storage, part: DerivedPart): void {
    const wanted = new Map(this.#made.derived(part));
    for (const [what, rows] of live.derived(part)) {
      const difference = firstDifference(rows, wanted.get(what) ?? []);
      if (difference !== null)
        this.#say('error', part, `state.db (${what}) differs: ${difference}`, this.layout.state);
    }
  }
}

/** The first row in which two views differ, as text; null when they agree. */
function firstDifference(live: Iterable<unknown>, made: Iterable<unknown>): string | null {
  const [has, wants] = [live[Symbol.iterator](), made[Symbol.iterator]()];
  try {
    for (;;) {
      const [a, b] = [has.next(), wants.next()];
      if (a.done && b.done) return null;
      const [left, right] = [a, b].map((row) => (row.done ? 'nothing' : JSON.stringify(row.value)));
      if (left !== right) return `it has ${left}, the logs say ${right}`;
    }
  } finally {
    has.return?.();
    wants.return?.();
  }
}

/** How far state.db has read each log; null when it has read another file than the one that is there. */
function sizesRead(tables: Tables, layout: Layout): Record<LogName, number> | null {
  const sizes = { receipts: 0, trace: 0 };
  for (const name of LOGS) {
    const known = tables.knownLog(name);
    const mark = exists(layout[name]) ? markOf(layout[name]) : null;
    // Logs only grow: whatever others append meanwhile lies behind what was read.
    if (!known || !mark || known.inode !== mark.inode || known.size > mark.size) return null;
    sizes[name] = known.size;
  }
  return sizes;
}

function* linesUpTo(layout: Layout, from: number, last: number): Generator<LedgerLine> {
  for (const line of readTrace(layout.trace, from)) {
    if (line.offset > last) return;
    yield line;
  }
}

/**
 * Re-derives everything from the logs and compares: chains, state.db, the provenance index, and what the two logs say
 * of each other. A separate checker on purpose: it trusts nothing that the writing side remembers.
 */
export function fsck(layout: Layout, step: FsckStep = () => undefined): FsckReport {
  return new Check(layout, step).run();
}
