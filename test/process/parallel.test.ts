import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { GovernedProject } from '../e2e/support/governed.ts';
import { FakeHost, toAnswer } from './support/host.ts';

let project: GovernedProject;

beforeEach(() => {
  project = new GovernedProject();
});
afterEach(() => project.remove());

/** Attempts on record: one `pre` line each. */
function attempts(): Set<string> {
  return new Set(
    project
      .log('tool_receipts.log')
      .flatMap(({ phase, call_id }) => (phase === 'pre' ? [String(call_id)] : [])),
  );
}

/** Processes that do nothing but keep the processors busy. */
function startLoad(count: number): () => void {
  const busy = Array.from({ length: count }, () => spawn('/bin/sh', ['-c', 'while :; do :; done']));
  return () => {
    for (const one of busy) one.kill('SIGKILL');
  };
}

it('U-13: 32 hook processes at once, 50 calls each beside a load of 16, keep one valid chain; none is refused for the lock', {
  timeout: 1_800_000,
}, async () => {
  onTestFinished(startLoad(16));
  const setup = new FakeHost(project, 'worker-0');
  setup.select();
  const before = attempts().size;
  const worker = async (id: number): Promise<void> => {
    const host = new FakeHost(project, id === 0 ? 'worker-0' : `worker-${id}`);
    for (let call = 0; call < 50; call += 1) {
      const input = {
        tool_name: 'Write',
        tool_use_id: `${id}-${call}`,
        tool_input: { file_path: project.path('src/components/a.ts'), content: `${id} ${call}` },
      };
      const answer = await host.fireAsync('PreToolUse', input);
      expect(answer.text).not.toContain('Fail-Safe');
      expect(answer.denied, answer.text).toBe(id !== 0);
    }
  };
  await Promise.all(Array.from({ length: 32 }, (_, id) => worker(id)));
  expect(attempts().size - before).toBe(1600);
  expect(project.json('receipt', 'verify')).toMatchObject({ valid: true });
  expect(project.cli('fsck').code).toBe(0);
});

it('hook processes that come one after another keep the write-ahead log short', { timeout: 300_000 }, () => {
  const host = new FakeHost(project, 'alone');
  host.select();
  const sizes = Array.from({ length: 30 }, (_, turn) => {
    host.fire('PreToolUse', {
      tool_name: 'Write',
      tool_use_id: `w${turn}`,
      tool_input: { file_path: project.path('src/components/a.ts'), content: `${turn}` },
    });
    return statSync(project.path('.orchestration/state.db-wal')).size;
  });
  expect(Math.max(...sizes)).toBeLessThan(1_000_000);
  expect(sizes.some((size, at) => at > 0 && size < (sizes[at - 1] ?? 0))).toBe(true);
  expect(project.cli('fsck').code).toBe(0);
});

it('loses no acknowledged record in 200 hook processes killed at random moments', {
  timeout: 600_000,
}, async () => {
  // Each call that is answered is a turn.
  project.edit('    x-team:', '    budget: { max_turns: 1000 }\n    x-team:');
  const host = new FakeHost(project, 'killed');
  host.select();
  const acknowledged: string[] = [];
  let killed = 0;
  for (let run = 0; run < 200; run += 1) {
    const id = `kill-${run}`;
    const payload = host.payload('PreToolUse', {
      tool_name: 'Write',
      tool_use_id: id,
      tool_input: { file_path: project.path('src/components/a.ts'), content: id },
    });
    const child = spawn(host.launcher, host.args('PreToolUse'), {
      env: host.environment,
      stdio: 'pipe',
      detached: true,
    });
    let stdout = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stdin.on('error', () => {});
    child.stdin.end(payload);
    const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), Math.random() * 90);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    if (code === null) killed += 1;
    else if (!toAnswer(code, stdout, '').denied) acknowledged.push(id);
  }
  expect(killed).toBeGreaterThan(10);
  const recorded = attempts();
  expect(acknowledged.filter((id) => !recorded.has(id))).toEqual([]);
  expect(host.call('Read', { file_path: project.path('src/secret.ts') }).before.denied).toBe(false);
  expect(project.json('receipt', 'verify')).toMatchObject({ valid: true });
  expect(project.cli('fsck').code).toBe(0);
});
