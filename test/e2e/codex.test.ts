/** What only Codex does, seen with the real client: what its hooks are not told, and what it trusts. */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Step } from '../../fixtures/model/scripted-model.ts';
import { GovernedProject } from './support/governed.ts';

const handshake: Step = {
  calls: [{ role: 'handshake', intentId: 'INT-001', reasoning: 'The request is about this.' }],
};
const command = (cmd: string, more: object = {}): Step => ({
  calls: [{ name: 'exec_command', input: { cmd, ...more } }],
});
const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const byShell = (text: string) => command(`apply_patch <<'EOF'\n${text}\nEOF`);
/** Writes a file in a way that cannot be read off the command. */
const hidden = (file: string) => `node -e "require('fs').writeFileSync('${file}', 'x')"`;

let project: GovernedProject;
beforeEach(() => {
  project = new GovernedProject({ host: 'codex' });
});
afterEach(() => project.remove());

const trace = () =>
  project.log('agent_trace.jsonl').flatMap(({ path: file }) => (file === null ? [] : [file]));
const outcomes = () =>
  project
    .log('tool_receipts.log')
    .filter(({ phase, tool }) => phase === 'post' && tool !== 'select_active_intent')
    .map(({ tool, status }) => `${String(tool)} ${String(status)}`);

describe('commands', () => {
  it('are judged in the folder that the model chose', async () => {
    const run = await project.run([
      handshake,
      command('echo x > here.ts', { workdir: project.path('src/components') }),
      command('echo x > here.ts', { workdir: 'src' }),
    ]);
    expect(project.has('src/components/here.ts')).toBe(true);
    expect(run.results[2]).toContain('Governance Violation: src/here.ts is outside the owned_scope');
    expect(project.has('src/here.ts')).toBe(false);
  });

  it('get no terminal, into which the model could type what no hook hears of', async () => {
    const run = await project.run([handshake, command('bash', { tty: true }), command('cat')]);
    expect(run.results[1]).toContain('Policy Violation: the command would go on after its check');
    expect(run.results[2]).toContain('Process exited with code 0');
  });

  it('that fail are recorded as failed, though no hook hears of it', async () => {
    await project.run([
      handshake,
      command('false'),
      command('ls', { workdir: '/nonexistent' }),
      {
        calls: [
          { name: 'apply_patch', input: patch('*** Update File: src/components/button.ts', '@@', '-no') },
        ],
      },
    ]);
    expect(outcomes()).toEqual(['shell failed', 'shell failed', 'patch failed']);
  });

  it('are refused in a session of which the client keeps no record', async () => {
    const run = await project.run([handshake, command('ls')], { args: ['--ephemeral'] });
    expect(run.results[1]).toContain('does not show this command');
  });
});

it('F-7: a script that switches off the hooks of the next session is undone', async () => {
  const files = [path.join(project.home, '.codex'), project.path('.codex')].flatMap((folder) =>
    ['hooks.json', 'config.toml'].map((name) => path.join(folder, name)),
  );
  const read = () => files.map((file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null));
  project.put(
    'src/components/tamper.mjs',
    `import fs from 'node:fs';
import path from 'node:path';
for (const file of ${JSON.stringify(files)}) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, file.endsWith('.json') ? '{}' : '[features]\\nhooks = false\\n');
}
console.log('tampered');`,
  );
  const before = read();
  expect(before.some((text) => text !== null)).toBe(true);
  const run = await project.run([handshake, command('node src/components/tamper.mjs'), command('ls')]);
  expect(run.results[1]).toContain('.codex');
  expect(run.results[2]).toContain('State Violation');
  expect(read()).toEqual(before);
});

describe('a patch through a shell', () => {
  it('in scope is recorded, though no hook hears of its end', async () => {
    await project.run([handshake, byShell(patch('*** Add File: src/components/p.ts', '+x'))]);
    expect(trace()).toEqual(['src/components/p.ts']);
  });

  it('out of scope is refused', async () => {
    const run = await project.run([handshake, byShell(patch('*** Delete File: src/secret.ts'))]);
    expect(run.results[1]).toContain('Governance Violation: src/secret.ts is outside');
    expect(project.has('src/secret.ts')).toBe(true);
  });
});

describe('a command that the client hands back as running', () => {
  it('is looked at when the turn is over, if nobody asked for the rest of it', async () => {
    await project.run([
      handshake,
      command(`sleep 1; ${hidden('leak.ts')}; ${hidden('src/components/late.ts')}`, { yield_time_ms: 250 }),
      command('sleep 2; true'),
    ]);
    expect(project.has('leak.ts')).toBe(false);
    expect(trace()).toContain('src/components/late.ts');
    expect(project.text('.orchestration/active_intents.yaml')).toMatch(/INT-001[^-]*status: BLOCKED/);
  });

  it('is looked at too when the client ends it', async () => {
    await project.run([handshake, command(`${hidden('leak.ts')}; sleep 60`, { yield_time_ms: 900 })]);
    expect(project.has('leak.ts')).toBe(false);
    expect(outcomes()).toEqual(['shell denied']);
  });
});

describe('trust', () => {
  const ran = async () => {
    await project.run([command('echo x > free.txt')]);
    return project.has('free.txt');
  };

  it('of a hook that somebody edits is lost: the client runs the call, and verify says so', async () => {
    const hooks = project.path('.codex/hooks.json');
    fs.writeFileSync(hooks, fs.readFileSync(hooks, 'utf8').replaceAll('"timeout": 30', '"timeout": 31'));
    expect(await ran()).toBe(true);
    const { code, stdout } = project.cli('verify', 'codex');
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('it skips PreToolUse'),
    });
  });

  it('of the project decides over its hooks, and not over those of the user', async () => {
    const config = path.join(project.home, '.codex/config.toml');
    const distrusted = fs.readFileSync(config, 'utf8').replace('"trusted"', '"untrusted"');
    fs.writeFileSync(config, distrusted);
    expect(project.cli('verify', 'codex')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('NOT governed'),
    });
    expect(await ran()).toBe(true);
    fs.rmSync(project.path('free.txt'));
    project.cli('uninstall', 'codex');
    expect(project.cli('install', 'codex', '--user').code).toBe(0);
    expect(await ran()).toBe(false);
  });
});

it('a session does not begin without the handshake server', async () => {
  const config = project.path('.codex/config.toml');
  fs.writeFileSync(config, fs.readFileSync(config, 'utf8').replace('"serve"', '"no-such-command"'));
  const run = await project.run([{ text: 'All done.' }]);
  expect(run.code).not.toBe(0);
  expect(run.requests).toEqual([]);
});

it('shows the handshake to an agent that looks for it at once, though the server is slow to start', async () => {
  const file = project.path('.codex/config.toml');
  const slow = project.path('../slow');
  fs.writeFileSync(slow, '#!/bin/sh\nsleep 2\nexec "$@"\n', { mode: 0o755 });
  const before = fs.readFileSync(file, 'utf8');
  const after = before.replace(/command = (".*")\nargs = \[/, `command = "${slow}"\nargs = [$1, `);
  expect(after).not.toBe(before);
  fs.writeFileSync(file, after);
  const run = await project.run([handshake, { text: 'All done.' }]);
  expect(run.requests[0]?.search).toBe(true);
  expect(run.results[0]).toContain('owned_scope');
});
