import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GovernedProject } from '../e2e/support/governed.ts';
import { FakeHost } from './support/host.ts';

/**
 * One scenario a named hook, through the installed program. The wiring check builds PactClaw without each hook in
 * turn and expects this suite to fail: a control that is advertised but not wired in would show here.
 */
let project: GovernedProject;
let host: FakeHost;

beforeEach(() => {
  project = new GovernedProject();
  host = new FakeHost(project);
});
afterEach(() => project.remove());

const read = (name: 'agent_trace.jsonl' | 'tool_receipts.log') => project.log(name);

it('SessionHook: a session that begins anew has no intent', () => {
  host.select();
  expect(host.fire('SessionStart', { source: 'startup' }).text).toContain('INT-001');
  expect(host.bash('ls').before.text).toContain('State Violation');
});

it('RequestHook: a new request needs a new handshake', () => {
  host.select();
  expect(host.fire('UserPromptSubmit', { prompt: 'next' }).text).toContain('INT-002');
  expect(host.bash('ls').before.text).toContain('State Violation: Reasoning Intercept Required');
});

it('FailSafeHook: a broken registry refuses what the intent would allow', () => {
  host.select();
  project.edit('status: IN_PROGRESS', 'status: SOMETHING');
  const { before } = host.write('src/components/a.ts', 'a\n');
  expect(before).toMatchObject({ denied: true, code: 2 });
  expect(before.text).toMatch(
    /^Fail-Safe Default: orchestration state corrupted: INT-001: status must be one of/,
  );
  expect(read('tool_receipts.log').at(-1)).toMatchObject({ violation: { hook: 'FailSafeHook' } });
});

it('EmergencyStopHook: nothing runs while the stop is set', () => {
  host.select();
  fs.mkdirSync(path.join(project.home, '.pactclaw'), { recursive: true });
  expect(project.cli('estop').code).toBe(0);
  expect(host.bash('ls').before.text).toContain('Emergency Stop');
  expect(project.cli('estop', '--clear').code).toBe(0);
  expect(host.bash('ls src').before.denied).toBe(false);
});

it('ReasoningInterceptHook: no tool before the handshake', () => {
  expect(host.call('Read', { file_path: project.path('src/secret.ts') }).before.text).toContain(
    'State Violation: Reasoning Intercept Required',
  );
});

it('IntentStatusHook: a completed intent ends its sessions at the next call', () => {
  host.select();
  project.edit('status: IN_PROGRESS', 'status: COMPLETED');
  expect(host.call('Read', { file_path: project.path('src/secret.ts') }).before.text).toContain(
    'State Violation: Reasoning Intercept Required (Intent INT-001 is COMPLETED)',
  );
});

it('HandshakeHook: an unknown intent is not selected', () => {
  expect(host.select('INT-404').before.text).toContain('Validation Error: unknown intent INT-404');
});

it('BudgetHook: a spent budget blocks the intent', () => {
  project.edit(
    'acceptance_criteria: []\n    x-team',
    'acceptance_criteria: []\n    budget: {max_tokens: 500}\n    x-team',
  );
  host.select();
  host.bash('ls');
  host.respond(600);
  expect(host.bash('ls src').before.text).toContain('Budget Exhausted: Intent INT-001');
  expect(project.text('.orchestration/active_intents.yaml')).toContain('status: BLOCKED');
});

it('CircuitBreakerHook: the fourth identical call ends the session', () => {
  host.select();
  for (let at = 0; at < 3; at += 1) expect(host.bash('ls').before.denied).toBe(false);
  expect(host.bash('ls').before).toMatchObject({ denied: true, ended: true });
});

it('BreadthHook: a broad scope is not selected', () => {
  project.edit('["src/components/**"]', '["src/**/*"]');
  expect(host.select().before.text).toContain('Governance Violation: Scope too broad: src/**/*');
});

it('SelfProtectionHook: the governing state is out of reach even when the scope names it', () => {
  host.select();
  const { before } = host.bash('python3 -c "import shutil; shutil.rmtree(\'.orchestration\')"');
  expect(before.text).toContain('protected');
  expect(read('tool_receipts.log').at(-1)).toMatchObject({ violation: { hook: 'SelfProtectionHook' } });
});

it('ScopeEnforcementHook: a write outside the scope is refused', () => {
  host.select();
  expect(host.write('src/leak.ts', 'x').before.text).toContain(
    'Governance Violation: src/leak.ts is outside the owned_scope of Intent INT-001',
  );
});

