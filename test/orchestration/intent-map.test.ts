import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { layoutOf } from '../../src/core/layout.ts';
import { type MapRow, renderMap, spliceMap, writeMap } from '../../src/orchestration/intent-map.ts';

const ROW: MapRow = {
  path: 'src/a.ts',
  intentId: 'INT-001',
  intentName: 'Parser',
  locked: true,
  contentHash: 'ab'.repeat(32),
  changedAt: '2026-11-21T10:00:00.000Z',
  earlier: ['INT-000'],
};

/** Names made of what could break a table. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '|',
        '\\',
        '`',
        '\n',
        '\r',
        '\u2028',
        '\u202e',
        '<!--',
        '-->',
        '](',
        '&#124;',
        ' | ',
        '😀',
        '｡',
      ),
      fc.constantFrom('src/', 'a', 'b', 'Z', '_', ' ', 'u{a}', '\\n', '\ud800'),
      fc.string({ maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));

const anyRow: fc.Arbitrary<MapRow> = fc.record({
  path: fc.oneof(fc.constantFrom('a', 'b', 'a|b', 'ab', 'a\\', 'src/a.ts'), nasty),
  intentId: fc.constantFrom('INT-001', 'INT-002'),
  intentName: nasty,
  locked: fc.boolean(),
  contentHash: fc.constantFrom('', 'ab'.repeat(32)),
  changedAt: fc.constant('2026-11-21T10:00:00.000Z'),
  earlier: fc.array(fc.constantFrom('INT-003', 'INT-004'), { maxLength: 2 }),
});

function lines(text: string): string[] {
  return text.split('\n').slice(6, -1);
}

describe('renderMap', () => {
  test('one row, as the spec has it', () => {
    const text = renderMap([ROW]);
    expect(text).toContain(
      '| File | Intent | Name | Lock | Content hash | Last change | Earlier intents |\n',
    );
    expect(lines(text)).toEqual([
      `| src/a.ts | INT-001 | Parser | LOCKED | ${'ab'.repeat(32)} | 2026-11-21T10:00:00.000Z | INT-000 |`,
    ]);
  });

  test('a deleted file keeps its row; a free one has an empty lock', () => {
    const [line] = lines(renderMap([{ ...ROW, contentHash: '', locked: false, earlier: [] }]));
    expect(line).toBe('| src/a.ts | INT-001 | Parser |  | deleted | 2026-11-21T10:00:00.000Z |  |');
  });

  test('sorted by code unit, not by locale', () => {
    const text = renderMap(['b', 'a', 'B', 'ä', 'a/b', 'a.b'].map((path) => ({ ...ROW, path })));
    expect(lines(text).map((line) => line.split(' ')[1])).toEqual(['B', 'a', 'a.b', 'a/b', 'b', 'ä']);
  });

  test('ordinary names stay readable', () => {
    const path = 'app/[id]/my_file-name (copy) & more.test.ts';
    expect(renderMap([{ ...ROW, path }])).toContain(`| ${path} | INT-001 |`);
  });

  test('no name can forge or hide a row', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 8 }), (rows) => {
        const text = renderMap(rows);
        const distinct = new Set(rows.map((row) => row.path.toWellFormed())).size;
        expect(lines(text)).toHaveLength(distinct);
        for (const line of lines(text)) {
          expect(line.replace(/\\[\s\S]/g, '').split('|')).toHaveLength(9);
          expect(line).not.toMatch(/(?<!\\)(?:\\\\)*<|[\u0000-\u001f\u2028\u2029\u202e]/);
        }
      }),
    );
  });
});

describe('spliceMap', () => {
  test('splicing any sequence of rows is rendering all of them', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 12 }), (rows) => {
        const spliced = rows.reduce(spliceMap, Buffer.from(renderMap([])));
        expect(spliced.toString()).toBe(renderMap(rows));
      }),
      { numRuns: 500 },
    );
  });
});

describe('writeMap', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(`${tmpdir()}/pactclaw-map-`);
    mkdirSync(`${root}/.orchestration`);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  test('splices where it can, renders anew where it must, leaves nothing behind', () => {
    const layout = layoutOf(root);
    const other = { ...ROW, path: 'src/b.ts' };
    let asked = 0;
    const all = () => {
      asked += 1;
      return [ROW, other];
    };
    const text = () => readFileSync(layout.map, 'utf8');
    const first = writeMap(layout, null, all, [ROW]);
    expect(asked).toBe(1);
    expect(text()).toBe(renderMap([ROW, other]));
    const second = writeMap(layout, first, all, [{ ...ROW, locked: false }]);
    expect(asked).toBe(1);
    expect(text()).toBe(renderMap([{ ...ROW, locked: false }, other]));
    expect(writeMap(layout, second, all, [other])).toBe(second);
    for (const touch of [() => writeFileSync(layout.map, 'scribble'), () => rmSync(layout.map)]) {
      const before = asked;
      const mark = writeMap(layout, null, all, [ROW]);
      touch();
      writeMap(layout, mark, all, [ROW]);
      expect(asked).toBe(before + 2);
      expect(text()).toBe(renderMap([ROW, other]));
    }
    expect(readdirSync(layout.sidecar)).toEqual(['intent_map.md']);
  });
});
