import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileScope, faultOf } from '../../src/core/breadth.ts';
import { covers } from '../../src/core/scope.ts';
import { effortOf } from '../support/effort.ts';
import { runs } from '../support/runs.ts';

const WILD = 'has a wildcard and no fixed leading folder';
const DEEP = 'has `**` under fewer than two fixed leading folders';
const ODD_RANGE = 'has braces with `..` that are no range of numbers or letters';
const REACHES = 'has a group or class that reaches any depth under fewer than two fixed leading folders';

describe('broad globs (H-51, H-53, H-54)', () => {
  test.each([
    ['*', WILD],
    ['src/**/*', DEEP],
    ['**/*.ts', WILD],
    ['**', WILD],
    ['src/**', DEEP],
    ['*.ts', WILD],
    ['?', WILD],
    ['[a-z]*', WILD],
    ['{a,b}/**', DEEP],
    ['{src,lib}/*/**', DEEP],
    ['{**,src/a/x}', WILD],
    ['./**', WILD],
    ['././**', WILD],
    ['./src/**', DEEP],
    ['src/./**', DEEP],
    ['src//**', DEEP],
    ['*/a/b/**', WILD],
    ['src/*/a/**', DEEP],
    ['src/{a,**}/x', DEEP],
    ['src/{a,*}/**', DEEP],
    ['src/**.ts', DEEP],
    ['src/a**', DEEP],
    ['@(src|lib)/a/b', WILD],
    ['!(src)', WILD],
    ['src/+(*/)*', REACHES],
    ['src/*(*/)*.ts', REACHES],
    ['src/!(x/y)', REACHES],
    ['src/+([.-z])', REACHES],
    ['src/[[:ascii:]]x', REACHES],
    ['src/a/x|**', 'has `|` outside a group; use `{a,b}`'],
    ['src/x|*', 'has `|` outside a group; use `{a,b}`'],
    ['src/a/(x]|**', 'has `|` outside a group; use `{a,b}`'],
    ['src/a/[(]|**[)]', 'has `|` outside a group; use `{a,b}`'],
    ['src/a/([.-z])+', 'has `+` as a repetition; use `*`'],
    ['src/a/(a+)+b', 'has `+` as a repetition; use `*`'],
    ['', 'is empty'],
    ['.', 'is empty'],
    ['/etc/passwd', 'is not relative to the workspace'],
    ['C:/x/y', 'is not relative to the workspace'],
    ['~/x', 'is not relative to the workspace'],
    ['src/../x/y', 'leaves its folder with `..`'],
    ['..', 'leaves its folder with `..`'],
    ['src/a/{x,../../y}', 'leaves its folder with `..`'],
    ['.orchestration/x', 'names .orchestration, which no agent may change'],
    ['src/.Orchestration/a/**', 'names .orchestration, which no agent may change'],
    ['{src/a,.orchestration}/x', 'names .orchestration, which no agent may change'],
    ['src\\a', 'holds a backslash; use `/`'],
    ['src/a\0', 'holds a control character'],
    ['src/a\nb', 'holds a control character'],
    ['!!src/a/**', 'begins with more than one `!`'],
    [`src/${'a'.repeat(1024)}`, 'is longer than 1024 characters'],
    ['src/{/1..3}+', ODD_RANGE],
    ['src/{/..9}', ODD_RANGE],
    ['src/a/{a,{-..9}}', ODD_RANGE],
    ['src/a/{1..9999}', 'expands to more than 256 globs'],
    [`src/a/${'{a,b}'.repeat(9)}`, 'expands to more than 256 globs'],
    [`src/a/${'*a'.repeat(4)}`, 'has more than 3 stars in one name'],
    ['src/a/**/*/*/*/*/*/*', 'has more than 6 stars'],
  ])('%j is refused', (glob, why) => {
    expect(faultOf(['src/a/good', glob])).toEqual({
      glob: glob.length > 1024 ? `${glob.slice(0, 64)}…` : glob,
      why,
    });
    expect(compileScope([glob]).globs).toEqual([]);
  });

  test.each([
    'src/components/**',
    'src/a/b/**/*.ts',
    'src/*.ts',
    'src/*',
    'src/[ab]*.ts',
    'src/@(a|b).ts',
    'README.md',
    './README.md',
    '.github/workflows/*.yml',
    '{src/a,src/b}/**',
    'src/{a,b}/**/*.{ts,tsx}',
    'src/app/[id]/page.tsx',
    'src/app/(group)/page.tsx',
    'src/routes/[id]/+page.svelte',
    'src/c++/main.cc',
    'src/a/x!.ts',
    'src/a/page{1..20}.ts',
    'src/orchestration/*.ts',
  ])('%s is narrow enough', (glob) => {
    expect(faultOf([glob])).toBeNull();
    expect(compileScope([glob]).globs).toHaveLength(1);
  });

  test('one broad glob spoils a scope, an exclusion does not', () => {
    expect(faultOf(['src/a/x', '*'])?.glob).toBe('*');
    expect(faultOf(['src/a/**', '!**/*.gen.ts'])).toBeNull();
  });

  test.each([
    [[], 'owned_scope is empty'],
    [['!src/a/**'], 'owned_scope only excludes'],
  ])('%j has nothing to own', (globs, why) => {
    expect(faultOf(globs)?.why).toBe(why);
  });

  test('a hostile pattern costs nothing', () => {
    for (const glob of [
      '{a,b}'.repeat(200),
      '{'.repeat(1000),
      `src/a/${'{1..99}'.repeat(100)}`,
      `src/a/${'*('.repeat(200)}`,
      `src/a/${'[a'.repeat(300)}`,
      `src/a/*a*a*a`,
    ]) {
      const effort = effortOf(() => covers(compileScope([glob]), `src/a/${'a'.repeat(255)}`));
      expect(effort, glob.slice(0, 30)).toBeLessThan(5);
    }
  });
});

