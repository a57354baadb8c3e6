import { createHash, hash } from 'node:crypto';
import fs from 'node:fs';
import { type LogName, verifyLog } from '../src/ledger/verify.ts';
import type { Bench } from './lib/context.ts';
import { CpuMeter } from './lib/cpu.ts';
import { ledgerOf, longest } from './lib/ledger.ts';
import { type Row, timingRow } from './lib/rows.ts';
import { interleave } from './lib/timing.ts';

const SECONDS_PER_MILLION = 5;
const CHUNK = 1 << 20;

/** The file's bytes through SHA-256 in one go. */
function hashWhole(file: string): void {
  const fd = fs.openSync(file, 'r');
  const buffer = Buffer.allocUnsafe(CHUNK);
  const sum = createHash('sha256');
  for (let count = 1; count > 0; ) {
    count = fs.readSync(fd, buffer, 0, CHUNK, null);
    sum.update(buffer.subarray(0, count));
  }
  sum.digest();
  fs.closeSync(fd);
}

/** As many digests as the file has lines, each of a line's length: the least that checking every line takes. */
function hashLines(lines: number, bytes: Buffer): void {
  for (let at = 0; at < lines; at += 1) hash('sha256', bytes, 'buffer');
}

/** Replays both logs as `pactclaw verify` and every rebuild do. */
export const run: Bench = async (context) => {
  const { workspace } = ledgerOf(context, longest(context));
  const rows: Row[] = [];
  for (const name of ['receipts', 'trace'] satisfies LogName[]) {
    const file = workspace.layout[name];
    const size = fs.statSync(file).size;
    let lines = 0;
    const meter = new CpuMeter();
    const replay = {
      run: meter.own(() => verifyLog(file, name)),
      after: (found: unknown) => {
        const check = found as ReturnType<typeof verifyLog>;
        if (check.bad || check.torn)
          throw new Error(`a good log was found bad: ${JSON.stringify(check.bad)}`);
        lines = check.lines;
      },
    };
    replay.after(replay.run());
    const oneLine = Buffer.alloc(Math.round(size / lines), 'x');
    context.say(`replaying ${lines.toLocaleString('en-US')} lines of the ${name} log`);
    const samples = await interleave(
      {
        replay,
        whole: { run: () => hashWhole(file) },
        lines: { run: () => hashLines(lines, oneLine) },
      },
      { rounds: context.quick ? 5 : 3, times: context.quick ? 5 : 1, warmup: 0 },
    );
    const scale = lines / 1e6;
    // Of processor time, because the target is for a core and this core may have others to serve.
    const perMillion = meter.mean / 1_000 / scale;
    rows.push(
      timingRow(`${name}: SHA-256 of the whole file`, samples.whole, 's', undefined, (row) => ({
        note: `${Math.round(size / 1e6 / row.p50)} MB/s; ${Math.round(size / lines)} bytes a line`,
      })),
      timingRow(`${name}: one SHA-256 a line`, samples.lines, 's'),
      timingRow(
        `${name}: verifyLog`,
        samples.replay,
        's',
        { name: 'one SHA-256 a line', samples: samples.lines },
        (row) => ({
          target: {
            text: `≤ ${SECONDS_PER_MILLION} s of a core per 10^6`,
            met: perMillion <= SECONDS_PER_MILLION,
          },
          note: `${Math.round(lines / row.p50).toLocaleString('en-US')} records/s; ${perMillion.toFixed(2)} s of a core per 10^6`,
        }),
      ),
    );
  }
  return rows;
};
