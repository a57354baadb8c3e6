import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Store } from '../../src/ledger/store.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

/** What a human does while an agent works counts at the very next judgement. */
let place: TestWorkspace;
let agent: Agent;
beforeEach(async () => {
  place = new TestWorkspace([{ id: 'INT-001' }, { id: 'INT-002', scope: ['src/pages/**'] }]);
  agent = place.agent('s1');
});
afterEach(() => {
  vi.restoreAllMocks();
  place[Symbol.dispose]();
});

/** Does something once, right before the engine takes the lock: it has read the registry by then. */
function beforeTheLock(act: () => void): void {
  const open = Store.open.bind(Store);
  vi.spyOn(Store, 'open').mockImplementationOnce((layout, options) => {
    const store = open(layout, options);
    vi.spyOn(store, 'commit').mockImplementationOnce((work) => {
      act();
      return store.commit(work);
    });
    return store;
  });
}

describe('a registry that is saved between reading it and the lock (H-46)', () => {
  test('an intent that the human closes meanwhile allows nothing any more', async () => {
    await agent.begin('INT-001');
    beforeTheLock(() => place.setStatus('INT-001', 'COMPLETED'));
    expect((await agent.write('src/components/x.ts')).decision.verdict).toBe('deny');
    expect(place.text('src/components/x.ts')).toBeNull();
  });

  test('a scope that the human narrows meanwhile is the one that counts', async () => {
    await agent.begin('INT-001');
    beforeTheLock(() => place.edit('src/components/**', 'src/components/only/**'));
    expect((await agent.write('src/components/x.ts')).decision.refusedBy).toBe('scope');
  });

  test('a registry that breaks meanwhile refuses', async () => {
    await agent.begin('INT-001');
    beforeTheLock(() => writeFileSync(place.workspace.layout.intents, 'active_intents: ['));
    expect((await agent.write('src/components/x.ts')).decision.verdict).toBe('deny');
  });

  test('an edit elsewhere in the file refuses nothing', async () => {
    await agent.begin('INT-001');
    beforeTheLock(() => place.edit('# the end', '# the very end'));
    expect((await agent.write('src/components/x.ts')).decision.verdict).toBe('allow');
  });
});

describe('the emergency stop is read at each call (R-139)', () => {
  test('set, nothing runs, the handshake neither; cleared, work goes on', async () => {
    const folder = `${place.workspace.ground.home}/.pactclaw`;
    const stop = `${folder}/ESTOP`;
    mkdirSync(folder, { recursive: true });
    await agent.begin('INT-001');
    expect((await agent.write('src/components/x.ts')).decision.verdict).toBe('allow');
    writeFileSync(stop, '');
    expect((await agent.write('src/components/y.ts')).decision.refusedBy).toBe('emergency-stop');
    expect((await agent.read('src/components/x.ts')).decision.refusedBy).toBe('emergency-stop');
    expect((await agent.select('INT-002')).decision.refusedBy).toBe('emergency-stop');
    expect(place.text('src/components/y.ts')).toBeNull();
    rmSync(stop);
    expect((await agent.write('src/components/y.ts')).decision.verdict).toBe('allow');
  });
});
