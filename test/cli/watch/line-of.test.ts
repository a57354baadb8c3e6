import { expect, test } from 'vitest';
import { jsonLine } from '../../../src/cli/watch/say-json.ts';
import { lineOf } from '../../../src/cli/watch/say-news.ts';

/** A record that a program forged, in a folder whose name it chose. */
const FORGED = {
  event: 'notice',
  at: '2026\u001b]0;title\u0007',
  workspace: '/w/a\u009b2Jb',
  message: 'x\u{e0041}',
} as const;

test('neither time nor workspace acts on the terminal', () => {
  expect(lineOf(FORGED)).toBe('2026\\u{1b}]0;title\\u{7}  a\\u{9b}2Jb  x\\u{e0041}');
});

test('the same as JSON is the same JSON', () => {
  const line = jsonLine(FORGED);
  expect(line).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(line)).toEqual(FORGED);
});
