import { randomBytes, randomUUID } from 'node:crypto';

function upMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}

const BEGAN_MS = upMs() - process.uptime() * 1_000;

/**
 * Milliseconds since this process began, by a clock that never goes back; for deadlines and durations. Not
 * `performance.now()`, whose first call loads a dozen modules of Node into every hook.
 */
export function monotonicMs(): number {
  return upMs() - BEGAN_MS;
}

/** Wall time as ISO 8601 UTC with milliseconds. Order in a log comes from `seq`, never from here. */
export function nowIso(): string {
  return new Date().toISOString();
}

/** Wall time in the form that receipts use, whole seconds. */
export function nowIsoSeconds(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}

export function newUuid(): string {
  return randomUUID();
}

/** Random lower-case hex, `bytes` long before encoding. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** Wall time in milliseconds; may jump. Only for telling old from new, never for order. */
export function wallMs(): number {
  return Date.now();
}

/** Runs `work` once the events that are waiting now have been seen to. */
export function nextTurn(work: () => void): void {
  setImmediate(work);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
