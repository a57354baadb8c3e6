import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

let place: TestWorkspace;
let agent: Agent;
beforeEach(async () => {
  place = new TestWorkspace(
    [{ id: 'INT-001' }, { id: 'INT-002', scope: ['src/pages/**'] }],
    ['src/secret.ts'],
  );
  agent = place.agent('s1');
  await agent.begin('INT-001');
});
afterEach(() => place[Symbol.dispose]());

describe('a command beside other calls', () => {
  test('is not covered by a read in flight', async () => {
    const read = agent.call({
      tool: 'file_read',
      kind: 'read',
      mutating: false,
      targets: [{ path: 'src/secret.ts', role: 'read' }],
    });
    expect((await agent.pre(read)).decision.verdict).toBe('allow');
    await agent.shell('node x.js', () => place.put('src/secret.ts', 'stolen'));
    expect(place.text('src/secret.ts')).toBe('before\n');
  });

  test('does not undo what another session wrote meanwhile', async () => {
    const other = place.agent('s2');
    await other.begin('INT-002');
    const write = other.call({ targets: [{ path: 'src/pages/a.ts', role: 'write' }] });
    await agent.shell('node x.js', () => undefined);
    const command = agent.call({ tool: 'shell', kind: 'execute', command: 'node x.js' });
    await agent.pre(command);
    await other.pre(write);
    place.put('src/pages/a.ts', 'theirs');
    expect((await agent.post(command)).alarm).toBeNull();
    expect(place.text('src/pages/a.ts')).toBe('theirs');
    await other.post(write);
    expect(place.trace().at(-1)).toMatchObject({ path: 'src/pages/a.ts', intent_id: 'INT-002' });
  });

  test('F-26: is not named alone when another call may have written the file', async () => {
    const other = place.agent('s2');
    await other.begin('INT-002');
    const command = agent.call({ tool: 'shell', kind: 'execute', command: 'node x.js' });
    await agent.pre(command);
    await other.pre(other.call({ tool: 'shell', kind: 'execute', command: 'node y.js' }));
    place.put('src/secret.ts', 'stolen');
    const { alarm } = await agent.post(command);
    expect(alarm).toContain('one of 2 calls that ran at the same time (this one is the command) changed');
    expect(place.receipts().some(({ violation }) => violation?.message.includes('one of 2 calls'))).toBe(
      true,
    );
    expect(place.text('src/secret.ts')).toBe('before\n');
  });

  test('is still reconciled when a request comes while it runs', async () => {
    const command = agent.call({ tool: 'shell', kind: 'execute', command: 'node x.js' });
    await agent.pre(command);
    await agent.prompt();
    place.put('src/secret.ts', 'stolen');
    await agent.post(command);
    expect(place.text('src/secret.ts')).toBe('before\n');
  });
});

describe('an intent that a human closed', () => {
  test('while its command ran stays closed (H-13)', async () => {
    await agent.shell('node x.js', () => {
      place.put('src/secret.ts', 'stolen');
      place.setStatus('INT-001', 'COMPLETED');
    });
    expect(place.text('src/secret.ts')).toBe('before\n');
    expect(place.statusOf('INT-001')).toBe('COMPLETED');
  });
});
