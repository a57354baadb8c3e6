import fs from 'node:fs';
import { monotonicMs } from './clock.ts';

/** A waiting process shows this often that it still waits, in milliseconds. */
const BEAT_MS = 250;
/** One that has not shown it for this long is passed, and after the second time forgotten: it is stopped or hangs. */
const PATIENCE_MS = 2_000;
const FORGET_MS = 60_000;
/** How long it is taken for granted that the first in the queue waits. */
const TRUST_MS = 100;
/** Pause between two looks at the queue for each place before one's own, and the longest one. In milliseconds. */
const PAUSE_MS = 4;
const MAX_PAUSE_MS = 100;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

function sleep(ms: number): void {
  Atomics.wait(sleeper, 0, 0, ms);
}

function remove(file: string): void {
  try {
    fs.unlinkSync(file);
  } catch {
    // Somebody else has removed it, or it stays until it is forgotten.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: another user's process, which is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * The processes that wait for one lock, as files in a folder: a ticket's name tells when its process came and which it
 * is, its time of change when it last showed that it waits.
 */
class Queue {
  #own: string | null = null;
  #beatMs = 0;
  /** The first that waits, and when that was seen. */
  #first: { readonly name: string; readonly seenMs: number } | null = null;

  constructor(private readonly folder: string) {}

  /** Takes the last place; false where none can be had. */
  join(): boolean {
    // One clock for all processes of a machine, so that names sort by arrival.
    const name = `${String(process.hrtime.bigint()).padStart(20, '0')}.${process.pid}`;
    try {
      fs.mkdirSync(this.folder, { recursive: true });
      fs.writeFileSync(`${this.folder}/${name}`, '', { flag: 'wx', mode: 0o600 });
      this.#own = name;
      this.#beatMs = monotonicMs();
      return true;
    } catch {
      return false;
    }
  }

  leave(): void {
    if (this.#own !== null) remove(`${this.folder}/${this.#own}`);
  }

  /** Shows that this process still waits. */
  beat(): void {
    if (this.#own === null || monotonicMs() - this.#beatMs < BEAT_MS) return;
    this.#beatMs = monotonicMs();
    const now = new Date();
    try {
      fs.utimesSync(`${this.folder}/${this.#own}`, now, now);
    } catch {
      // Without its ticket it waits on, and others need not wait for it.
    }
  }

  /** How many stand before this process, or in the queue where it has no place, from the first that waits on. */
  ahead(): number {
    let names: string[];
    try {
      names = fs.readdirSync(this.folder);
    } catch {
      return 0;
    }
    const own = this.#own;
    const before = names.filter((name) => own === null || name < own).sort();
    const first = before.findIndex((name) => this.#waits(name));
    return first < 0 ? 0 : before.length - first;
  }

  #waits(name: string): boolean {
    const now = monotonicMs();
    if (this.#first?.name === name && now - this.#first.seenMs < TRUST_MS) return true;
    const pid = /^\d{20}\.(\d+)$/.exec(name)?.[1];
    if (pid === undefined) return false;
    const file = `${this.folder}/${name}`;
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    const quietMs = stat ? Date.now() - stat.mtimeMs : 0;
    if (!isAlive(Number(pid)) || quietMs > FORGET_MS) remove(file);
    else if (stat && quietMs < PATIENCE_MS) {
      this.#first = { name, seenMs: now };
      return true;
    }
    return false;
  }
}

/**
 * Calls `take`, which tries a lock without waiting, until it returns true; processes that wait for the same lock get it
 * in the order they came (U-13). Returns false when `waitMs` milliseconds have gone by. `folder` holds one empty file a
 * waiting process and is made when two meet.
 *
 * The order is a courtesy and the lock itself excludes: a dead process is passed at once, one that does not show that
 * it waits after two seconds, and where the folder cannot be written everybody just tries.
 */
export function takeInTurn(folder: string, waitMs: number, take: () => boolean): boolean {
  const queue = new Queue(folder);
  if (queue.ahead() === 0 && take()) return true;
  if (waitMs <= 0) return take();
  const until = monotonicMs() + waitMs;
  const placed = queue.join();
  try {
    for (;;) {
      const count = placed ? queue.ahead() : 0;
      const late = monotonicMs() >= until;
      if ((count === 0 || late) && take()) return true;
      if (late) return false;
      queue.beat();
      sleep(Math.min(Math.max(1, count * PAUSE_MS), MAX_PAUSE_MS));
    }
  } finally {
    queue.leave();
  }
}
