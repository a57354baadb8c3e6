/** What every host must do, seen with its real client: one script of the model for all of them. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ScriptedCall, Step } from '../../fixtures/model/scripted-model.ts';
import { GovernedProject } from './support/governed.ts';
import { HOSTS } from './support/hosts.ts';
import type { ClientResult } from './support/run-client.ts';
import { wiringIn } from './support/wiring-in.ts';

const STATE = 'State Violation: Reasoning Intercept Required';
const IN_SCOPE = 'src/components/new.ts';
const OUT_OF_SCOPE = 'src/leak.ts';
const AGAIN = 'echo turn >> src/components/turns.txt';

const shell = (command: string): Step => ({ calls: [{ role: 'shell', command }] });
const step = (call: ScriptedCall): Step => ({ calls: [call] });
const handshake = step({ role: 'handshake', intentId: 'INT-001', reasoning: 'The request is about this.' });

describe.each(HOSTS.map((one) => [one.title, one] as const))('%s', (_, { host, endsOnHalt }) => {
  let project: GovernedProject;
  let results: string[];
  let settings: Record<string, string | null>;
  let status: string[];
  afterAll(() => project.remove());

  describe('a run that goes in and out of its scope', () => {
    let run: ClientResult;

    beforeAll(async () => {
      project = new GovernedProject({ host });
      settings = project.settings();
      status = project.gitStatus();
      const write = (file: string) =>
        step({ role: 'write', path: project.path(file), content: 'export const fresh = true;\n' });
      run = await project.run([
        write(IN_SCOPE),
        handshake,
        write(IN_SCOPE),
        write(OUT_OF_SCOPE),
        shell('echo x > src/secret.ts'),
        shell('rm -rf .orchestration'),
        step({ role: 'write', path: project.installed[0]!, content: '{}\n' }),
        { text: 'All done.' },
      ]);
      results = run.results;
    });

    it('ends as it would have ungoverned', () => {
      expect({ answer: run.answer, stderr: run.code === 0 ? '' : run.stderr }).toEqual({
        answer: 'All done.',
        stderr: '',
      });
      expect(results).toHaveLength(7);
    });

    it('refuses the first call with the exact sentence', () => {
      expect(results[0]).toContain(STATE);
      expect(project.violations()[0]).toMatchObject({ kind: 'state', hook: 'ReasoningInterceptHook' });
    });

    it('answers the handshake with scope and constraints', () => {
      expect(results[1]).toContain('owned_scope');
      expect(results[1]).toContain('Components stay free of network access');
    });

    it('lets a write in scope land, in the ledger with the hash that sha256sum prints', () => {
      expect(project.text(IN_SCOPE)).toBe('export const fresh = true;\n');
      const printed = execFileSync('sha256sum', [project.path(IN_SCOPE)], { encoding: 'utf8' }).split(' ')[0];
      expect(project.log('agent_trace.jsonl')).toMatchObject([
        {
          path: IN_SCOPE,
          intent_id: 'INT-001',
          mutation: 'create',
          content_hash: printed,
          rationale: 'The request is about this.',
          contributor: { type: 'ai' },
        },
      ]);
      expect(project.cli('trace', 'verify').code).toBe(0);
      expect(project.cli('receipt', 'verify').code).toBe(0);
    });

    it('refuses a write and a redirection outside the scope, and records both', () => {
      for (const [at, file] of [
        [3, OUT_OF_SCOPE],
        [4, 'src/secret.ts'],
      ] as const)
        expect(results[at]).toContain(
          `Governance Violation: ${file} is outside the owned_scope of Intent INT-001`,
        );
      expect(project.has(OUT_OF_SCOPE)).toBe(false);
      expect(project.text('src/secret.ts')).toBe("export const secret = 'untouched';\n");
      expect(project.violations().slice(1, 3)).toMatchObject([
        { kind: 'scope', hook: 'ScopeEnforcementHook' },
        { kind: 'scope', hook: 'ScopeEnforcementHook' },
      ]);
    });
  });

  it('keeps its own state and the client’s settings out of reach', () => {
    expect(results[5]).toMatch(/Governance Violation: .*protected/s);
    expect(results[6]).toMatch(/Governance Violation: .*protected/s);
    expect(project.has('.orchestration/active_intents.yaml')).toBe(true);
  });

  it('halts at the fourth identical call, and blocks the intent in the human’s file', async () => {
    const loop = Array.from({ length: 5 }, () => shell(AGAIN));
    const before = project.log('tool_receipts.log').length;
    const run = await project.run([handshake, ...loop, { text: 'All done.' }]);
    expect(project.text('src/components/turns.txt')).toBe('turn\n'.repeat(3));
    expect(project.text('.orchestration/active_intents.yaml')).toMatch(/INT-001[^-]*status: BLOCKED/);
    const attempts = project
      .log('tool_receipts.log')
      .slice(before)
      .filter(({ phase, tool }) => phase === 'pre' && tool === 'shell');
    expect(attempts.slice(0, 4).map(({ status }) => status)).toEqual([
      'allowed',
      'allowed',
      'allowed',
      'denied',
    ]);
    expect(attempts[3]).toMatchObject({
      violation: { kind: 'loop', hook: 'CircuitBreakerHook' },
      state: 'HALTED',
    });
    if (endsOnHalt) expect(attempts).toHaveLength(4);
    else {
      expect(run.results[4]).toContain('Circuit Breaker: loop detected');
      expect(run.results[5]).toContain('Session Halted');
    }
  });

  it('leaves the project and the client’s settings as they were, and comes off', () => {
    const made = [`?? ${IN_SCOPE}`, '?? src/components/turns.txt'];
    expect(wiringIn(project.settings())).toEqual(wiringIn(settings));
    expect(project.gitStatus().sort()).toEqual([...status, ...made].sort());
    const { code, stderr } = project.cli('uninstall', host);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(project.gitStatus()).toEqual(made);
    for (const text of Object.values(project.settings())) expect(text ?? '').not.toMatch(/pactclaw(?!-e2e)/i);
  });
});
