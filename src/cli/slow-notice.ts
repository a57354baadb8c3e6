import { Worker } from 'node:worker_threads';
import { writeAll } from '../platform/stdio.ts';

/** Runs beside a main thread that is blocked: waits for a second, then counts the seconds on standard error. */
const SOURCE = `
const { workerData: { what, isTerminal, shown } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const began = Date.now();
const tell = () => {
  const seconds = Math.round((Date.now() - began) / 1000);
  Atomics.store(shown, 0, 1);
  try { writeSync(2, isTerminal ? '\\r' + what + ': ' + seconds + ' s' : what + ': ' + seconds + ' s\\n'); } catch {}
};
setTimeout(() => { tell(); setInterval(tell, isTerminal ? 1000 : 10000); }, 1000);
`;

/** Does synchronous work of unknown length, and says that it is going on once a second has passed. */
export function withSlowNotice<T>(what: string, work: () => T): T {
  const isTerminal = process.stderr.isTTY === true;
  const shown = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(SOURCE, { eval: true, workerData: { what, isTerminal, shown } });
  worker.unref();
  worker.on('error', () => undefined);
  try {
    return work();
  } finally {
    void worker.terminate();
    if (isTerminal && Atomics.load(shown, 0) === 1) writeAll(2, `\r${String.fromCharCode(27)}[K`);
  }
}
