import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bash, GovernedProject, INTENTS, select, write } from './support/governed.ts';

const STATE = 'State Violation: Reasoning Intercept Required';
let project: GovernedProject;

beforeEach(() => {
  project = new GovernedProject();
});
afterEach(() => project.remove());

describe('before the handshake', () => {
  it('refuses the first Write with the exact sentence, and shows the open intents', async () => {
    const run = await project.claude([write(project.path('src/components/new.ts'), 'x'), { text: 'Done.' }]);
    expect(run.results[0]).toContain(STATE);
    expect(run.results[0]).toContain('INT-001 (Tidy the components)');
    expect(project.has('src/components/new.ts')).toBe(false);
    expect(project.violations()).toMatchObject([{ kind: 'state', hook: 'ReasoningInterceptHook' }]);
    expect(project.log('agent_trace.jsonl')).toEqual([]);
    const first = run.requests.find(({ kind }) => kind === 'main');
    expect(first!.shown).toContain('INT-002');
    expect(first!.tools).toContain('mcp__pactclaw__select_active_intent');
  });

  it('refuses reads, commands and unknown intents too, and stays in the intercept', async () => {
    const run = await project.claude([
      { calls: [{ name: 'Read', input: { file_path: project.path('src/secret.ts') } }] },
      bash('ls'),
      select('INT-404'),
      bash('ls src'),
      { text: 'Done.' },
    ]);
    expect(run.results[0]).toContain(STATE);
    expect(run.results[1]).toContain(STATE);
    expect(run.results[2]).toContain('Validation Error: unknown intent INT-404');
    expect(run.results[3]).toContain(STATE);
  });
});

