import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ResidentEngines } from '../../src/hooks/resident.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

/** What a process that stays does between events. */
let place: TestWorkspace;
let agent: Agent;
let engines: ResidentEngines;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'hrtime'] });
  place = new TestWorkspace([{ id: 'INT-001' }]);
  agent = place.agent('s1');
  engines = new ResidentEngines('', { busyMs: 100, snapshotMs: 5_000 });
});
afterEach(() => {
  engines.close();
  place[Symbol.dispose]();
  vi.useRealTimers();
});

const state = () => `${place.root}/.orchestration/state.db`;
const event = () => engines.engineAt(place.root).sessionStart(agent.origin);

describe('a resident engine', () => {
  test('carries the write-ahead log over into the database ten seconds later', async () => {
    await event();
    const before = statSync(state()).mtimeMs;
    vi.advanceTimersByTime(9_000);
    expect(statSync(state()).mtimeMs).toBe(before);
    vi.advanceTimersByTime(2_000);
    expect(statSync(state()).mtimeMs).toBeGreaterThan(before);
  });

  test('closes a workspace that was quiet for two minutes, and opens it again for the next event', async () => {
    await event();
    vi.advanceTimersByTime(119_000);
    expect(engines.residence).toEqual({ workspaces: 1, open: 1 });
    vi.advanceTimersByTime(20_000);
    expect(engines.residence).toEqual({ workspaces: 0, open: 0 });
    await event();
    expect(engines.residence).toEqual({ workspaces: 1, open: 1 });
  });

  test('a database that was taken away meanwhile is not used on', async () => {
    await event();
    renameSync(state(), `${state()}-gone`);
    for (const suffix of ['-wal', '-shm'])
      if (existsSync(state() + suffix)) writeFileSync(state() + suffix, 'rubbish');
    expect(() => vi.advanceTimersByTime(11_000)).not.toThrow();
    expect(JSON.stringify(await event())).not.toContain('Fail-Safe');
    expect(existsSync(state())).toBe(true);
  });
});