describe('properties', () => {
  const token = fc.constantFrom(
    ...[
      'a',
      'src',
      '*',
      '**',
      '?',
      '/',
      '/',
      '/',
      '{',
      '}',
      ',',
      '(',
      ')',
      '|',
      '[',
      ']',
      '!',
      '+',
      '@',
      '.',
      '..',
    ],
    ...['^', '-', '#', '$', '"', '[:print:]', '1..3', '\\'],
  );
  const glob = fc.array(token, { minLength: 1, maxLength: 10 }).map((parts) => parts.join(''));
  const prefixed = fc
    .tuple(fc.constantFrom('', 'src/', 'src/a/'), glob)
    .map(([folder, rest]) => `${folder}${rest}`);

  test('an accepted glob never covers a top-level file that it does not name', () => {
    fc.assert(
      fc.property(prefixed, fc.constantFrom('q', 'zz.ts', 'q/z', 'other/deep/path/x.ts'), (some, path) => {
        const scope = compileScope([some]);
        fc.pre(scope.fault === null);
        expect(covers(scope, path)).toBe(false);
      }),
      { numRuns: runs(1500) },
    );
  });

  test('an accepted glob under one fixed folder has a bounded depth', () => {
    fc.assert(
      fc.property(glob, (some) => {
        const scope = compileScope([`src/${some}`]);
        fc.pre(scope.fault === null);
        const [{ base } = { base: '' }] = scope.globs;
        fc.pre(base.split('/').length < 2);
        for (const part of ['q', 'a', '-'])
          expect(covers(scope, `src/${Array(14).fill(part).join('/')}`), some).toBe(false);
      }),
      { numRuns: runs(1500) },
    );
  });

  test('whatever is compiled lies under its base', () => {
    fc.assert(
      fc.property(
        prefixed,
        fc.array(fc.constantFrom('src', 'a', 'q', 'b'), { minLength: 1, maxLength: 4 }),
        (some, parts) => {
          const scope = compileScope([some]);
          fc.pre(scope.fault === null);
          const path = parts.join('/');
          const [{ base } = { base: '' }] = scope.globs;
          if (covers(scope, path) && path !== some)
            expect(base === '' || path === base || path.startsWith(`${base}/`)).toBe(true);
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  test('no text makes it throw', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(prefixed, fc.string({ unit: 'binary' }))), (globs) => {
        const scope = compileScope(globs);
        expect(scope.fault === null).toBe(scope.globs.length > 0);
      }),
      { numRuns: 500 },
    );
  });
});
