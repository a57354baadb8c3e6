import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withState } from '../../../src/cli/state.ts';
import { readSnapshot } from '../../../src/cli/watch/read-snapshot.ts';
import { stateMark } from '../../../src/cli/watch/state-mark.ts';
import { workspaceAt } from '../../../src/hooks/workspace.ts';
import { receiptDraft, removeState } from '../../support/ledger.ts';
import { TestWorkspace } from '../../support/workspace.ts';

let place: TestWorkspace;
beforeEach(() => {
  place = new TestWorkspace(
    [
      { id: 'INT-001', budget: '{max_turns: 30}' },
      { id: 'INT-002', status: 'PENDING', scope: ['src/other/**'] },
    ],
    ['src/components/a.ts'],
  );
});
afterEach(() => place[Symbol.dispose]());

const read = () => readSnapshot(place.root, '');

/** What `pactclaw status` tells, which reads under the lock with everything verified. */
async function asStatus() {
  return await withState(place.workspace, ({ store, intents }) =>
    intents.map(({ id, status }) => ({ id, status, ...store.usage(id) })),
  );
}

async function asSeen() {
  const { intents, failSafe } = await read();
  expect(failSafe).toBe(null);
  return intents.map(({ id, status, turns, tokens }) => ({ id, status, turns, tokens }));
}

describe('a workspace as it stands', () => {
  test('before any event', async () => {
    expect(await read()).toMatchObject({
      failSafe: null,
      sessions: [],
      intents: [
        { id: 'INT-001', status: 'IN_PROGRESS', turns: 0, maxTurns: 30, maxTokens: 200_000 },
        { id: 'INT-002', status: 'PENDING', maxTurns: 50 },
      ],
    });
  });

  test('the same as status, through a trip and the reset after it', async () => {
    const agent = place.agent('s1');
    await agent.begin('INT-001');
    await agent.write('src/components/a.ts');
    expect(await asSeen()).toEqual(await asStatus());
    for (let at = 0; at < 4; at += 1) await agent.read('src/components/a.ts');
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
    const tripped = await read();
    expect(tripped.sessions).toMatchObject([{ id: 's1', state: 'HALTED', host: 'test' }]);
    expect(tripped.intents[0]).toMatchObject({
      status: 'BLOCKED',
      reason: expect.stringContaining('loop detection'),
    });
    expect(await asSeen()).toEqual(await asStatus());
    place.setStatus('INT-001', 'IN_PROGRESS');
    const seen = await asSeen();
    expect(seen[0]).toEqual({ id: 'INT-001', status: 'IN_PROGRESS', turns: 0, tokens: 0 });
    await agent.prompt();
    expect(await asStatus()).toEqual(seen);
  });

  test('a trip that has not reached the file blocks already', async () => {
    await withState(place.workspace, ({ store }) =>
      store.transact((tx) => {
        const event = { event: 'blocked', intent_id: 'INT-002', reason: 'budget: all of it' } as const;
        tx.receipt(receiptDraft(1, { intent_event: event }));
        tx.markTrip('INT-002', false);
      }),
    );
    expect((await read()).intents[1]).toMatchObject({ status: 'BLOCKED', reason: 'budget: all of it' });
  });

  test('a state.db that is gone has no sessions and no use; the intents are there', async () => {
    await place.agent('s1').begin('INT-001');
    removeState(place.workspace.layout);
    expect(await read()).toMatchObject({
      failSafe: null,
      sessions: [],
      intents: [{ id: 'INT-001' }, { id: 'INT-002' }],
    });
  });
});

describe('the mark that tells whether to read again', () => {
  test('stays while somebody only looks, and with it the files', async () => {
    await place.agent('s1').begin('INT-001');
    const { layout } = place.workspace;
    await read();
    const before = stateMark(layout);
    for (let at = 0; at < 3; at += 1) await read();
    expect(stateMark(layout)).toBe(before);
  });

  test.each<[string, (at: TestWorkspace) => unknown]>([
    ['a call', (at) => at.agent('s1').read('src/components/a.ts')],
    ["a human's edit", (at) => at.edit('Work of INT-001', 'Other work')],
    ['settings', (at) => writeFileSync(at.workspace.layout.config, 'handshake: {per: session}\n')],
    ['the folder going away', (at) => rmSync(at.workspace.layout.sidecar, { recursive: true })],
    ['state.db going away', (at) => removeState(at.workspace.layout)],
  ])('is another after %s', async (_name, change) => {
    await place.agent('s1').begin('INT-001');
    const before = stateMark(place.workspace.layout);
    await change(place);
    expect(stateMark(place.workspace.layout)).not.toBe(before);
  });
});

describe('what the engine would refuse for', () => {
  beforeEach(async () => {
    await place.agent('s1').begin('INT-001');
  });
  test.each<[string, (at: TestWorkspace) => void, RegExp]>([
    [
      'a registry that is no YAML',
      (at) => writeFileSync(at.workspace.layout.intents, 'active_intents: ['),
      /corrupted/,
    ],
    ['a missing registry', (at) => rmSync(at.workspace.layout.intents), /missing/],
    [
      'settings that are no YAML',
      (at) => writeFileSync(at.workspace.layout.config, ']['),
      /settings corrupted/,
    ],
    ['a missing log', (at) => rmSync(at.workspace.layout.receipts), /receipt log is missing/],
    [
      'a shortened log',
      (at) => truncateSync(at.workspace.layout.receipts, 7),
      /bytes at the end of the receipt log/,
    ],
    [
      'a folder in place of a log',
      (at) => {
        rmSync(at.workspace.layout.trace);
        mkdirSync(at.workspace.layout.trace);
      },
      /not a regular file/,
    ],
    ['a missing folder', (at) => rmSync(at.workspace.layout.sidecar, { recursive: true }), /missing/],
    ['a missing workspace', (at) => rmSync(at.root, { recursive: true }), /workspace folder is missing/],
  ])('%s is fail-safe, here and there', async (_name, harm, reason) => {
    harm(place);
    const { failSafe, intents } = await read();
    expect(failSafe?.reason).toMatch(reason);
    expect(failSafe?.remedy).not.toBe('');
    expect(intents).toEqual([]);
    const { decision } = await place.agent('s1').write('src/components/a.ts');
    expect(decision.refusal?.kind).toBe('fail_safe');
  });

  test('a link in place of the folder is fail-safe, here and there', async () => {
    const { sidecar } = place.workspace.layout;
    renameSync(sidecar, `${place.base}/moved`);
    symlinkSync(`${place.base}/moved`, sidecar);
    expect((await read()).failSafe?.reason).toMatch(/symbolic link/);
    expect(() => workspaceAt(place.root, '')).toThrow(/symbolic link/);
  });

  test('the sessions are still shown when only the registry is broken', async () => {
    writeFileSync(place.workspace.layout.intents, '');
    expect((await read()).sessions).toMatchObject([{ id: 's1' }]);
  });
});
