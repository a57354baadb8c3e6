/** The harness itself: were it broken, every end-to-end test above it would prove nothing. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runClaude } from './claude-code.ts';

let root: string;
let cwd: string;
let home: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pactclaw-e2e-'));
  cwd = join(root, 'project');
  home = join(root, 'home');
  await mkdir(cwd);
});

afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));

test('the model calls Bash, then Write, then ends', async () => {
  const run = await runClaude({
    cwd,
    home,
    prompt: 'Write a greeting.',
    model: [
      { calls: [{ name: 'Bash', input: { command: 'echo from-bash', description: 'say' } }] },
      {
        text: 'Now the file.',
        calls: [{ name: 'Write', input: { file_path: join(cwd, 'hi.txt'), content: 'hi\n' } }],
      },
      { text: 'All done.' },
    ],
  });
  expect(run.stderr).toBe('');
  expect(run.code).toBe(0);
  expect(run.json).toMatchObject({
    result: 'All done.',
    terminal_reason: 'completed',
    permission_denials: [],
  });
  expect(await readFile(join(cwd, 'hi.txt'), 'utf8')).toBe('hi\n');
  expect(run.requests.map((request) => request.kind)).toEqual(['main', 'main', 'main']);
  const last = run.requests.at(-1)!;
  expect(last.tools).toContain('Bash');
  expect(last.results[0]).toMatchObject({ text: 'from-bash', isError: false });
});

test('a subagent follows its own script', async () => {
  const agent = {
    description: 'd',
    prompt: 'SUBTASK-1: go',
    subagent_type: 'general-purpose',
    run_in_background: false,
  };
  const run = await runClaude({
    cwd,
    home,
    prompt: 'Delegate.',
    model: {
      main: [{ calls: [{ name: 'Agent', input: agent }] }, { text: 'End.' }],
      subagents: [{ marker: 'SUBTASK-1', script: [{ calls: [bash('echo inside')] }, { text: 'one' }] }],
    },
  });
  expect(run.json?.result).toBe('End.');
  expect(run.requests.map((request) => request.kind)).toEqual(['main', 'subagent', 'subagent', 'main']);
});

test('compaction is told apart from the main turn, and a session can be resumed', async () => {
  const first = await runClaude({
    cwd,
    home,
    prompt: 'Begin.',
    model: [{ calls: [bash('echo 1')], usage: { input_tokens: 990_000 } }, { text: 'Paused.' }],
  });
  expect(first.requests.map((request) => request.kind)).toEqual(['main', 'compact', 'main']);
  const id = first.json?.session_id;
  const second = await runClaude({ cwd, home, prompt: 'Go on.', model: [{ text: 'Back.' }], resume: id! });
  expect(second.json).toMatchObject({ result: 'Back.', session_id: id });
});

test('a run that hangs is ended, and a broken script fails at once', async () => {
  const stuck = [{ calls: [bash('tail -f /dev/null')] }];
  const run = await runClaude({ cwd, home, prompt: 'Wait.', model: stuck, timeoutMs: 3_000 });
  expect(run.timedOut).toBe(true);
  const broken = () => {
    throw new Error('no such step');
  };
  const failed = await runClaude({ cwd, home, prompt: 'Fail.', model: broken });
  expect(failed.code).toBe(1);
  expect(failed.json?.result).toContain('no such step');
});

function bash(command: string) {
  return { name: 'Bash', input: { command, description: 'run' } };
}
