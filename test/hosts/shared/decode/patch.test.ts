import { describe, expect, test } from 'vitest';
import { PactError } from '../../../../src/core/errors.ts';
import { patch, patchTargets } from '../../../../src/hosts/shared/decode/patch.ts';

const of = (...lines: string[]) =>
  patchTargets('h', ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'));

describe('the files of a patch', () => {
  test('every header is a target', () => {
    expect(
      of('*** Add File: a b.ts', '+x', '*** Delete File: c', '*** Update File: /w/d', '@@', '-x'),
    ).toEqual([
      { path: 'a b.ts', role: 'write' },
      { path: 'c', role: 'delete' },
      { path: '/w/d', role: 'write' },
    ]);
  });

  test('a move leaves one place and takes another', () => {
    expect(of('*** Update File: a', '*** Move to: ../b', '@@')).toEqual([
      { path: 'a', role: 'move-from' },
      { path: '../b', role: 'move-to' },
    ]);
  });

  test.each([['  *** Delete File: a'], ['\t*** Delete File:a'], ['*** Delete File:  a \r']])(
    '%j counts too',
    (line) => {
      expect(of(line)).toEqual([{ path: 'a', role: 'delete' }]);
    },
  );

  test.each(['\r', '\u2028', '\u2029'])('%j ends no path, so that nothing behind it is missed', (mark) => {
    expect(() => of(`*** Add File: src/ok${mark}/../../evil`, '+x')).toThrow(PactError);
  });

  test.each([[[]], [['+*** Add File: a']], [['*** Add File:']], [['*** Rename File: a']]])(
    '%j cannot be read',
    (lines) => {
      expect(() => of(...lines)).toThrow(PactError);
    },
  );
});

test.each([[{}], [{ patch: 7 }], [{ patch: '*** Add File: a', input: '*** Add File: b' }]])(
  'arguments %j are refused',
  (args) => {
    expect(() => patch('h', ['patch', 'input']).targets?.(args as never)).toThrow(PactError);
  },
);
