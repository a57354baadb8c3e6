import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedBlocks, MAX_FINGERPRINTED_LINES, MAX_RANGES } from '../../src/core/blocks.ts';
import { sha256 } from '../../src/core/digest.ts';
import { CARRIED, fingerprintLine, splitLines, unpackFingerprints } from '../../src/core/fingerprint.ts';
import { effortOf } from '../support/effort.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const spansOf = (before: string | null, after: string): number[][] =>
  changedBlocks(before === null ? null : bytes(before), bytes(after)).ranges.map((r) => [
    r.start_line,
    r.end_line,
  ]);

describe('changedBlocks (H-73)', () => {
  it.each([
    ['created', null, 'a\nb\n', [[1, 2]]],
    ['created empty', null, '', []],
    ['unchanged', 'a\nb\n', 'a\nb\n', []],
    ['emptied', 'a\n', '', []],
    ['line in the middle', 'a\nb\nc\n', 'a\nx\nc\n', [[2, 2]]],
    ['inserted twice', 'a\nb\nc\n', 'x\na\nb\ny\nz\nc\n', [[1, 1], [4, 5]]], // biome-ignore format: one row a case
    ['only deleted', 'a\nb\nc\n', 'a\nc\n', []],
    ['final newline added', 'a\nb', 'a\nb\n', [[2, 2]]],
    ['final newline removed', 'a\nb\n', 'a\nb', [[2, 2]]],
    ['line ends changed', 'a\r\nb\r\n', 'a\nb\n', [[1, 2]]],
    ['duplicate lines', 'a\na\na\n', 'a\na\na\na\n', [[4, 4]]],
    ['lone CR ends no line', null, 'a\rb\n', [[1, 1]]],
    ['binary before', 'a\0b', 'a\nb\n', [[1, 2]]],
  ] as const)('%s', (_, before, after, expected) => {
    expect(spansOf(before, after)).toEqual(expected);
  });

  it('gives a binary file no ranges', () => {
    expect(changedBlocks(null, bytes('a\0b\n'))).toEqual({ ranges: [], binary: true });
  });

  it('marks lines that were moved or re-indented, and only them', () => {
    const before = 'function first() {\n  return computeTotal(1);\n}\nconst kept = true;\n';
    const after =
      'const kept = true;\nconst fresh = 1;\nfunction first() {\n      return computeTotal(1);\n}\n';
    const marks = changedBlocks(bytes(before), bytes(after)).ranges.flatMap((range) =>
      unpackFingerprints(range.lines).map((print, i) => [range.start_line + i, print % 2]),
    );
    expect(marks).toContainEqual([2, 0]);
    expect(marks).toContainEqual([4, CARRIED]);
  });

  it('prints what `sed | sha256sum` prints', () => {
    const dir = mkdtempSync(join(tmpdir(), 'blocks-'));
    const cases: [Uint8Array | null, Uint8Array][] = [
      [null, bytes('one\ntwo')],
      [bytes('a\r\nb\r\nc\r\n'), bytes('a\r\nB\r\nc\r\nd')],
      [bytes('x\n'), Uint8Array.from([0x78, 10, 0xff, 0xfe, 0xa0, 10, 0xe9, 10, 0x85])],
      [bytes('ä\nö\nü\n'), bytes('ä\nneu ß\nü\n')],
    ];
    for (const [before, after] of cases) {
      const file = join(dir, 'f');
      writeFileSync(file, after);
      const { ranges } = changedBlocks(before, after);
      expect(ranges.length).toBeGreaterThan(0);
      for (const { start_line, end_line, content_hash } of ranges) {
        const out = execFileSync('sh', ['-c', `sed -n '${start_line},${end_line}p' "$0" | sha256sum`, file]);
        expect(out.toString().slice(0, 64)).toBe(content_hash);
      }
    }
    rmSync(dir, { recursive: true });
  });

  it('property: what is outside the ranges stood in the file before, in order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '}', '', 'long line of text'), { maxLength: 40 });
    fc.assert(
      fc.property(text, text, fc.boolean(), (old, now, newline) => {
        const after = now.join('\n') + (newline ? '\n' : '');
        const lines = splitLines(bytes(after));
        const { ranges } = changedBlocks(bytes(old.join('\n')), bytes(after));
        let last = 0;
        const kept: string[] = [];
        for (const { start_line, end_line, content_hash, lines: packed } of ranges) {
          expect(start_line).toBeGreaterThan(last);
          const block = lines.slice(start_line - 1, end_line);
          expect(content_hash).toBe(sha256(block.join('')));
          expect(unpackFingerprints(packed).map((p) => p - (p % 2))).toEqual(block.map(fingerprintLine));
          kept.push(...lines.slice(last, start_line - 1));
          last = end_line;
        }
        kept.push(...lines.slice(last));
        const source = splitLines(bytes(old.join('\n')));
        let at = 0;
        for (const line of kept) {
          while (at < source.length && source[at] !== line) at++;
          expect(at++).toBeLessThan(source.length);
        }
      }),
    );
  });

  it('bounds its work and its answer on hostile files', () => {
    const before = Array.from({ length: 60_000 }, (_, i) => `line number ${i}\n`);
    const everySecond = before.map((line, i) => (i % 2 ? line : `x${line}`));
    const bits = (n: number): string =>
      Array.from({ length: n }, (_, i) => (Math.imul(i, i * 7 + n) & 64 ? 'a\n' : 'b\n')).join('');
    const { ranges } = changedBlocks(bytes(before.join('')), bytes(everySecond.join('')));
    expect(ranges.length).toBeLessThanOrEqual(MAX_RANGES);
    expect(ranges.flatMap((r) => unpackFingerprints(r.lines)).length).toBeLessThanOrEqual(
      MAX_FINGERPRINTED_LINES,
    );
    const [one, other] = [bytes(bits(100_000)), bytes(bits(100_001))];
    expect(effortOf(() => changedBlocks(one, other))).toBeLessThan(15);
  });
});
