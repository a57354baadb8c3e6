import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

let place: TestWorkspace;
let agent: Agent;
beforeEach(async () => {
  place = new TestWorkspace([
    { id: 'INT-001', scope: ['src/shared/**', 'src/components/**'] },
    { id: 'INT-002', scope: ['src/shared/**'] },
    { id: 'INT-003', scope: ['src/pages/**'], status: 'BLOCKED' },
  ]);
  agent = place.agent('s1');
});
afterEach(() => place[Symbol.dispose]());

/** A human forbids a folder inside the scope of INT-001. */
function forbid(folder: string): void {
  const home = `${place.workspace.ground.home}/.pactclaw`;
  mkdirSync(home, { recursive: true });
  writeFileSync(`${home}/config.toml`, `[security]\nforbidden_paths = ["${place.root}/${folder}"]\n`);
}

describe('what a script did is judged as a call that names the path', () => {
  test('F-8: a forbidden path inside the scope is refused to a Write, and undone for a script', async () => {
    forbid('src/components/keys');
    await agent.begin('INT-001');
    const refused = await agent.write('src/components/keys/a.pem');
    expect(refused.decision.refusedBy).toBe('security-policy');
    const { after } = await agent.shell('node x.js', () => place.put('src/components/keys/a.pem', 'new'));
    expect(after?.alarm).toContain('src/components/keys/a.pem: it lies under the forbidden path');
    expect(place.text('src/components/keys/a.pem')).toBeNull();
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
  });

  test('F-8: a script’s write beside the forbidden path stays', async () => {
    forbid('src/components/keys');
    await agent.begin('INT-001');
    const { after } = await agent.shell('node x.js', () => place.put('src/components/keys.ts', 'new'));
    expect(after?.alarm).toBeNull();
    expect(place.text('src/components/keys.ts')).toBe('new');
  });

  test('a script that changes a file another open intent owns is undone', async () => {
    const other = place.agent('s2');
    await other.begin('INT-002');
    await other.write('src/shared/a.ts', 'theirs\n');
    await agent.begin('INT-001');
    expect((await agent.write('src/shared/a.ts')).decision.refusedBy).toBe('ownership');
    const { after } = await agent.shell('node x.js', () => place.put('src/shared/a.ts', 'mine\n'));
    expect(after?.alarm).toContain('src/shared/a.ts: it is owned by Intent INT-002');
    expect(place.text('src/shared/a.ts')).toBe('theirs\n');
  });

  test('a script may change what its own intent owns, and what a completed one owned', async () => {
    const other = place.agent('s2');
    await other.begin('INT-002');
    await other.write('src/shared/a.ts', 'theirs\n');
    place.setStatus('INT-002', 'COMPLETED');
    await agent.begin('INT-001');
    await agent.write('src/shared/b.ts', 'mine\n');
    const { after } = await agent.shell('node x.js', () => {
      place.put('src/shared/a.ts', 'mine\n');
      place.put('src/shared/b.ts', 'again\n');
    });
    expect(after?.alarm).toBeNull();
    expect(place.text('src/shared/a.ts')).toBe('mine\n');
  });

  test('a script that writes a protected path inside the scope is undone', async () => {
    await agent.begin('INT-001');
    const file = 'src/components/.claude/settings.json';
    expect((await agent.write(file)).decision.refusedBy).toBe('self-protection');
    const { after } = await agent.shell('node x.js', () => place.put(file, '{}'));
    expect(after?.alarm).toContain(`${file}: it is protected (an agent host's configuration)`);
    expect(place.text(file)).toBeNull();
  });

  test('a script that sets a BLOCKED intent to IN_PROGRESS is undone', async () => {
    await agent.begin('INT-001');
    const { after } = await agent.shell('node x.js', () => place.setStatus('INT-003', 'IN_PROGRESS'));
    expect(after?.alarm).toContain('active_intents.yaml: it is protected');
    expect(place.statusOf('INT-003')).toBe('BLOCKED');
  });

  test('a script that widens its own scope, or forbids less, is judged by what the human wrote', async () => {
    forbid('src/components/keys');
    await agent.begin('INT-001');
    const { after } = await agent.shell('node x.js', () => {
      place.edit("      - 'src/components/**'\n", "      - 'src/components/**'\n      - 'lib/one.ts'\n");
      writeFileSync(`${place.workspace.ground.home}/.pactclaw/config.toml`, '');
      place.put('lib/one.ts', 'new');
      place.put('src/components/keys/a.pem', 'new');
    });
    expect(after?.alarm).toContain('active_intents.yaml');
    expect(place.text('lib/one.ts')).toBeNull();
    expect(place.text('src/components/keys/a.pem')).toBeNull();
  });

  test.each([
    ['src/secret.ts', 'scope', '1 change outside the scope, 1 undone: src/secret.ts'],
    ['src/shared/a.ts', 'ownership', '1 change of files that belong to another intent, 1 undone'],
    ['src/components/.claude/settings.json', 'policy', '1 change of protected files, 1 undone'],
    ['.orchestration/active_intents.yaml', 'policy', '1 change of protected files, 1 undone'],
  ])('the receipt of a change of %s tells the kind %s', async (file, kind, message) => {
    const other = place.agent('s2');
    await other.begin('INT-002');
    await other.write('src/shared/a.ts', 'theirs\n');
    await agent.begin('INT-001');
    await agent.shell('node x.js', () => place.put(file, '{}'));
    const { violation, intent_event: event } = place
      .receipts()
      .findLast((one) => one.violation !== undefined)!;
    expect(violation).toMatchObject({ kind, message: expect.stringContaining(message) });
    expect(event).toMatchObject({ event: 'blocked', reason: expect.stringMatching(`^${kind}: ${file}`) });
  });

  test('changes of several kinds are told together', async () => {
    await agent.begin('INT-001');
    await agent.shell('node x.js', () => {
      place.put('.orchestration/config.yaml', '{}');
      place.put('src/secret.ts', 'x');
    });
    const { violation } = place.receipts().findLast((one) => one.violation !== undefined)!;
    expect(violation?.message).toContain('2 changes that no rule allows, 2 undone');
  });
});
