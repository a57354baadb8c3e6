/** What was looked up in the moment that lasts, by what was asked; null outside of one. */
let seen: Map<string, unknown> | null = null;

/**
 * Runs `work`, which must not wait, as one moment of the world: what is looked up with {@link inMoment} is looked up once.
 * INVARIANT (nothing older than the question): whoever is answered from a moment asked before it began, so that a change
 * made before the question is always seen. Decisions that are committed together share the moment under the lock.
 */
export function oneMoment<T>(work: () => T): T {
  if (seen !== null) return work();
  seen = new Map();
  try {
    return work();
  } finally {
    seen = null;
  }
}

/** The result of `look`, taken once a moment for each `key`; what throws is looked up again. */
export function inMoment<T>(key: string, look: () => T): T {
  if (seen === null) return look();
  if (seen.has(key)) return seen.get(key) as T;
  const found = look();
  seen.set(key, found);
  return found;
}

/** Called after a change of our own: what is looked up from now on is looked up anew. */
export function moveOn(): void {
  seen?.clear();
}
