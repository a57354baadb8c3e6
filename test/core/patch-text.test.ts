import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPatch } from '../../src/core/patch-text.ts';

const of = (...lines: string[]) => readPatch(['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n'));

describe('what a patch names', () => {
  test('files that are added, changed, deleted and moved', () => {
    expect(
      of(
        '*** Add File: a b.txt',
        '+*** Delete File: not-a-header',
        '*** Update File: c.txt',
        '*** Move to: ../d.txt',
        '@@ context',
        ' kept',
        '-gone',
        '+come',
        '*** End of File',
        '*** Delete File: e.txt',
      ),
    ).toEqual([
      { path: 'a b.txt', role: 'write' },
      { path: 'c.txt', role: 'move-from' },
      { path: '../d.txt', role: 'move-to' },
      { path: 'e.txt', role: 'delete' },
    ]);
  });

  test('an indented header counts, as the hosts read it so', () => {
    expect(of('*** Add File: a', '+x', '  *** Delete File: b')).toContainEqual({ path: 'b', role: 'delete' });
  });

  test('line ends of either kind', () => {
    expect(readPatch('*** Begin Patch\r\n*** Delete File: a\r\n*** End Patch\r\n')).toEqual([
      { path: 'a', role: 'delete' },
    ]);
  });
});

test.each([
  ['nothing', ''],
  ['no beginning', '*** Delete File: a\n*** End Patch'],
  ['no end', '*** Begin Patch\n*** Delete File: a'],
  ['no file', '*** Begin Patch\n*** End Patch'],
  ['a header of no known kind', '*** Begin Patch\n*** Delete File: a\n*** Rename File: b\n*** End Patch'],
  ['another environment', '*** Begin Patch\n*** Environment ID: x\n*** Delete File: a\n*** End Patch'],
  ['a header without a path', '*** Begin Patch\n*** Delete File: \n*** End Patch'],
  ['a move of nothing', '*** Begin Patch\n*** Move to: a\n*** End Patch'],
  ['a move of a deleted file', '*** Begin Patch\n*** Delete File: a\n*** Move to: b\n*** End Patch'],
  ['something after the end', '*** Begin Patch\n*** Delete File: a\n*** End Patch\nmore'],
])('%s is not read', (_what, text) => {
  expect(readPatch(text)).toBeNull();
});

test('no line of content hides a header', () => {
  const content = fc.array(fc.stringMatching(/^[+\- @][ -~]{0,20}$/), { maxLength: 6 });
  fc.assert(
    fc.property(content, content, (before, after) => {
      const found = of('*** Update File: a', ...before, '*** Delete File: secret', ...after);
      expect(found === null || found.some(({ path }) => path === 'secret')).toBe(true);
    }),
  );
});
