import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileScope } from '../../src/core/breadth.ts';
import { covers } from '../../src/core/scope.ts';
import { intentsTemplate } from '../../src/orchestration/intents-template.ts';
import { parseIntents } from '../../src/orchestration/parse-intents.ts';
import { type ProposedIntent, proposeIntent } from '../../src/orchestration/propose-intent.ts';
import { effortOf } from '../support/effort.ts';

function covered(intent: ProposedIntent, files: readonly string[]): string[] {
  const scope = compileScope(intent.ownedScope);
  expect(scope.fault).toBeNull();
  return files.filter((file) => covers(scope, file));
}

const numbered = (folder: string, count: number, end = 'ts') =>
  Array.from({ length: count }, (_, index) => `${folder}/file-${index}.${end}`);

describe('scope', () => {
  test('a source folder of fitting size is preferred to tests and docs', () => {
    const files = [
      'README.md',
      'package.json',
      ...numbered('src/parser', 9),
      ...numbered('src/huge', 60),
      ...numbered('test/parser', 12),
      ...numbered('docs/guide', 10, 'md'),
      ...numbered('src/tiny', 1),
    ];
    expect(proposeIntent(files).ownedScope).toEqual(['src/parser/**']);
  });

  test('a small top-level folder is named without a broad glob', () => {
    const files = ['pyproject.toml', 'shop/a.py', 'shop/b.py', 'shop/pages/c.py', 'shop/pages/d.py'];
    const intent = proposeIntent(files);
    expect(intent.ownedScope).toEqual(['shop/*', 'shop/pages/**']);
    expect(covered(intent, files)).toHaveLength(4);
  });

  test('a flat repository gets its files by name', () => {
    const files = ['.gitignore', 'README.md', 'main.go', 'go.mod', 'util.go', 'strange [x].go'];
    const intent = proposeIntent(files);
    expect(intent.ownedScope.slice(0, 2)).toEqual(['main.go', 'util.go']);
    expect(covered(intent, files).length).toBeGreaterThanOrEqual(2);
  });

  test('folders that are all too large give named files', () => {
    const files = numbered('src/all', 300);
    const intent = proposeIntent(files);
    expect(covered(intent, files)).toHaveLength(intent.ownedScope.length);
    expect(intent.ownedScope.length).toBeLessThanOrEqual(20);
  });

  test('names with glob characters are never taken for globs', () => {
    const files = ['app/[id]/page.tsx', 'app/[id]/form.tsx', 'app/(shop)/cart.tsx', 'app/(shop)/pay.tsx'];
    expect(covered(proposeIntent(files), files).length).toBeLessThanOrEqual(20);
    expect(proposeIntent(files).ownedScope.join()).not.toContain('[');
  });

  test('an empty repository gets a new folder, one that is not there yet', () => {
    expect(proposeIntent([]).ownedScope).toEqual(['src/app/**']);
    expect(proposeIntent(['src/app/[a].ts']).ownedScope).toEqual(['src/app-2/**']);
  });

  test('named files on demand', () => {
    const files = numbered('src/parser', 9);
    expect(proposeIntent(files, { namedFiles: true }).ownedScope).toEqual(files);
  });

  test('ten thousand files are read once', () => {
    const files = Array.from(
      { length: 10_000 },
      (_, index) => `packages/p${index % 97}/src/m${index % 13}/f${index}.ts`,
    );
    expect(effortOf(() => proposeIntent(files))).toBeLessThan(10);
    const intent = proposeIntent(files);
    const count = covered(intent, files).length;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(20);
  });

  test('whatever the files, the proposal is accepted and the file that holds it is valid', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'src',
        'lib',
        'a b',
        'test',
        '.hid',
        '[x]',
        '{a,b}',
        '!no',
        'ü',
        '-x',
        '~',
        'node_modules',
        '@t',
        'c:',
        '.orchestration',
        ' ',
        'on',
      ),
      fc.string({ minLength: 1, maxLength: 5 }).map((text) => text.replaceAll('/', '_')),
    );
    const file = fc
      .tuple(fc.array(part, { maxLength: 4 }), part, fc.constantFrom('.ts', '.py', '', '.md'))
      .map(([folders, name, end]) => [...folders, name + end].join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(file, { maxLength: 60 }), fc.boolean(), (files, namedFiles) => {
        const intent = proposeIntent(files, { namedFiles });
        expect(covered(intent, files).length).toBeLessThanOrEqual(20);
        const text = intentsTemplate(intent, '2026-11-21');
        const registry = parseIntents(new TextEncoder().encode(text));
        expect(registry).toMatchObject({ problems: [], warnings: [] });
        expect(registry.intents).toHaveLength(1);
        expect(registry.intents[0]).toMatchObject({ ...intent });
      }),
      { numRuns: 400 },
    );
  });
});

describe('constraints and criteria', () => {
  test.each([
    [
      ['package.json', 'index.js'],
      ['test', 'lint'],
      ['npm test passes', 'npm run lint passes'],
    ],
    [['package.json', 'pnpm-lock.yaml', 'a.ts'], ['test'], ['pnpm test passes']],
    [['package.json', 'yarn.lock', 'a.ts'], ['build'], ['yarn run build passes']],
    [['Cargo.toml', 'src/main.rs'], [], ['cargo test passes']],
    [['go.mod', 'main.go'], [], ['go test ./... passes']],
    [['pyproject.toml', 'tests/test_a.py'], [], ['pytest passes']],
    [['notes.txt'], [], ['A human has seen it work']],
  ])('%j %j', (files, scripts, criteria) => {
    expect(proposeIntent(files, { scripts }).acceptanceCriteria).toEqual(criteria);
  });

  test('a project with a manifest is asked to add no dependency', () => {
    expect(proposeIntent(['package.json']).constraints).toContain('Add no dependency');
    expect(proposeIntent(['notes.txt']).constraints).not.toContain('Add no dependency');
  });
});

test('U-15: a proposed scope has room for files to come', () => {
  const files = (count: number) => Array.from({ length: count }, (_, at) => `src/app/file${at}.ts`);
  for (const count of [16, 20, 21]) {
    const scope = compileScope(proposeIntent(files(count)).ownedScope);
    const covered = files(count).filter((file) => covers(scope, file));
    expect(covered.length).toBeLessThan(20);
    expect(covered.length).toBeGreaterThan(0);
  }
});
