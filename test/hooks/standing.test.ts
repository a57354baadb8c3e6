import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine } from '../../src/hooks/engine.ts';
import { ResidentEngines } from '../../src/hooks/resident.ts';
import { openDatabase } from '../../src/platform/sqlite.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

let place: TestWorkspace;
let agent: Agent;
let engines: ResidentEngines;
beforeEach(async () => {
  place = new TestWorkspace([{ id: 'INT-001' }, { id: 'INT-002' }]);
  agent = place.agent('s1');
  await agent.begin('INT-001');
  engines = new ResidentEngines('', { busyMs: 100, snapshotMs: 5_000 });
});
afterEach(() => {
  engines.close();
  place[Symbol.dispose]();
});

describe('where a session stands (H-109)', () => {
  test('an acting one is given its scope, a new one the open intents', async () => {
    const engine = engines.engineAt(place.root);
    expect(await engine.standing('s1')).toMatchObject({
      state: 'CONTEXTUALIZED_ACTION',
      intentId: 'INT-001',
      context: expect.stringContaining('src/components/**'),
    });
    expect(await engine.standing('nobody')).toMatchObject({
      state: 'REQUEST',
      context: expect.stringContaining('INT-002: Work of INT-002'),
    });
  });

  test('it is told while another process holds the lock', async () => {
    const engine = engines.engineAt(place.root);
    await engine.standing('s1');
    const other = openDatabase(place.workspace.layout.state, { busyMs: 100 });
    other.exec('BEGIN IMMEDIATE');
    try {
      expect(await engine.standing('s1')).toMatchObject({ state: 'CONTEXTUALIZED_ACTION' });
    } finally {
      other.exec('ROLLBACK');
      other.close();
    }
  });

  test('what a human changes is in the very next answer', async () => {
    const engine = engines.engineAt(place.root);
    const { brain } = place.workspace.layout;
    for (const rule of ['Be brief.', 'Be kind.']) {
      writeFileSync(brain, `## Guidelines\n\n- ${rule}\n`);
      expect((await engine.standing('s1')).context).toContain(`- ${rule}`);
    }
    place.edit('keep it small', 'keep it tiny');
    expect((await engine.standing('s1')).context).toContain('- keep it tiny');
  });

  test('a log that is not as it was left is looked into, though nothing else has changed', async () => {
    const engine = engines.engineAt(place.root);
    expect(await engine.standing('s1')).toMatchObject({ state: 'CONTEXTUALIZED_ACTION' });
    const { receipts } = place.workspace.layout;
    const whole = readFileSync(receipts);
    appendFileSync(receipts, 'hello\n');
    expect(await engine.standing('s1')).toMatchObject({
      state: 'REQUEST',
      context: expect.stringMatching(/^Fail-Safe Default: line is not JSON/),
    });
    writeFileSync(receipts, whole);
    expect(await engine.standing('s1')).toMatchObject({ state: 'CONTEXTUALIZED_ACTION' });
  });

  test('an intent that a breaker has blocked is not offered, and asking leaves no receipt', async () => {
    for (let n = 1; n <= 4; n += 1) await agent.write('src/components/a.ts', 'same');
    expect(agent.state).toBe('HALTED');
    const engine = engines.engineAt(place.root);
    expect((await engine.standing('s1')).context).toContain('This session is halted');
    expect((await engine.standing('s2')).context).not.toContain('INT-001: Work of INT-001');
    place.setStatus('INT-001', 'IN_PROGRESS');
    const before = place.receipts().length;
    expect((await engine.standing('s2')).context).toContain('INT-001: Work of INT-001');
    expect(place.receipts()).toHaveLength(before);
    // Not by a resident engine alone: one that opens the state for each event says the same.
    expect((await createEngine(place.workspace).standing('s2')).context).toContain('INT-001');
  });
});
