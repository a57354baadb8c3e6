import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compileScope } from '../../src/core/breadth.ts';
import { covers } from '../../src/core/scope.ts';
import { countScopeFiles } from '../../src/orchestration/scope-count.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(`${tmpdir()}/pactclaw-count-`);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(`${root}/${path}`), { recursive: true });
    writeFileSync(`${root}/${path}`, '');
  }
}

function count(globs: string[], limit = 20) {
  const scope = compileScope(globs);
  expect(scope.fault).toBeNull();
  return countScopeFiles(root, scope, limit);
}

test('counts what is there, at every depth that the glob reaches', () => {
  put('src/a/1.ts', 'src/a/b/2.ts', 'src/a/b/c/3.ts', 'src/other/4.ts', 'src/top.ts');
  expect(count(['src/a/**'])).toEqual({ count: 3, stoppedAt: null });
  expect(count(['src/a/*'])).toEqual({ count: 1, stoppedAt: null });
  expect(count(['src/*/*.ts'])).toEqual({ count: 2, stoppedAt: null });
  expect(count(['src/{a,other}/**'])).toEqual({ count: 4, stoppedAt: null });
  expect(count(['src/a/**', '!src/a/b/**'])).toEqual({ count: 1, stoppedAt: null });
  expect(count(['src/top.ts', './src/a/1.ts', 'src/none.ts'])).toEqual({ count: 2, stoppedAt: null });
  expect(count(['src/a/**', 'src/a/b/*.ts', 'src/a/1.ts'])).toEqual({ count: 3, stoppedAt: null });
  expect(count(['nowhere/at/**'])).toEqual({ count: 0, stoppedAt: null });
  expect(count(['src/a'])).toEqual({ count: 0, stoppedAt: null });
});

test('twenty are counted, the twenty-first stops it', () => {
  put(...Array.from({ length: 20 }, (_, index) => `src/a/${index}.ts`));
  expect(count(['src/a/**'])).toEqual({ count: 20, stoppedAt: null });
  put('src/a/more.ts', 'src/a/and-more.ts');
  expect(count(['src/a/**'])).toEqual({ count: 21, stoppedAt: 'limit' });
});

test('generated and governed folders are left out', () => {
  put('src/a/node_modules/x/1.js', 'src/a/.git/config', 'src/a/.orchestration/x', 'src/a/1.ts');
  put('node_modules/x/y.js');
  expect(count(['src/a/**', 'node_modules/x/y.js'])).toEqual({ count: 1, stoppedAt: null });
});

test('a link to a file counts, a link to a folder is not followed', () => {
  put('big/1', 'big/2', 'src/a/1.ts');
  symlinkSync(`${root}/big`, `${root}/src/a/link`);
  symlinkSync(`${root}/big/1`, `${root}/src/a/file-link`);
  symlinkSync(`${root}/gone`, `${root}/src/a/dangling`);
  symlinkSync('loop', `${root}/src/a/loop`);
  symlinkSync(`${root}/src/a`, `${root}/src/alias`);
  expect(count(['src/a/**'])).toEqual({ count: 4, stoppedAt: null });
  expect(count(['src/alias/**', 'src/alias/1.ts'])).toEqual({ count: 0, stoppedAt: null });
});

test('a repository of any size costs what the scope costs; a huge folder is given up on', () => {
  put('src/a/1.ts', 'src/huge/keep.ts');
  for (let index = 0; index < 20_100; index += 1) writeFileSync(`${root}/src/huge/${index}.o`, '');
  expect(count(['src/a/**', 'src/*.ts'])).toEqual({ count: 1, stoppedAt: null });
  expect(count(['src/huge/keep.ts'])).toEqual({ count: 1, stoppedAt: null });
  expect(count(['src/huge/*.ts'])).toEqual({ count: null, stoppedAt: 'too many entries' });
  expect(count(['src/{huge,a}/keep.ts'])).toEqual({ count: 1, stoppedAt: null });
});

test('equals asking the scope about every file', () => {
  const files = [
    'a/x',
    'a/b/x.ts',
    'a/b/y.js',
    'a/b/c/x.ts',
    'd/b/x.ts',
    'd/e.f/x1.ts',
    'top.ts',
    'a/b/.hid',
    'q/x.ts',
  ];
  put(...files);
  const globs = [
    'a/b/**',
    'a/*',
    'a/*/x.ts',
    '{a,d}/b/*',
    'd/e.f/x?.ts',
    'd/e.f/x[0-9].ts',
    'top.ts',
    'a/+(b)/*.ts',
  ];
  const more = [
    '!a/b/c/**',
    '{a/b,d}/{x,e.f/x{1,2}}.ts',
    'a/b/x.{ts,js}',
    'q/x.@(ts|js)',
    'a/b/!(x).js',
    "a/b/'x'.ts",
    'a/./x',
  ];
  fc.assert(
    fc.property(fc.subarray([...globs, ...more], { minLength: 1 }), (chosen) => {
      const scope = compileScope(chosen);
      fc.pre(scope.fault === null);
      const expected = files.filter((file) => covers(scope, file)).length;
      expect(countScopeFiles(root, scope, 20)).toEqual({ count: expected, stoppedAt: null });
    }),
  );
});
