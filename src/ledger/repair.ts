import { sha256 } from '../core/digest.ts';
import type { Usage } from '../core/facts.ts';
import type { Layout } from '../core/layout.ts';
import type { ReceiptDraft } from '../core/receipt.ts';
import { newUuid } from '../platform/clock.ts';
import { createFile, replaceFile } from '../platform/durable-files.ts';
import { exists, isDirectory, makeDirectory, moveAside, readIfThere } from '../platform/files.ts';
import type { Trip } from './port.ts';
import { checkChain } from './read.ts';
import { openStorage, setDamagedAside } from './sqlite/storage.ts';
import { Store, type Tx } from './store.ts';
import type { LogName } from './verify.ts';

/** One thing that was put right. */
export interface Repair {
  readonly what: string;
  /** Workspace-relative place of what was set aside; null when nothing was. */
  readonly kept: string | null;
  readonly sha256: string | null;
}

/** What state.db knew and a shortened receipt log would forget. */
interface Remembered {
  readonly usage: readonly (Usage & { readonly intentId: string })[];
  readonly trips: readonly Trip[];
}

/** Makes the receipt of what a human did at the command line. */
type HumanEvent = (tool: `pactclaw.${string}`, note: string, more?: Partial<ReceiptDraft>) => ReceiptDraft;

const BUSY_MS = 10_000;
const WRITER = /^[0-9a-f]{16,64}$/;

function place(layout: Layout, file: string): string {
  return file.slice(layout.root.length + 1);
}

function setAside(layout: Layout, name: string, bytes: Buffer): { kept: string; digest: string } {
  const digest = sha256(bytes);
  makeDirectory(layout.quarantine);
  const kept = `${layout.quarantine}/${name}-damaged-${digest.slice(0, 16)}`;
  if (!exists(kept)) replaceFile(kept, bytes, { durable: true, mode: 0o600 });
  return { kept, digest };
}

/**
 * Keeps a damaged log whole in quarantine and begins the new one with its verified good prefix. Null when the log is
 * sound. Runs under the workspace's lock, so that nobody appends meanwhile.
 */
function repairLog(layout: Layout, name: LogName): Repair | null {
  const file = layout[name];
  const title = place(layout, file);
  if (isDirectory(file)) {
    makeDirectory(layout.quarantine);
    const kept = `${layout.quarantine}/${name}-damaged-${newUuid()}`;
    moveAside(file, kept);
    createFile(file, '');
    return { what: `${title} was a folder; an empty log was begun`, kept: place(layout, kept), sha256: null };
  }
  const bytes = readIfThere(file);
  if (!bytes) {
    createFile(file, '');
    return { what: `${title} was missing; an empty log was begun`, kept: null, sha256: null };
  }
  const check = checkChain(layout, name);
  if (check.lost) {
    const { kept, digest } = setAside(layout, name, bytes);
    const what = `${title} lacks records that were acknowledged (seq ${check.lost.seq} of writer ${check.lost.writer}); it goes on as it is`;
    return { what, kept: place(layout, kept), sha256: digest };
  }
  if (!check.bad) return null;
  const { kept, digest } = setAside(layout, name, bytes);
  replaceFile(file, bytes.subarray(0, check.goodBytes), { durable: true });
  const what = `${title} was damaged at line ${check.bad.line} (it ${check.bad.why}); its ${check.lines} good records begin the new log`;
  return { what, kept: place(layout, kept), sha256: digest };
}

/** A damaged or foreign writer id would break the chain at the next append; a new one begins a chain of its own. */
function renewWriter(layout: Layout, force: boolean): Repair | null {
  const text = readIfThere(layout.writer)?.toString('latin1').trim();
  if (text === undefined || (!force && WRITER.test(text))) return null;
  makeDirectory(layout.quarantine);
  const kept = `${layout.quarantine}/writer-${newUuid()}`;
  moveAside(layout.writer, kept);
  return {
    what: 'this clone got a new writer id, so that no number of a lost record is used twice',
    kept: place(layout, kept),
    sha256: null,
  };
}

