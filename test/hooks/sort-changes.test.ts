import { describe, expect, test } from 'vitest';
import type { TreeChange } from '../../src/execution/changes.ts';
import { type Sorting, sortChanges } from '../../src/hooks/contained/sort-changes.ts';
import type { Entry } from '../../src/platform/tree.ts';

const entry = (more: Partial<Entry> = {}): Entry => ({
  kind: 'file',
  mode: 0o644,
  size: 1,
  links: 1,
  inode: 1n,
  identity: 'x',
  changedNs: 1n,
  ...more,
});
const created = (name: string, more: Partial<Entry> = {}): TreeChange => ({
  name: Buffer.from(name),
  what: 'create',
  before: null,
  after: entry(more),
});
const deleted = (name: string, more: Partial<Entry> = {}): TreeChange => ({
  name: Buffer.from(name),
  what: 'delete',
  before: entry(more),
  after: null,
});

/** Allows what lies in `src`, and no change that has a problem. */
const sorting: Sorting = {
  root: '/w',
  beganNs: 10n,
  byproducts: () => new Set(),
  judge: ({ absolute, problem }) =>
    absolute.startsWith('/w/src') && problem === null
      ? null
      : { kind: 'scope', sentence: '', remedy: 'stay in src', finding: problem ?? 'is outside' },
};
const names = (changes: readonly TreeChange[]) => changes.map(({ name }) => name.toString());

describe('what becomes of the changes of a contained command', () => {
  test('a new folder is judged by what is in it, an empty one by itself', () => {
    const folder = { kind: 'folder' as const };
    const inside = sortChanges([created('src', folder), created('src/a')], sorting);
    expect([names(inside.kept), names(inside.recorded), inside.refused]).toEqual([
      ['src', 'src/a'],
      ['src/a'],
      [],
    ]);
    expect(sortChanges([created('dist', folder)], sorting).refused).toMatchObject([
      { path: 'dist', why: 'it is outside' },
    ]);
  });

  test('one change that is refused leaves the others to whoever decides on the set', () => {
    const { kept, refused } = sortChanges([created('src/a'), created('b')], sorting);
    expect([names(kept), refused.map(({ path, remedy }) => [path, remedy])]).toEqual([
      ['src/a'],
      [['b', 'stay in src']],
    ]);
  });

  test('pipes, devices and files that run as their owner are refused wherever they lie, below .git too', () => {
    const changes = [
      created('src/p', { kind: 'other' }),
      created('src/s', { mode: 0o4755 }),
      created('.git/objects/p', { kind: 'other' }),
    ];
    expect(sortChanges(changes, sorting).refused).toHaveLength(3);
  });

  test('git’s own work is kept and not recorded, its locks go, its settings are refused', () => {
    const changes = [created('.git/objects/ab/c'), created('.git/index.lock'), created('.git/config')];
    const { kept, recorded, refused } = sortChanges(changes, sorting);
    expect([names(kept), recorded, refused.map(({ path }) => path)]).toEqual([
      ['.git/objects/ab/c'],
      [],
      ['.git/config'],
    ]);
  });

  test('a by-product is kept and not recorded, unless what stands against it is more than the scope', () => {
    const byproducts = (asked: readonly Buffer[]) => new Set(asked.map((name) => name.toString('latin1')));
    const { kept, recorded } = sortChanges([created('node_modules/x')], { ...sorting, byproducts });
    expect([names(kept), recorded]).toEqual([['node_modules/x'], []]);
    const judge = () => ({ kind: 'policy' as const, sentence: '', remedy: '', finding: 'is protected' });
    expect(
      sortChanges([created('node_modules/.claude/x')], { ...sorting, byproducts, judge }).refused,
    ).toHaveLength(1);
  });

  test('U-3: what somebody else changed, made or deleted meanwhile is theirs', () => {
    const theirs = [
      { ...created('src/changed'), what: 'modify' as const, before: entry({ changedNs: 11n }) },
      deleted('src/saved', { changedNs: 10n }),
      { ...created('src/gone'), madeFrom: 7n },
    ];
    const { kept, conflicts } = sortChanges(theirs, sorting);
    expect([kept, names(conflicts)]).toEqual([[], ['src/changed', 'src/saved', 'src/gone']]);
  });

  test('a file that the command itself renamed is its own', () => {
    const changes = [deleted('src/a', { inode: 7n }), { ...created('src/b'), madeFrom: 7n }];
    expect(names(sortChanges(changes, sorting).kept)).toEqual(['src/a', 'src/b']);
  });
});