describe('after the handshake', () => {
  it('lets a Write in scope land, in the ledger with the hash that sha256sum prints, and in the map', async () => {
    const file = project.path('src/components/new.ts');
    const run = await project.claude([
      select(),
      write(file, 'export const fresh = true;\n'),
      { text: 'Done.' },
    ]);
    expect(run.results[0]).toContain('"owned_scope"');
    expect(run.results[0]).toContain('Components stay free of network access');
    const printed = execFileSync('sha256sum', [file], { encoding: 'utf8' }).split(' ')[0];
    const [entry] = project.log('agent_trace.jsonl');
    expect(entry).toMatchObject({
      path: 'src/components/new.ts',
      intent_id: 'INT-001',
      mutation: 'create',
      content_hash: printed,
      rationale: 'The request is about this.',
      contributor: { type: 'ai' },
    });
    expect(entry).toHaveProperty('contributor.model_id', expect.stringMatching(/claude/));
    expect(project.text('.orchestration/intent_map.md')).toContain(
      `| src/components/new.ts | INT-001 | Tidy the components | LOCKED | ${printed} |`,
    );
    expect(project.cli('trace', 'verify').code).toBe(0);
    expect(project.cli('receipt', 'verify').code).toBe(0);
  });

  it('refuses a Write and a redirection outside the scope, and undoes what a program wrote there', async () => {
    const run = await project.claude([
      select(),
      write(project.path('src/leak.ts'), 'x'),
      bash('echo x > src/secret.ts'),
      bash(`python3 -c "open('src/secret.ts','w').write('leaked')"`),
      { text: 'Done.' },
    ]);
    expect(run.results[1]).toContain(
      'Governance Violation: src/leak.ts is outside the owned_scope of Intent INT-001',
    );
    expect(run.results[2]).toContain(
      'Governance Violation: src/secret.ts is outside the owned_scope of Intent INT-001',
    );
    expect(run.shown).toContain('src/secret.ts: it is outside the owned_scope of Intent INT-001');
    expect(project.has('src/leak.ts')).toBe(false);
    expect(project.text('src/secret.ts')).toBe("export const secret = 'untouched';\n");
    expect(project.violations().map(({ hook }) => hook)).toEqual([
      'ScopeEnforcementHook',
      'ScopeEnforcementHook',
      'ReconcileHook',
    ]);
    expect(project.text('.orchestration/active_intents.yaml')).toContain('status: BLOCKED   # human word');
  });

  it('undoes what a script wrote outside that was written inside the scope', async () => {
    const run = await project.claude([
      select(),
      write(project.path('src/components/fix.sh'), 'echo leaked > src/secret.ts; echo new > src/other.ts\n'),
      bash('sh src/components/fix.sh'),
      { text: 'Done.' },
    ]);
    expect(run.shown).toContain('src/secret.ts: it is outside the owned_scope of Intent INT-001');
    expect(project.text('src/secret.ts')).toBe("export const secret = 'untouched';\n");
    expect(project.has('src/other.ts')).toBe(false);
    expect(project.violations().at(-1)).toMatchObject({ kind: 'scope', hook: 'ReconcileHook' });
    const kept = fs.readdirSync(project.path('.orchestration/quarantine'), { recursive: true }).map(String);
    expect(kept.some((name) => name.endsWith('src/secret.ts'))).toBe(true);
  });

  it('records what a command changed inside the scope', async () => {
    await project.claude([
      select(),
      bash(
        'printf "a\\nb\\n" > src/components/list.txt && mv src/components/button.ts src/components/knob.ts',
      ),
      { text: 'Done.' },
    ]);
    const entries = project.log('agent_trace.jsonl');
    expect(entries.map(({ path, mutation, from_path }) => ({ path, mutation, from_path }))).toEqual(
      expect.arrayContaining([
        { path: 'src/components/list.txt', mutation: 'create', from_path: undefined },
        { path: 'src/components/knob.ts', mutation: 'move', from_path: 'src/components/button.ts' },
      ]),
    );
    expect(entries.find(({ path }) => path === 'src/components/list.txt')?.content_hash).toBe(
      project.sha256('src/components/list.txt'),
    );
  });

  it('governs a subagent in its parent’s session', async () => {
    const inner = project.path('src/leak.ts');
    const run = await project.claude({
      main: [
        select(),
        {
          calls: [
            {
              name: 'Agent',
              input: { description: 'sub', prompt: 'SUBTASK do it', subagent_type: 'general-purpose' },
            },
          ],
        },
        { text: 'Done.' },
      ],
      subagents: [
        {
          marker: 'SUBTASK',
          script: [
            write(inner, 'x'),
            write(project.path('src/components/sub.ts'), 'ok\n'),
            { text: 'SUB DONE' },
          ],
        },
      ],
    });
    expect(run.code).toBe(0);
    expect(project.has('src/leak.ts')).toBe(false);
    expect(project.text('src/components/sub.ts')).toBe('ok\n');
    expect(
      project.log('tool_receipts.log').filter(({ agent_id }) => agent_id !== undefined).length,
    ).toBeGreaterThan(0);
  });

  it('needs a new handshake for the next request', async () => {
    const first = await project.claude([select(), bash('ls'), { text: 'Done.' }]);
    const second = await project.claude([bash('ls src'), { text: 'Done.' }], {
      resume: first.json!.session_id!,
    });
    expect(second.results.at(-1)).toContain(STATE);
  });
});

