/** The harness itself: were it broken, every end-to-end test above it would prove nothing. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claudeJson } from './clients/claude-code.ts';
import type { ClientName } from './clients/pins.ts';
import { CLIENTS, runClient } from './run-client.ts';

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

describe.each(Object.keys(CLIENTS) as ClientName[])('%s', (name) => {
  test('does what the model says, shows it the results, and takes the session up again where it can', async () => {
    const run = await runClient(name, {
      cwd,
      home,
      prompt: 'Write a greeting.',
      model: [
        { calls: [{ role: 'shell', command: 'echo from-shell | tee said.txt' }] },
        { text: 'Now the file.', calls: [{ role: 'write', path: join(cwd, 'hi.txt'), content: 'hi\n' }] },
        { calls: [{ role: 'read', path: join(cwd, 'hi.txt') }] },
        { text: 'All done.' },
      ],
    });
    expect(run).toMatchObject({ code: 0, timedOut: false, answer: 'All done.' });
    expect(await readFile(join(cwd, 'said.txt'), 'utf8')).toBe('from-shell\n');
    expect(await readFile(join(cwd, 'hi.txt'), 'utf8')).toBe('hi\n');
    expect(run.results).toHaveLength(3);
    expect(run.results[0]).toContain('from-shell');
    expect(run.results[2]).toContain('hi');
    if (CLIENTS[name].resumesNot !== undefined) return;
    const again = await runClient(name, {
      cwd,
      home,
      prompt: 'Go on.',
      model: [{ text: 'Back.' }],
      resume: run.session!,
    });
    expect(again).toMatchObject({ code: 0, answer: 'Back.', session: run.session });
    expect(again.shown).toContain('Write a greeting.');
  });
});

test('a subagent follows its own script', async () => {
  const agent = {
    description: 'd',
    prompt: 'SUBTASK-1: go',
    subagent_type: 'general-purpose',
    run_in_background: false,
  };
  const run = await runClient('claude-code', {
    cwd,
    home,
    prompt: 'Delegate.',
    model: {
      main: [{ calls: [{ name: 'Agent', input: agent }] }, { text: 'End.' }],
      subagents: [{ marker: 'SUBTASK-1', script: [{ calls: [shell('echo inside')] }, { text: 'one' }] }],
    },
  });
  expect(run.answer).toBe('End.');
  expect(run.requests.map((request) => request.kind)).toEqual(['main', 'subagent', 'subagent', 'main']);
});

test('compaction is told apart from the main turn', async () => {
  const run = await runClient('claude-code', {
    cwd,
    home,
    prompt: 'Begin.',
    model: [{ calls: [shell('echo 1')], usage: { input_tokens: 990_000 } }, { text: 'Paused.' }],
  });
  expect(run.requests.map((request) => request.kind)).toEqual(['main', 'compact', 'main']);
});

test('a run that hangs is ended, and a broken script fails at once', async () => {
  const stuck = [{ calls: [shell('tail -f /dev/null')] }];
  const run = await runClient('claude-code', { cwd, home, prompt: 'Wait.', model: stuck, timeoutMs: 3_000 });
  expect(run.timedOut).toBe(true);
  const broken = () => {
    throw new Error('no such step');
  };
  const failed = await runClient('claude-code', { cwd, home, prompt: 'Fail.', model: broken });
  expect(failed.code).toBe(1);
  expect(claudeJson(failed.stdout)?.result).toContain('no such step');
});

function shell(command: string) {
  return { role: 'shell' as const, command };
}
