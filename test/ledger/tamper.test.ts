import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHAIN_START, sealLine } from '../../src/core/chain.ts';
import { StateError } from '../../src/core/errors.ts';
import type { Layout } from '../../src/core/layout.ts';
import { HASH_FIELD, verifyLog } from '../../src/ledger/verify.ts';
import {
  copySidecar,
  LOGS,
  newSidecar,
  openStore,
  quarantined,
  receiptDraft,
  temporaryFolder,
  traceDraft,
} from '../support/ledger.ts';

const LINES = 8;
let base: string;
let good: Layout;

beforeAll(() => {
  base = temporaryFolder('tamper');
  good = newSidecar(base, 'good');
  using store = openStore(good);
  for (let n = 0; n < LINES; n += 1)
    store.transact((tx) => {
      tx.receipt(receiptDraft(n, { note: `nöte "${n}" \ufffd`, target: 'src/a' }));
      tx.trace(traceDraft(n));
    });
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

type Log = (typeof LOGS)[number];

/** An edit of a log, and the first line that is bad after it; null when only the database can know. */
interface Edit {
  readonly bytes: Buffer;
  readonly badLine: number | null;
}

const NEWLINE = 10;

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from) + 1;
    lines.push(bytes.subarray(from, end));
    from = end;
  }
  return lines;
}

function lineAt(bytes: Buffer, offset: number): number {
  return bytes.subarray(0, offset).filter((byte) => byte === NEWLINE).length + 1;
}

const edits: Readonly<Record<string, (bytes: Buffer, a: number, b: number) => Edit | null>> = {
  'a byte changed': (bytes, a, b) => {
    const at = a % bytes.length;
    const value = b % 256;
    if (bytes[at] === value) return null;
    const edited = Buffer.from(bytes);
    edited[at] = value;
    return { bytes: edited, badLine: at === bytes.length - 1 ? null : lineAt(bytes, at) };
  },
  'a byte left out': (bytes, a) => {
    const at = a % bytes.length;
    const edited = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    return { bytes: edited, badLine: at === bytes.length - 1 ? null : lineAt(bytes, at) };
  },
  'a byte added': (bytes, a, b) => {
    const at = a % bytes.length;
    const byte = b % 256;
    const edited = Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)]);
    return { bytes: edited, badLine: lineAt(bytes, at) };
  },
  'a line deleted': (bytes, a) => {
    const lines = linesOf(bytes);
    const at = a % lines.length;
    return { bytes: Buffer.concat(lines.toSpliced(at, 1)), badLine: at === lines.length - 1 ? null : at + 1 };
  },
  'two lines swapped': (bytes, a, b) => {
    const lines = linesOf(bytes);
    const [one, two] = [a % lines.length, b % lines.length];
    if (one === two) return null;
    const swapped = lines.with(one, lines[two] as Buffer).with(two, lines[one] as Buffer);
    return { bytes: Buffer.concat(swapped), badLine: Math.min(one, two) + 1 };
  },
  'a line repeated': (bytes, a, b) => {
    const lines = linesOf(bytes);
    const from = a % lines.length;
    const to = from + 1 + (b % (lines.length - from));
    return { bytes: Buffer.concat(lines.toSpliced(to, 0, lines[from] as Buffer)), badLine: to + 1 };
  },
  'two lines glued': (bytes, a) => {
    const lines = linesOf(bytes);
    const at = a % (lines.length - 1);
    const glued = lines.with(at, (lines[at] as Buffer).subarray(0, -1));
    return { bytes: Buffer.concat(glued), badLine: at + 1 };
  },
  'a foreign line put in': (bytes, a, b) => {
    const lines = linesOf(bytes);
    const at = a % (lines.length + 1);
    const foreign = ['\n', '{}\n', 'x\n', '[]\n', `${'{"a":1}'.repeat(2)}\n`][b % 5] as string;
    return { bytes: Buffer.concat(lines.toSpliced(at, 0, Buffer.from(foreign))), badLine: at + 1 };
  },
  'the tail cut off': (bytes, a) => ({ bytes: bytes.subarray(0, a % bytes.length), badLine: null }),
  'the middle of a line cut out': (bytes, a, b) => {
    const at = a % (bytes.length - 2);
    const end = bytes.indexOf(NEWLINE, at);
    const size = Math.min(1 + (b % 40), end - at);
    if (size < 1) return null;
    return {
      bytes: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]),
      badLine: lineAt(bytes, at),
    };
  },
};