describe('the circuit breaker', () => {
  it('ends the session at the fourth identical call; only a hand edit lets it resume', async () => {
    const loop = Array.from({ length: 6 }, () => bash('ls src'));
    const run = await project.claude([select(), ...loop, { text: 'Done.' }]);
    expect(run.json?.terminal_reason).toBe('hook_stopped');
    const attempts = project
      .log('tool_receipts.log')
      .filter(({ phase, tool }) => phase === 'pre' && tool === 'shell');
    expect(attempts.map(({ status }) => status)).toEqual(['allowed', 'allowed', 'allowed', 'denied']);
    expect(attempts.at(-1)).toMatchObject({
      violation: { kind: 'loop', hook: 'CircuitBreakerHook' },
      state: 'HALTED',
    });
    const yaml = project.text('.orchestration/active_intents.yaml');
    const unblocked = yaml
      .replace(/status: BLOCKED/, 'status: IN_PROGRESS')
      .replace(/ {4}blocked_reason: "loop[^\n]*\n/, '');
    expect(unblocked).toBe(INTENTS);

    const resumed = await project.claude([select(), { text: 'Done.' }], { resume: run.json!.session_id! });
    expect(resumed.json?.terminal_reason).toBe('hook_stopped');
    expect(project.violations().at(-1)?.message).toContain('Session Halted');
    const fresh = await project.claude([select(), { text: 'Done.' }]);
    expect(fresh.results.at(-1)).toContain('intent INT-001 is BLOCKED');

    project.edit('status: BLOCKED', 'status: IN_PROGRESS');
    const after = await project.claude([select(), bash('ls src'), { text: 'Done.' }], {
      resume: run.json!.session_id!,
    });
    expect(after.results.at(-1)).toContain('secret.ts');
  });

  it('blocks the intent when its turns are used up', async () => {
    project.edit(
      'acceptance_criteria: []\n    x-team',
      'acceptance_criteria: []\n    budget: {max_turns: 2}\n    x-team',
    );
    const run = await project.claude([
      select(),
      bash('ls src'),
      bash('ls .'),
      bash('pwd'),
      { text: 'Done.' },
    ]);
    expect(run.results.at(-1)).toContain('Budget Exhausted: Intent INT-001 has used its 2 turns');
    expect(project.text('.orchestration/active_intents.yaml')).toContain('status: BLOCKED');
  });

  it('blocks the intent when its tokens are used up', async () => {
    project.edit(
      'acceptance_criteria: []\n    x-team',
      'acceptance_criteria: []\n    budget: {max_tokens: 5000}\n    x-team',
    );
    const run = await project.claude([
      select(),
      { ...bash('ls src'), usage: { input_tokens: 6000, output_tokens: 10 } },
      bash('ls .'),
      bash('pwd'),
      { text: 'Done.' },
    ]);
    expect(run.results.join('\n')).toMatch(
      /Budget Exhausted: Intent INT-001 has used \d+ of its 5000 tokens/,
    );
    expect(project.violations()[0]).toMatchObject({ kind: 'budget', hook: 'BudgetHook' });
  });
});

describe('its own state', () => {
  it('is out of the agent’s reach', async () => {
    const run = await project.claude([
      select(),
      bash('rm -rf .orchestration'),
      bash('rm -rf .orch*'),
      write(project.path('.orchestration/notes.md'), 'x'),
      bash("node -e \"require('fs').rmSync('.claude',{recursive:true})\""),
      bash('pactclaw intent complete INT-001'),
      bash('D=.orch; rm -rf "$D"estration'),
      { text: 'Done.' },
    ]);
    for (const result of run.results.slice(1))
      expect(result).toMatch(/Governance Violation: .*(protected|humans only)/s);
    expect(project.has('.orchestration/active_intents.yaml')).toBe(true);
    expect(project.has('.claude/settings.local.json')).toBe(true);
  });

  it('refuses every call once a human has removed it', async () => {
    fs.rmSync(project.path('.orchestration'), { recursive: true });
    const run = await project.claude([
      select(),
      write(project.path('src/components/new.ts'), 'x'),
      bash('touch src/components/t'),
      { text: 'Done.' },
    ]);
    for (const result of run.results)
      expect(result).toContain('Fail-Safe Default: orchestration state missing');
    expect(project.has('src/components/new.ts')).toBe(false);
    expect(project.has('src/components/t')).toBe(false);
  });

  it('gives the agent its bounds again after compaction', async () => {
    project.edit(
      'acceptance_criteria: []\n    x-team',
      'acceptance_criteria: []\n    budget: {max_tokens: 9000000}\n    x-team',
    );
    const run = await project.claude(
      [
        select(),
        { ...bash('ls src'), usage: { input_tokens: 990_000, output_tokens: 5 } },
        bash('ls .'),
        { text: 'Done.' },
      ],
      {},
    );
    const last = run.requests.filter(({ kind }) => kind === 'main').at(-1);
    expect(last!.shown).toContain('Components stay free of network access');
    expect(project.log('tool_receipts.log').map(({ tool }) => tool)).toEqual(
      expect.arrayContaining(['pactclaw.pre_compact', 'pactclaw.context_reinjected']),
    );
  });
});
