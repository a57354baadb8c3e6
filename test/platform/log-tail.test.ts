import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LogTail } from '../../src/platform/log-tail.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pactclaw-tail-'));
  file = path.join(folder, 'log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tailOf = (start = 1 << 10, max = 1 << 20) => new LogTail(file, start, max);

describe('following a log', () => {
  test('what was there, then what came', () => {
    writeFileSync(file, 'a\nb\n');
    const tail = tailOf();
    expect(tail.read()).toEqual({ lines: ['a', 'b'], restarted: false, more: false });
    expect(tail.read().lines).toEqual([]);
    appendFileSync(file, 'ä\n\nc\n');
    expect(tail.read()).toEqual({ lines: ['ä', '', 'c'], restarted: false, more: false });
  });

  test('begins near the end of a long one, at the start of a line', () => {
    writeFileSync(file, Array.from({ length: 1_000 }, (_, at) => `line-${at}\n`).join(''));
    expect(tailOf(25).read().lines).toEqual(['line-998', 'line-999']);
  });

  test('a missing file has no lines; one that appears is read', () => {
    const tail = tailOf();
    expect(tail.read().lines).toEqual([]);
    writeFileSync(file, 'a\n');
    expect(tail.read()).toMatchObject({ lines: ['a'], restarted: false });
    rmSync(file);
    expect(tail.read().lines).toEqual([]);
    writeFileSync(file, 'b\n');
    expect(tail.read()).toMatchObject({ lines: ['b'], restarted: true });
  });

  test('an append under way is read when it is whole', () => {
    writeFileSync(file, 'a\nhal');
    const tail = tailOf();
    expect(tail.read().lines).toEqual(['a']);
    expect(tail.read().lines).toEqual([]);
    appendFileSync(file, 'f\n');
    expect(tail.read().lines).toEqual(['half']);
  });

  test('an append that never finished is cut off and another one written there', () => {
    writeFileSync(file, 'a\n{"torn":');
    const tail = tailOf();
    tail.read();
    truncateSync(file, 2);
    appendFileSync(file, '{"whole":true}\n');
    expect(tail.read()).toMatchObject({ lines: ['{"whole":true}'], restarted: false });
  });

  test('a log that was cut, or rewritten in its place, is begun anew', () => {
    writeFileSync(file, 'a\nb\nc\n');
    const tail = tailOf();
    tail.read();
    truncateSync(file, 2);
    expect(tail.read()).toEqual({ lines: ['a'], restarted: true, more: false });
    writeFileSync(file, 'x\ny\nz\n');
    expect(tail.read()).toEqual({ lines: ['x', 'y', 'z'], restarted: true, more: false });
  });

  test('reads a bounded part at once and says that there is more', () => {
    writeFileSync(file, '');
    const tail = tailOf(10, 8);
    tail.read();
    appendFileSync(file, 'aaa\nbbb\nccc\n');
    expect(tail.read()).toEqual({ lines: ['aaa', 'bbb'], restarted: false, more: true });
    expect(tail.read()).toEqual({ lines: ['ccc'], restarted: false, more: false });
  });

  test('a line without end is passed over', () => {
    writeFileSync(file, '');
    const tail = tailOf(10, 8);
    tail.read();
    appendFileSync(file, `${'x'.repeat(20)}\nnext\n`);
    const lines: string[] = [];
    for (let more = true; more; ) {
      const gained = tail.read();
      lines.push(...gained.lines);
      more = gained.more;
    }
    expect(lines.at(-1)).toBe('next');
  });

  test('something else than a file at its name is an error', () => {
    mkdirSync(file);
    expect(() => tailOf().read()).toThrow('not a regular file');
  });

  test('any portions give the same lines as the whole', () => {
    const portion = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '\n'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(portion, { maxLength: 12 }), (portions) => {
        writeFileSync(file, '');
        const tail = tailOf(1 << 10, 64);
        const lines: string[] = [...tail.read().lines];
        for (const text of portions) {
          appendFileSync(file, text);
          lines.push(...tail.read().lines);
        }
        expect(lines).toEqual(portions.join('').split('\n').slice(0, -1));
      }),
      { numRuns: 60 },
    );
  });
});
