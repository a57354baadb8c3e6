import { nextTurn } from '../platform/clock.ts';
import type { Outcome } from './port.ts';

interface Part {
  readonly work: () => unknown;
  readonly settle: (outcome: Outcome) => void;
}

/** Most parts that one append carries, so that no part waits for very many others. */
const MAX_PARTS = 256;

/**
 * Gathers what arrives in one turn of the event loop and has it committed together: one wait for the disk serves all
 * (group commit). Parts run in the order they came in.
 */
export class GroupCommit {
  #parts: Part[] = [];

  constructor(private readonly commit: (works: readonly (() => unknown)[]) => readonly Outcome[]) {}

  add<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome) => {
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value as T);
      };
      this.#parts.push({ work, settle });
      if (this.#parts.length === 1) nextTurn(() => this.#run());
    });
  }

  #run(): void {
    const parts = this.#parts.splice(0, MAX_PARTS);
    if (this.#parts.length > 0) nextTurn(() => this.#run());
    let outcomes: readonly Outcome[];
    try {
      outcomes = this.commit(parts.map(({ work }) => work));
    } catch (error) {
      outcomes = parts.map(() => ({ error }));
    }
    for (const [at, { settle }] of parts.entries())
      settle(outcomes[at] ?? { error: new Error('no outcome') });
  }
}
