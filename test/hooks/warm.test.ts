import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HookEngine } from '../../src/hooks/engine.ts';
import { ResidentEngines } from '../../src/hooks/resident.ts';
import { Snapshots } from '../../src/security/snapshot.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

/** Calls of tools that nobody declared, in a process that stays and watches the tree (issue 7, Targets). */
let place: TestWorkspace;
let engines: ResidentEngines;
let engine: HookEngine;
let agent: Agent;
let walks = 0;
let turns = 0;
const take = Snapshots.prototype.take;

beforeEach(async () => {
  place = new TestWorkspace([{ id: 'INT-001' }], ['src/components/a.ts', 'lib/deep/b.ts', 'lib/c.ts']);
  engines = new ResidentEngines('', { busyMs: 2_000, snapshotMs: 20_000 });
  engine = engines.engineAt(place.root);
  agent = place.agent('s1');
  walks = 0;
  Snapshots.prototype.take = function (...args) {
    walks += 1;
    return take.apply(this, args);
  };
  await agent.begin('INT-001');
});
afterEach(() => {
  vi.restoreAllMocks();
  Snapshots.prototype.take = take;
  engines.close();
  place[Symbol.dispose]();
});

/** One call of an undeclared tool; `act` is what it does. Returns the alarm. */
async function change(act: () => void = () => undefined): Promise<string | null> {
  const call = agent.call({ tool: 'mcp__s__change', kind: 'execute', declared: false }, { turn: ++turns });
  const { decision, text } = await engine.preToolUse({ ...agent.origin, call });
  if (decision.verdict !== 'allow') throw new Error(text ?? 'refused');
  act();
  const { alarm } = await engine.postToolUse({ ...agent.origin, call, ok: true, result: null });
  return alarm;
}

/** The tree is watched, and a snapshot was taken while it was. */
async function warm(): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const before = walks;
    await change();
    await engines.prove();
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (walks === before) return;
  }
  throw new Error('the tree is never watched');
}

const at = (file: string) => `${place.root}/${file}`;

/** A write that no watch reports: through a name of the file outside of the tree. */
function writeUnreported(file: string, text: string): void {
  const other = `${place.base}/other-name`;
  fs.linkSync(at(file), other);
  fs.writeFileSync(other, text);
  fs.rmSync(other);
}

describe('a watched tree', () => {
  test('is not walked for a call that changes nothing', async () => {
    await warm();
    walks = 0;
    expect(await change()).toBeNull();
    expect(await change()).toBeNull();
    expect(walks).toBe(0);
  });

  test('what a call changes inside the scope is recorded', async () => {
    await warm();
    expect(await change(() => place.put('src/components/a.ts', 'after\n'))).toBeNull();
    expect(place.trace().map(({ path, mutation }) => [path, mutation])).toContainEqual([
      'src/components/a.ts',
      'modify',
    ]);
  });

  test.each<[string, () => void, string]>([
    ['a file is written', () => place.put('lib/deep/b.ts', 'after\n'), 'lib/deep/b.ts'],
    ['a file is removed', () => fs.rmSync(at('lib/c.ts')), 'lib/c.ts'],
    [
      'a folder appears and is written at once',
      () => place.put('new/one/two/x.ts', 'x\n'),
      'new/one/two/x.ts',
    ],
    ['a parent folder is renamed', () => fs.renameSync(at('lib'), at('other')), 'lib/c.ts'],
    [
      'a folder becomes a link',
      () => {
        fs.renameSync(at('lib/deep'), `${place.base}/deep`);
        fs.symlinkSync(`${place.base}/deep`, at('lib/deep'));
      },
      'lib/deep',
    ],
    [
      'an ignore file hides what comes with it',
      () => {
        place.put('.gitignore', 'lib/\n');
        place.put('lib/c.ts', 'after\n');
      },
      'lib/c.ts',
    ],
  ])('sees when %s', async (_what, act, path) => {
    await warm();
    expect(await change(act)).toContain(path);
    expect(place.text('lib/deep/b.ts')).toBe('before\n');
    expect(place.text('lib/c.ts')).toBe('before\n');
  });

  test('folders that came with a change are watched too, and those that were renamed and replaced', async () => {
    await warm();
    await change(() => {
      place.put('src/components/one/two/x.ts', 'x\n');
      fs.renameSync(at('src/components/one'), at('src/components/three'));
      place.put('src/components/one/y.ts', 'y\n');
    });
    await warm();
    for (const file of ['src/components/three/two/x.ts', 'src/components/one/y.ts']) {
      await change(() => place.put(file, 'again\n'));
      expect(
        place.trace().filter(({ path, mutation }) => path === file && mutation === 'modify'),
      ).toHaveLength(1);
    }
  });

  test("a change of the human between two calls is nobody else's", async () => {
    await warm();
    place.put('lib/c.ts', 'by the human\n');
    expect(await change()).toBeNull();
    expect(place.text('lib/c.ts')).toBe('by the human\n');
  });

  test('a change that the watch does not report is found by the walk that follows, judged and undone', async () => {
    await warm();
    expect(await change(() => writeUnreported('lib/c.ts', 'unseen\n'))).toBeNull();
    await engines.prove();
    expect(place.text('lib/c.ts')).toBe('before\n');
    const ends = place.receipts().filter(({ phase }) => phase === 'post');
    expect(ends.at(-1)).toMatchObject({ status: 'denied', target: 'lib/c.ts' });
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
  });

  test('inside the scope it is recorded', async () => {
    await warm();
    await change(() => writeUnreported('src/components/a.ts', 'unseen\n'));
    await engines.prove();
    expect(place.trace().map(({ path }) => path)).toContain('src/components/a.ts');
    expect(place.statusOf('INT-001')).toBe('IN_PROGRESS');
  });

  test("what a human does before the proof is not taken for the call's", async () => {
    await warm();
    await change(() => writeUnreported('src/components/a.ts', 'unseen\n'));
    place.put('lib/c.ts', 'by the human\n');
    await engines.prove();
    expect(place.text('lib/c.ts')).toBe('by the human\n');
    expect(place.statusOf('INT-001')).toBe('IN_PROGRESS');
    expect(place.trace().map(({ path }) => path)).toContain('src/components/a.ts');
  });

  test('a snapshot of another process in between takes nothing out of sight', async () => {
    await warm();
    await change(() => writeUnreported('lib/c.ts', 'unseen\n'));
    const other = place.agent('s2');
    await other.begin('INT-001');
    await other.shell('true', () => undefined);
    await engines.prove();
    expect(place.text('lib/c.ts')).toBe('before\n');
  });

  test('a walk that cannot be made counts as a violation', async () => {
    await warm();
    await change();
    vi.spyOn(Snapshots.prototype, 'changedLater').mockResolvedValue(null);
    vi.spyOn(Snapshots.prototype, 'take').mockImplementation(() => {
      throw new Error('git is gone');
    });
    await engines.prove();
    expect(
      place
        .receipts()
        .filter(({ phase }) => phase === 'post')
        .at(-1),
    ).toMatchObject({ status: 'denied' });
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
  });

  test('a flood that the system drops reports of is followed by a walk', async () => {
    await warm();
    const limit = Number(fs.readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
    const alarm = await change(() => {
      const files = ['0', '1'].map((name) => at(`src/components/${name}`));
      for (const file of files) fs.writeFileSync(file, '');
      for (let n = 0; n < limit + 2_000; n += 1) fs.utimesSync(files[n % 2] ?? '', n, n);
      place.put('lib/c.ts', 'after\n');
    });
    expect(alarm).toContain('lib/c.ts');
  });
});
