import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { summarise } from './stats.ts';

/** What the figures were taken on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly kernel: string;
  readonly fdatasyncMs: { readonly p50: number; readonly p99: number };
}

const SYNCS = 200;

/** Time of one 500-byte write with fdatasync in `folder`: what a durable append cannot beat. */
function timeSync(folder: string): Machine['fdatasyncMs'] {
  const file = path.join(folder, 'sync-probe');
  const fd = fs.openSync(file, 'a');
  const bytes = Buffer.alloc(500, 'x');
  const samples: number[] = [];
  for (let i = 0; i < SYNCS; i += 1) {
    const begun = performance.now();
    fs.writeSync(fd, bytes);
    fs.fdatasyncSync(fd);
    samples.push(performance.now() - begun);
  }
  fs.closeSync(fd);
  fs.rmSync(file);
  const { p50, p99 } = summarise([samples]);
  return { p50, p99 };
}

/** Looks at the machine; `folder` is on the disk that the benchmarks use. */
export function describeMachine(folder: string): Machine {
  return {
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.cpus().length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
    kernel: `${os.type()} ${os.release()}`,
    fdatasyncMs: timeSync(folder),
  };
}

/** Processes that want a core, over the last one, five and fifteen minutes. */
export function loadAverage(): readonly number[] {
  return os.loadavg().map((load) => Math.round(load * 100) / 100);
}
