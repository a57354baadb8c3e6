import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellLine, shellWords } from '../../src/hosts/shared/install/shell-line.ts';

const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\0'));

test('a line that is built is read back word for word', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
      expect(shellWords(shellLine(words))).toEqual(words);
    }),
  );
});

test('a shell reads a built line the same way', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
      const printed = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${shellLine(words)}`], {
        encoding: 'utf8',
      });
      expect(printed.split('\0').slice(0, -1)).toEqual(words);
    }),
    { numRuns: 50 },
  );
});

test.each([
  'a | b',
  'a && b',
  'a; b',
  'a $(b)',
  'a $HOME',
  'a `b`',
  'a > b',
  'a ~/b',
  'a *.c',
  'a "b',
  "a 'b",
  'a "$b"',
  'a # b',
])('a line that a shell would do more with is not read: %s', (line) => {
  expect(shellWords(line)).toBeNull();
});

test.each([
  [`a "b c" 'd e'`, ['a', 'b c', 'd e']],
  [String.raw`a\ b "c\"d"`, ['a b', 'c"d']],
  ['', []],
  [`''`, ['']],
])('%s', (line, words) => {
  expect(shellWords(line)).toEqual(words);
});