/** Repairs both logs while holding the lock that every writer needs, and makes the views read them anew. */
function repairUnderLock(
  layout: Layout,
  derivedIsWrong: boolean,
): { repairs: Repair[]; remembered: Remembered | null } {
  const storage = openStorage(layout, BUSY_MS);
  try {
    const { tables } = storage;
    const done = storage.transact(BUSY_MS, () => {
      const remembered = { usage: tables.usages(), trips: tables.trips() };
      const receipts = repairLog(layout, 'receipts');
      const trace = repairLog(layout, 'trace');
      const repairs = [receipts, trace].filter((one) => one !== null);
      const writer = renewWriter(layout, repairs.length > 0);
      if (writer) repairs.push(writer);
      if (repairs.length > 0 || derivedIsWrong) tables.forgetLogs();
      return { repairs, remembered: receipts || derivedIsWrong ? remembered : null };
    });
    if (done.repairs.length > 0 || derivedIsWrong) storage.index.reset();
    return done;
  } finally {
    storage.close();
  }
}

/** INVARIANT (no refill): damage to the receipts gives no intent its budget back, and resets no tripped breaker. */
function carryOver(tx: Tx, remembered: Remembered, lost: boolean, humanEvent: HumanEvent): void {
  const note = 'carried over from state.db, because the receipts that said so are damaged';
  const trips = new Map(tx.trips().map((trip) => [trip.intentId, trip]));
  for (const { intentId: intent_id, reason, written } of remembered.trips) {
    if (!trips.has(intent_id) && lost)
      tx.receipt(
        humanEvent('pactclaw.recovery', note, {
          intent_id,
          intent_event: { event: 'blocked', intent_id, reason },
        }),
      );
    tx.markTrip(intent_id, written);
  }
  if (!lost) return;
  for (const before of remembered.usage) {
    const { intentId: intent_id } = before;
    const now = tx.usage(intent_id);
    const turns = Math.max(0, before.turns - now.turns);
    const tokens = Math.max(0, before.tokens - now.tokens);
    if (turns > 0 || tokens > 0)
      tx.receipt(humanEvent('pactclaw.recovery', note, { intent_id, usage: { intent_id, turns, tokens } }));
  }
}

function recoveryOf(repair: Repair, humanEvent: HumanEvent): ReceiptDraft {
  const note = `${repair.what}${repair.kept === null ? '' : `; set aside in ${repair.kept}`}${repair.sha256 === null ? '' : ` (SHA-256 ${repair.sha256})`}`;
  return humanEvent('pactclaw.recovery', note, repair.sha256 === null ? {} : { args_hash: repair.sha256 });
}

/**
 * Sets aside what is damaged, deletes nothing, and records what was done (after the example of tessera's fsck). `state.db`
 * is made anew from the logs when it is damaged or says something else than they do.
 */
export function repair(layout: Layout, derivedIsWrong: boolean, humanEvent: HumanEvent): Repair[] {
  const early: Repair[] = [];
  const writer = renewWriter(layout, false);
  if (writer) early.push(writer);
  const damaged = exists(layout.state) ? setDamagedAside(layout, BUSY_MS) : null;
  if (damaged !== null)
    early.push({
      what: 'state.db was damaged; it was made anew from the logs',
      kept: place(layout, `${layout.quarantine}/${damaged}`),
      sha256: null,
    });
  const { repairs, remembered } = repairUnderLock(layout, derivedIsWrong);
  using store = Store.open(layout, { busyMs: BUSY_MS });
  const all = [...early, ...repairs];
  if (derivedIsWrong)
    all.push({
      what: 'state.db differed from the logs; it was made anew from them',
      kept: null,
      sha256: null,
    });
  store.transact((tx) => {
    for (const one of all) tx.receipt(recoveryOf(one, humanEvent));
    if (remembered) carryOver(tx, remembered, repairs.length > 0, humanEvent);
  });
  return all;
}