it('OwnershipHook: a file belongs to the open intent that changed it', () => {
  host.select();
  host.write('src/components/shared.ts', 'a\n');
  const other = new FakeHost(project, 'session-2');
  other.select('INT-002');
  expect(other.write('src/components/shared.ts', 'b\n').before.text).toContain(
    'Governance Violation: File owned by Intent INT-001',
  );
});

it('SecurityPolicyHook: a command that outlives its check is refused', () => {
  host.select();
  expect(host.bash('sleep 1 &').before.text).toContain('would go on after its check');
});

it('PreimageHook: only the lines that a write changed are recorded', () => {
  project.put('src/components/two.ts', 'one\ntwo\n');
  host.select();
  host.write('src/components/two.ts', 'one\nTWO\n');
  expect(read('agent_trace.jsonl').at(-1)).toMatchObject({
    mutation: 'modify',
    ranges: [{ start_line: 2, end_line: 2 }],
  });
});

it('ContainmentHook: a command that must be contained is refused where its host has no seam for it', () => {
  project.put('.orchestration/config.yaml', 'execution: {mode: contained}\n');
  host.select();
  const { before } = host.bash('ls');
  expect(before).toMatchObject({ denied: true, code: 2 });
  expect(before.text).toContain('CLAUDE_CODE_SHELL_PREFIX does not name PactClaw');
  expect(read('tool_receipts.log').at(-1)).toMatchObject({ violation: { hook: 'ContainmentHook' } });
});

it('SnapshotHook: what a command writes outside the scope is undone', () => {
  host.select();
  host.bash(
    "f=secret; sh -c \"echo x > src/$f.ts\" 2>/dev/null; python3 -c \"open('src/'+'secret.ts','w').write('x')\"",
  );
  expect(project.text('src/secret.ts')).toContain('untouched');
});

it('HandshakeTransitionHook: the handshake lets the session act', () => {
  expect(host.select().after?.text).toContain('src/components/**');
  expect(host.bash('ls').before.denied).toBe(false);
});

it('ReconcileHook: a violation found afterwards blocks the intent', () => {
  host.select();
  project.put('src/components/fix.py', "open('src/secret.ts','w').write('x')\n");
  expect(host.bash('python3 src/components/fix.py').after?.text).toContain('undone');
  expect(project.text('src/secret.ts')).toContain('untouched');
  expect(project.text('.orchestration/active_intents.yaml')).toContain('status: BLOCKED');
});

it('AuditLedgerHook: a write is in the ledger with its hash', () => {
  host.select();
  host.write('src/components/new.ts', 'x\n');
  expect(read('agent_trace.jsonl').at(-1)).toMatchObject({
    path: 'src/components/new.ts',
    content_hash: project.sha256('src/components/new.ts'),
  });
});

it('IntentMapHook: a write is in the map at once', () => {
  host.select();
  host.write('src/components/new.ts', 'x\n');
  expect(project.text('.orchestration/intent_map.md')).toContain('| src/components/new.ts | INT-001 |');
});

it('CompactionHook: what was used before a compaction is counted', () => {
  host.select();
  host.bash('ls');
  host.respond(55);
  host.fire('PreCompact', { trigger: 'auto' });
  expect(project.json<{ usage: { tokens: number } }>('intent', 'show', 'INT-001').usage.tokens).toBe(55);
});

it('ContextReinjectionHook: the bounds are given again after compaction', () => {
  host.select();
  expect(host.fire('SessionStart', { source: 'compact' }).text).toContain(
    'Components stay free of network access',
  );
  expect(read('tool_receipts.log').at(-1)).toMatchObject({ tool: 'pactclaw.context_reinjected' });
});

it('UsageHook: the last response is counted when the run stops', () => {
  host.select();
  host.bash('ls');
  host.respond(77);
  host.fire('Stop');
  expect(project.json<{ usage: { tokens: number } }>('intent', 'show', 'INT-001').usage.tokens).toBe(77);
});

it('LessonsHook: what was refused is a lesson of the shared brain', () => {
  host.select();
  host.write('src/leak.ts', 'x');
  host.fire('Stop');
  expect(project.text('.orchestration/AGENT.md')).toMatch(/## Lessons[\s\S]*INT-001[\s\S]*src\/leak\.ts/);
});
