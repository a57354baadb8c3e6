import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ago, bar, cut, short, widthOf, wrap } from '../../../src/cli/watch/text.ts';

describe('columns of a terminal', () => {
  test.each([
    ['', 0],
    ['plain', 5],
    ['é', 1],
    ['e\u0301', 1],
    ['漢字', 4],
    ['ﾊﾝ', 2],
    ['ＡＢ', 4],
    ['한글', 4],
    ['👍', 2],
    ['█░', 2],
    ['→…', 2],
  ])('%j takes %i', (text, width) => expect(widthOf(text)).toBe(width));

  test('a cut text is never wider than asked, and is whole when it goes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(30), (text, width) => {
        const shown = cut(text, width);
        expect(widthOf(shown)).toBeLessThanOrEqual(width);
        if (!/\p{M}{5}/u.test(text) && widthOf(text) <= width) expect(shown).toBe(text);
      }),
    );
  });

  test('a wide character is not cut in two', () => {
    expect(cut('漢字漢字', 5)).toBe('漢字…');
    expect(cut('漢字漢字', 4)).toBe('漢…');
    expect(cut('ab', 1)).toBe('…');
    expect(cut('ab', 0)).toBe('');
  });

  test('no letter carries a tower of marks', () => {
    expect(cut(`a${'\u0301'.repeat(500)}b`, 10).length).toBeLessThan(10);
  });
});

describe('wrap', () => {
  test('breaks between words; the last line takes what is left and is cut', () => {
    expect(wrap('one two three four', 9, 2)).toEqual(['one two', 'three fo…']);
    expect(wrap('one two', 9, 3)).toEqual(['one two']);
    expect(wrap('unbreakable', 5, 2)).toEqual(['unbr…']);
  });

  test('keeps to its bounds', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 80 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 4 }),
        (text, width, max) => {
          const lines = wrap(text, width, max);
          expect(lines.length).toBeLessThanOrEqual(max);
          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

test.each([
  [0, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [3_599_999, '59m'],
  [7_200_000, '2h'],
  [90_000_000, '1d'],
  [-5, '0s'],
])('%i ms ago is %s', (ms, text) => expect(ago(ms)).toBe(text));

test.each([
  [950, '950'],
  [9_999, '9999'],
  [12_345, '12k'],
  [999_999, '999k'],
  [1_450_000, '1.4M'],
  [42_000_000, '42M'],
])('%i in short is %s', (count, text) => expect(short(count)).toBe(text));

test('a bar is full at its limit and not before', () => {
  expect(bar(0, 40, 8)).toBe('░░░░░░░░');
  expect(bar(39, 40, 8)).toBe('███████░');
  expect(bar(40, 40, 8)).toBe('████████');
  expect(bar(99, 40, 8)).toBe('████████');
  expect(bar(0, 0, 4)).toBe('████');
});
