import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

// Generous, because it shares a small machine with the rest of the suite.
vi.setConfig({ testTimeout: 30_000 });

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
