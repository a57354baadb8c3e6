import fc from 'fast-check';
import micromatch from 'micromatch';
import { describe, expect, test } from 'vitest';
import { compileScope } from '../../src/core/breadth.ts';
import { covers } from '../../src/core/scope.ts';

const name = fc.constantFrom('a', 'b', 'ab', 'A', 'é', 'e\u0301', 'x.ts', 'y.test.ts', '.env', '[id]', '-');
const path = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .map((parts) => ['src', 'a', ...parts].join('/'))
  .chain((inside) => fc.constantFrom(inside, inside, inside, inside.slice(4), 'src', 'src/b/a', 'top.ts'));
const part = fc.constantFrom(
  'a',
  'b',
  '*',
  '**',
  '?',
  '*.ts',
  '*.{ts,js}',
  '{a,b}',
  '[ab]',
  '[!a]',
  '@(a|ab)',
  '*',
  '**',
  '!(a)',
  '+(a|b)',
  '.env',
  'x.ts',
  'a*',
  '[id]',
  '-',
);
const positive = fc
  .array(part, { minLength: 1, maxLength: 3 })
  .map((parts) => ['src', 'a', ...parts].join('/'));
const glob = fc.oneof(
  { weight: 3, arbitrary: positive },
  {
    weight: 1,
    arbitrary: fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `!${parts.join('/')}`),
  },
  { weight: 1, arbitrary: positive.map((inside) => `!${inside}`) },
);

describe('covers (H-57, H-116)', () => {
  test('says what micromatch says, negation and order included', () => {
    let inside = 0;
    let total = 0;
    fc.assert(
      fc.property(
        fc.array(glob, { minLength: 1, maxLength: 4 }),
        fc.array(path, { maxLength: 8 }),
        (globs, paths) => {
          const scope = compileScope(globs);
          fc.pre(scope.fault === null);
          for (const one of paths) {
            const theirs = micromatch([one], globs).length > 0;
            expect(`${one}: ${covers(scope, one)}`).toBe(`${one}: ${theirs}`);
            if (theirs) inside += 1;
            total += 1;
          }
        },
      ),
      { numRuns: 1000 },
    );
    // The comparison means something only if both answers are common.
    expect(inside / total).toBeGreaterThan(0.05);
    expect(inside / total).toBeLessThan(0.95);
  });

  test.each([
    [['src/components/**'], 'src/components/a/b.ts', true],
    [['src/components/**'], 'src/secret.ts', false],
    [['src/components/**'], 'src/components', true],
    [['src/components/**'], 'src/components/.env', false],
    [['src/a/**', '!src/a/x/**'], 'src/a/x/y', false],
    [['src/a/**', '!src/a/x/**', 'src/a/x/y'], 'src/a/x/y', true],
    [['!src/a/x', 'src/a/**'], 'src/a/x', true],
    [['src/{a,b}/x.ts'], 'src/b/x.ts', true],
    [['src/app/[id]/page.tsx'], 'src/app/[id]/page.tsx', true],
    [['src/app/(group)/page.tsx'], 'src/app/(group)/page.tsx', true],
    [['src/a/x'], 'SRC/A/X', false],
    [['./src/a/x'], 'src/a/x', true],
  ])('%j on %s: %s', (globs, one, expected) => {
    const scope = compileScope(globs);
    expect(scope.fault).toBeNull();
    expect(covers(scope, one)).toBe(expected);
  });

  test('a faulty scope covers nothing, even what its good globs name', () => {
    const scope = compileScope(['src/a/x', '**']);
    expect(scope.fault).not.toBeNull();
    expect(covers(scope, 'src/a/x')).toBe(false);
  });

  test('a scope read back from JSON covers the same', () => {
    const scope = compileScope(['src/a/**', '!src/a/x']);
    const again = JSON.parse(JSON.stringify(scope)) as typeof scope;
    for (const one of ['src/a/x', 'src/a/y', 'src/b']) expect(covers(again, one)).toBe(covers(scope, one));
  });
});
