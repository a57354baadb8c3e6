import { pause } from '../../platform/clock.ts';
import { killTree, run } from '../../platform/run.ts';
import type { News, Trip } from './news.ts';

/** Longest time that the human's command may take for one trip. */
const COMMAND_MS = 10_000;
/** Trips that wait for their turn; there are not more of them at once unless something is very wrong. */
const MAX_WAITING = 100;
/** How long the watch waits at its end for notifications that are still running. */
const LAST_MS = 2_000;

/**
 * Runs the human's command once for each trip, one after the other, with the trip as a line of JSON on its standard
 * input. Nothing that an agent chose is ever part of the command line or of the environment.
 */
export class OnTrip {
  readonly #waiting: Trip[] = [];
  #running: Promise<void> | null = null;
  #pid: number | undefined;

  constructor(
    private readonly command: string,
    private readonly tell: (news: News) => void,
    private readonly now: () => string,
    private readonly timeoutMs = COMMAND_MS,
  ) {}

  add(trip: Trip): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#say('too many trips at once: --on-trip was not run for one');
      return;
    }
    this.#waiting.push(trip);
    this.#running ??= this.#work();
  }

  /** Waits a little for what is under way; what takes longer is ended. */
  async close(): Promise<void> {
    if (!this.#running) return;
    await Promise.race([this.#running, pause(LAST_MS)]);
    this.#waiting.length = 0;
    killTree(this.#pid);
  }

  async #work(): Promise<void> {
    for (let trip = this.#waiting.shift(); trip !== undefined; trip = this.#waiting.shift()) {
      const { code, signal, stderr, timedOut, failure } = await run('/bin/sh', ['-c', this.command], {
        input: `${JSON.stringify(trip)}\n`,
        timeoutMs: this.timeoutMs,
        started: async (pid) => {
          this.#pid = pid;
        },
      });
      this.#pid = undefined;
      if (code === 0) continue;
      const said = stderr.trim().split('\n').at(-1) ?? '';
      const how = timedOut
        ? `took longer than ${this.timeoutMs / 1_000} s and was ended`
        : `failed (${failure ?? signal ?? `exit code ${code}`})${said === '' ? '' : `: ${said.slice(0, 200)}`}`;
      this.#say(`--on-trip ${how}`);
    }
    this.#running = null;
  }

  #say(message: string): void {
    this.tell({ event: 'notice', at: this.now(), workspace: null, message });
  }
}
