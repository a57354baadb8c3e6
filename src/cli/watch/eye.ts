import { messageOf } from '../../core/errors.ts';
import { type Layout, layoutOf } from '../../core/layout.ts';
import { LogTail } from '../../platform/log-tail.ts';
import { digest } from './digest.ts';
import { type Known, NOTHING_KNOWN } from './known.ts';
import type { News } from './news.ts';
import { readSnapshot } from './read-snapshot.ts';
import { readReceipt, type SeenReceipt } from './receipt-line.ts';
import { stateMark } from './state-mark.ts';

/** How much of the log's end is read at first: some hundred receipts. */
const START_BYTES = 256 << 10;
/** The most that is read at once, and the longest line. */
const READ_BYTES = 1 << 20;
const READS = 16;

interface Received {
  readonly receipts: readonly SeenReceipt[];
  readonly damaged: number;
  readonly restarted: boolean;
  readonly more: boolean;
}

/** Looks at one workspace, again and again. It only reads; while nothing changes a look is a few calls of `stat`. */
export class Eye {
  #known: Known = NOTHING_KNOWN;
  #mark: string | null = null;
  #again = true;
  #isSuspect = false;
  #trouble: string | null = null;
  readonly #layout: Layout;
  readonly #tail: LogTail;

  constructor(
    readonly root: string,
    private readonly install: string,
  ) {
    this.#layout = layoutOf(root);
    this.#tail = new LogTail(this.#layout.receipts, START_BYTES, READ_BYTES);
  }

  get known(): Known {
    return this.#known;
  }

  /** What is new since the last look. Never throws. */
  async look(nowMs: number): Promise<readonly News[]> {
    const mark = stateMark(this.#layout);
    const hasChanged = mark !== this.#mark;
    if (!hasChanged && !this.#again) return [];
    // Once more after each change: a second one within the grain of the file system's clock leaves the same mark.
    this.#again = hasChanged;
    this.#mark = mark;
    const trouble: News[] = [];
    const received = this.#receive(nowMs, trouble);
    if (received.more) this.#again = true;
    const snapshot = await this.#snapshot();
    const { known, news } = digest(this.#known, { workspace: this.root, nowMs, snapshot, ...received });
    this.#known = known;
    return [...news, ...trouble];
  }

  /**
   * A fail-safe counts when it is found twice in a row: a file that is being saved can be seen half written, and the
   * database locked for a moment.
   */
  async #snapshot(): Promise<Awaited<ReturnType<typeof readSnapshot>>> {
    const snapshot = await readSnapshot(this.root, this.install);
    const before = this.#known.snapshot;
    const isNew = snapshot.failSafe !== null && before !== null && before.failSafe === null;
    const isDoubted = isNew && !this.#isSuspect;
    this.#isSuspect = isDoubted;
    if (!isDoubted || before === null) return snapshot;
    this.#again = true;
    return before;
  }

  /** Receipts that came. An unreadable log is reported once. */
  #receive(nowMs: number, trouble: News[]): Received {
    const receipts: SeenReceipt[] = [];
    let damaged = 0;
    let restarted = false;
    let more = true;
    try {
      for (let reads = 0; more && reads < READS; reads += 1) {
        const gained = this.#tail.read();
        more = gained.more;
        restarted ||= gained.restarted;
        for (const line of gained.lines) {
          const receipt = readReceipt(line);
          if (receipt) receipts.push(receipt);
          else damaged += 1;
        }
      }
      this.#trouble = null;
    } catch (error) {
      more = false;
      const message = `the receipt log cannot be read: ${messageOf(error)}`;
      if (this.#trouble !== message)
        trouble.push({ event: 'notice', at: new Date(nowMs).toISOString(), workspace: this.root, message });
      this.#trouble = message;
    }
    return { receipts, damaged, restarted, more };
  }
}
