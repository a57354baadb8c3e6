import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync, truncateSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

const SETTINGS = '.claude/settings.local.json';
let place: TestWorkspace;
let agent: Agent;
beforeEach(async () => {
  place = new TestWorkspace(
    [{ id: 'INT-001' }, { id: 'INT-002', scope: ['src/pages/**'], status: 'IN_PROGRESS' }],
    ['src/secret.ts'],
  );
  agent = place.agent('s1');
  await agent.begin('INT-001');
});
afterEach(() => place[Symbol.dispose]());

describe('what a human may do while a command runs', () => {
  test('answer the host’s question about permissions, which it saves', async () => {
    const said = { permissions: { allow: ['Bash(ls)'] } };
    const { after } = await agent.shell('node x.js', () => place.put(SETTINGS, JSON.stringify(said)));
    expect(after?.alarm).toBeNull();
    expect(JSON.parse(place.text(SETTINGS) ?? '')).toEqual(said);
    expect(place.statusOf('INT-001')).toBe('IN_PROGRESS');
  });

  test('block any intent, and close the one at work', async () => {
    const { after } = await agent.shell('node x.js', () => {
      place.setStatus('INT-002', 'BLOCKED');
      place.setStatus('INT-001', 'COMPLETED');
    });
    expect(after?.alarm).toBeNull();
    expect([place.statusOf('INT-001'), place.statusOf('INT-002')]).toEqual(['COMPLETED', 'BLOCKED']);
  });
});

describe('what is put back, since a command may have done it', () => {
  test('U-3: a person’s change, and the message says how to bring it back', async () => {
    const { after } = await agent.shell('node x.js', () => place.put('src/secret.ts', 'mine'));
    const [, command] = /meanwhile: (cp -a .*)/.exec(after?.alarm ?? '') ?? [];
    expect(place.text('src/secret.ts')).toBe('before\n');
    execFileSync('sh', ['-c', command ?? ''], { cwd: place.root });
    expect(place.text('src/secret.ts')).toBe('mine');
  });

  test('F-10: nothing is, and the intent is blocked, when the record of before was forged', async () => {
    const call = agent.call({ tool: 'shell', kind: 'execute', command: 'node x.js' });
    await agent.pre(call);
    const objects = place.workspace.layout.shadow;
    const git = (...args: string[]) =>
      execFileSync('git', ['--git-dir', objects, '--work-tree', '.', ...args], { cwd: place.root });
    const old = String(git('write-tree')).trim();
    place.put('src/secret.ts', 'EVIL');
    git('add', 'src/secret.ts');
    const evil = String(git('write-tree')).trim();
    const fileOf = (id: string) => `${objects}/objects/${id.slice(0, 2)}/${id.slice(2)}`;
    rmSync(fileOf(old), { force: true });
    copyFileSync(fileOf(evil), fileOf(old));
    const { alarm } = await agent.post(call);
    expect(alarm).toContain('what the command changed could not be checked or undone');
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
  });

  test('F-13: a file of 4 GB outside the scope is moved away, one inside it is left in peace', async () => {
    const grow = (file: string) => () => {
      place.put(file, '');
      truncateSync(`${place.root}/${file}`, 4 * 2 ** 30);
    };
    expect((await agent.shell('node x.js', grow('src/components/large'))).after?.alarm).toBeNull();
    const { after } = await agent.shell('node x.js', grow('src/large'));
    expect(after?.alarm).toContain('src/large');
    expect(after?.alarm).toContain('and this was undone');
    expect(place.text('src/large')).toBeNull();
  });

  test('the host’s settings when more than permissions changed', async () => {
    const { after } = await agent.shell('node x.js', () => place.put(SETTINGS, '{"disableAllHooks":true}'));
    expect(after?.alarm).toContain('the command changed what it may not, and this was undone');
    expect(place.text(SETTINGS)).toBeNull();
  });

  test('another intent that was closed, which would free the files it holds', async () => {
    const { after } = await agent.shell('node x.js', () => place.setStatus('INT-002', 'COMPLETED'));
    expect(after?.alarm).toContain('active_intents.yaml');
    expect(place.statusOf('INT-002')).toBe('IN_PROGRESS');
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
  });
});
