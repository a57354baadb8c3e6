import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GovernedProject } from '../e2e/support/governed.ts';
import { FakeHost, toAnswer } from './support/host.ts';

/** Ways to make the gate itself fail. Whatever happens to the hook, the answer is a refusal. */
describe.each(['in a process of its own', 'beside a resident engine'])('%s', (where) => {
  let project: GovernedProject;
  let host: FakeHost;

  beforeAll(() => {
    project = new GovernedProject();
    host = new FakeHost(project);
    host.select();
    if (where.endsWith('engine')) project.json('serve', '--background');
  });
  afterAll(() => {
    if (where.endsWith('engine')) project.cli('serve', '--stop');
    project.remove();
  });

  const run = (shell: string, input: string | Buffer, env: Record<string, string> = {}) =>
    spawnSync('bash', ['-c', shell], {
      env: { ...host.environment, ...env, L: host.launcher, N: process.execPath, R: project.root },
      input,
      // One that hangs is killed here, and is no refusal.
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
  const args = 'claude-code --workspace "$R" --event PreToolUse';
  const secret = () =>
    host.payload('PreToolUse', {
      tool_name: 'Write',
      tool_input: { file_path: project.path('src/secret.ts') },
      tool_use_id: 'x',
    });

  it.each([
    ...['-v 300000', '-f 0', '-f 1', '-n 5', '-n 12', '-n 20', '-s 64', '-u 1'].map((limit) => [
      `ulimit ${limit}`,
      `ulimit ${limit}; exec "$L" "$N" ${args}`,
    ]),
    ['no standard output', `exec "$L" "$N" ${args} >&-`],
    ['no standard error', `exec "$L" "$N" ${args} 2>&-`],
    ['no standard input', `exec "$L" "$N" ${args} <&-`],
    ['a full disk', `exec "$L" "$N" ${args} > /dev/full`],
    ['no Node', `exec "$L" /nonexistent ${args}`],
    ['another program for Node', `exec "$L" /bin/true ${args}`],
    ['a Node that says yes', `exec "$L" /bin/echo ${args}`],
    ['no PATH', `PATH= exec /bin/sh "$L" "$N" ${args}`],
    ['a Node that preloads', `NODE_OPTIONS='--require /nonexistent' exec "$L" "$N" ${args}`],
    ['another event', `exec "$L" "$N" \${0+claude-code} --workspace "$R" --event PostToolUse`],
    ['another workspace', `exec "$L" "$N" claude-code --workspace /nonexistent --event PreToolUse`],
  ])('%s', (_name, shell) => {
    const { status } = run(shell as string, secret());
    expect(status).toBe(2);
  });

  it.each<[string, () => string | Buffer]>([
    ['nothing', () => ''],
    ['no JSON', () => '{"session_id":'],
    ['a list', () => '[]'],
    ['no UTF-8', () => Buffer.from(secret().replace('secret', '\u00ff'), 'latin1')],
    [
      'too deep',
      () =>
        secret().replace('"tool_use_id"', `"a":${'['.repeat(200_000)}${']'.repeat(200_000)},"tool_use_id"`),
    ],
    [
      'deep arguments',
      () => secret().replace('"file_path"', `"a":${'['.repeat(200_000)}${']'.repeat(200_000)},"file_path"`),
    ],
    ['50 MB', () => secret().replace('"file_path"', `"content":"${'x'.repeat(50 << 20)}","file_path"`)],
    ['70 MB', () => secret().replace('"file_path"', `"content":"${'x'.repeat(70 << 20)}","file_path"`)],
    ['two tools', () => secret().replace('"tool_name":"Write"', '"tool_name":"Read","tool_name":"Write"')],
    ['arguments that are no object', () => secret().replace(/"tool_input":\{[^}]*\}/, '"tool_input":"x"')],
    ['a session that is no text', () => secret().replace('"session-1"', '{}')],
  ])('%s as the message', (_name, input) => {
    const { status, stdout, stderr } = run(`exec "$L" "$N" ${args}`, input());
    expect(toAnswer(status, String(stdout), String(stderr))).toMatchObject({ denied: true, code: 2 });
  });
});
