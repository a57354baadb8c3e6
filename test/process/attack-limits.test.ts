import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GovernedProject, INTENTS } from '../e2e/support/governed.ts';
import { FakeHost } from './support/host.ts';

/** Ways to go on for ever. */
let project: GovernedProject;
let host: FakeHost;

beforeEach(() => {
  project = new GovernedProject({
    intents: INTENTS.replace('    acceptance', '    budget: {max_turns: 4}\n    acceptance'),
  });
  host = new FakeHost(project);
  host.select();
});
afterEach(() => project.remove());

const blocked = () => /INT-001[^-]*status: BLOCKED/.test(project.text('.orchestration/active_intents.yaml'));
const dropState = () => {
  for (const name of fs.readdirSync(project.path('.orchestration')))
    if (name.startsWith('state.db')) fs.unlinkSync(project.path(`.orchestration/${name}`));
};

describe('a loop ends at the fourth call', () => {
  it.each<[string, (n: number) => Record<string, unknown>]>([
    ['with another note', (n) => ({ command: 'ls', description: `try ${n}` })],
    ['with other limits', (n) => ({ command: 'ls', timeout: 1000 + n })],
    [
      'with other keys',
      (n) => (n % 2 ? { command: 'ls', description: '' } : { description: '', command: 'ls' }),
    ],
  ])('%s', (_name, input) => {
    const answers = [1, 2, 3, 4].map((n) => host.call('Bash', input(n)).before);
    expect(answers.map(({ denied }) => denied)).toEqual([false, false, false, true]);
    expect(answers[3]).toMatchObject({ ended: true });
    expect(blocked()).toBe(true);
    expect(host.select().before.denied).toBe(true);
  });

  it('across subagents, wake-ups and a resumed session', () => {
    const fire = (n: number) =>
      host.fire('PreToolUse', {
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_use_id: `${n}`,
        agent_id: `a${n}`,
      });
    const answers = [fire(1), fire(2)];
    host.fire('UserPromptSubmit', { prompt: 'x', source: 'loop_wakeup' });
    answers.push(fire(3), fire(4));
    expect(answers[3]).toMatchObject({ denied: true, ended: true });
    host.fire('SessionStart', { source: 'resume' });
    expect(host.select().before.denied).toBe(true);
  });
});

describe('a spent budget stays spent', () => {
  const spend = () => {
    for (const n of [1, 2, 3, 4, 5, 6]) {
      host.respond();
      if (host.bash(n % 2 ? 'ls' : `ls src`).before.denied) break;
    }
    expect(blocked()).toBe(true);
    expect(project.violations().at(-1)).toMatchObject({ kind: 'budget' });
  };

  it('in turns of two calls, in a new session, and without the database', () => {
    spend();
    expect(new FakeHost(project, 'session-2').select().before.denied).toBe(true);
    dropState();
    expect(new FakeHost(project, 'session-3').select().before.denied).toBe(true);
  });

  it('a half-spent one does not fill up when the database goes', () => {
    for (const n of [1, 2, 3]) {
      host.respond();
      host.bash(`ls ${'.'.repeat(n % 2 || 2)}`);
    }
    dropState();
    const other = new FakeHost(project, 'session-2');
    other.select();
    const answers = [1, 2, 3].map((n) => {
      other.respond();
      return other.bash(`ls ${n}`).before.denied;
    });
    expect(answers).toContain(true);
  });

  it('a transcript that was cut is counted from its beginning', () => {
    let ran = 0;
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) {
      fs.writeFileSync(host.transcript, `${' '.repeat(900 - 100 * n)}\n`);
      host.respond();
      if (!host.bash(`ls ${n}`).before.denied) ran += 1;
    }
    expect(ran).toBeLessThanOrEqual(5);
    expect(blocked()).toBe(true);
  });
});