describe.each(LOGS)('%s', (log: Log) => {
  let original: Buffer;
  let work: Layout;
  beforeAll(() => {
    original = readFileSync(good[log]);
    work = copySidecar(good, base, `work-${log}`);
    openStore(work).transact(() => undefined);
  });

  test('as it was written verifies', () => {
    expect(verifyLog(good[log], log)).toMatchObject({
      lines: LINES,
      bad: null,
      torn: null,
      goodBytes: original.length,
    });
  });

  test.each(Object.entries(edits))('%s: found, at its line', (_what, edit) => {
    const file = `${base}/edited-${log}`;
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (a, b) => {
        const edited = edit(original, a, b);
        if (!edited || edited.bytes.equals(original)) return;
        writeFileSync(file, edited.bytes);
        const { bad } = verifyLog(file, log);
        expect(bad?.line ?? null).toBe(edited.badLine);
      }),
      { numRuns: 100 },
    );
  });

  test.each(Object.entries(edits))(
    '%s: the store refuses to go on and leaves the file alone',
    (_what, edit) => {
      fc.assert(
        fc.property(fc.nat(), fc.nat(), (a, b) => {
          const edited = edit(original, a, b);
          if (!edited || edited.bytes.equals(original)) return;
          writeFileSync(work[log], edited.bytes);
          using store = openStore(work);
          let thrown: unknown = null;
          try {
            store.transact((tx) => tx.receipt(receiptDraft(99)));
          } catch (error) {
            thrown = error;
          }
          expect(thrown).toBeInstanceOf(StateError);
          const { place } = thrown as StateError;
          expect(place.file).toBe(work[log]);
          if (edited.badLine !== null) expect(place.line).toBe(edited.badLine);
          expect(readFileSync(work[log]).equals(edited.bytes)).toBe(true);
          expect(quarantined(work)).toBe(false);
        }),
        { numRuns: 12 },
      );
      writeFileSync(work[log], original);
      openStore(work).transact(() => undefined);
    },
  );

  test('a history that is sealed anew is not the one that was acknowledged', () => {
    const field = HASH_FIELD[log];
    let head = CHAIN_START;
    const forged = linesOf(original).map((line) => {
      const { [field]: _hash, ...record } = JSON.parse(line.toString()) as Record<string, unknown>;
      if (record.seq === 3) record.intent_id = 'INT-666';
      const sealed = sealLine(
        { ...record, writer: String(record.writer), seq: head.seq + 1, previous_hash: head.hash },
        field,
      );
      head = { seq: head.seq + 1, hash: sealed.hash };
      return `${sealed.line}\n`;
    });
    writeFileSync(work[log], forged.join(''));
    expect(verifyLog(work[log], log).bad).toBeNull();
    expect(() => openStore(work).transact(() => undefined)).toThrow(
      'is not the record that was acknowledged',
    );
    writeFileSync(work[log], original);
    expect(() => openStore(work).transact(() => undefined)).not.toThrow();
  });

  test('the same bytes under another time of change are no tampering', () => {
    utimesSync(work[log], 1, 1);
    expect(() => openStore(work).transact(() => undefined)).not.toThrow();
  });

  test('a log that is gone is missing state', () => {
    const lost = copySidecar(good, base, `lost-${log}`);
    rmSync(lost[log]);
    expect(() => openStore(lost).transact(() => undefined)).toThrow(/is missing/);
  });

  test('bytes that decode alike are still a change', () => {
    // U+FFFD is EF BF BD; F0 BF BD is no UTF-8 and decodes to the same character.
    const at = original.indexOf(Buffer.from('\ufffd'));
    if (log === 'receipts') expect(at).toBeGreaterThan(0);
    if (at < 0) return;
    const edited = Buffer.from(original);
    edited[at] = 0xf0;
    expect(edited.toString('utf8')).toBe(original.toString('utf8'));
    writeFileSync(`${base}/alike`, edited);
    expect(verifyLog(`${base}/alike`, log).bad).toMatchObject({ line: 1, why: 'is not UTF-8' });
  });
});
