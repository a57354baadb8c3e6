import { PactError } from '../../core/errors.ts';
import { within } from '../../platform/timers.ts';
import type { Governor } from './ports.ts';

/** The engine with a bound on each of its answers: a client and a model wait for them. Late is a failure, and refuses. */
export function bounded(governor: Governor, ms: number): Governor {
  const late = () =>
    new PactError(
      'TIMEOUT',
      `no decision within ${ms} ms`,
      'Try again; if it lasts, look for a process that holds .orchestration/state.db.',
    );
  const bound = <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) => {
    return (...args: A): Promise<T> => within(ms, work(...args), late);
  };
  return {
    userPrompt: bound(governor.userPrompt),
    preToolUse: bound(governor.preToolUse),
    postToolUse: bound(governor.postToolUse),
    beforeCompact: bound(governor.beforeCompact),
    stop: bound(governor.stop),
    standing: bound(governor.standing),
    handshake: bound(governor.handshake),
  };
}
