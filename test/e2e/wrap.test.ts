/** `pactclaw wrap` with every real client: governed for one run, and afterwards everything is as before. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, test } from 'vitest';
import { startScriptedModel } from '../../fixtures/model/scripted-model.ts';
import { baseEnv } from './support/clients/client.ts';
import { findExecutable, PINS } from './support/clients/pins.ts';
import { GovernedProject, PACKAGE } from './support/governed.ts';
import { HOSTS } from './support/hosts.ts';
import { CLIENTS } from './support/run-client.ts';
import { wiringIn } from './support/wiring-in.ts';

const STATE = 'State Violation: Reasoning Intercept Required';
const wrapper = (...options: string[]) => [
  process.execPath,
  path.join(PACKAGE, 'bin/pactclaw'),
  'wrap',
  ...options,
  '--',
];
let project: GovernedProject;
afterEach(() => project?.remove());

const runs = () => fs.readdirSync(path.join(project.home, '.pactclaw/wraps'));

/** What the host would read that names our launcher or our server: nothing, once the run is over. */
function leftovers(): string[] {
  const personal = [project.path('.claude/settings.local.json'), path.join(project.home, '.claude.json')];
  return [...project.installed, ...personal].filter(
    (file) =>
      fs.existsSync(file) &&
      /pactclaw-hook|mcp",\s*"serve|opencode-plugin|pi-extension/.test(fs.readFileSync(file, 'utf8')),
  );
}

/**
 * Settings that a human keeps in the project, laid out as no program of ours would do it, with what the client itself
 * writes into them at its first start.
 */
const OWN: Readonly<Partial<Record<(typeof HOSTS)[number]['host'], Record<string, string>>>> = {
  'claude-code': { '.claude/settings.local.json': '{ "env" : {"KEEP":"this"}\n}' },
  codex: { '.codex/hooks.json': '{"hooks" : { }}\n' },
  copilot: { '.mcp.json': '{"mcpServers" :{ } }' },
  gemini: { '.gemini/settings.json': '{\n\t"ui" : {"hideTips":true}\n}' },
  qwen: { '.qwen/settings.json': '{\n\t"ui" : {"hideTips":true}\n}' },
  opencode: {
    'opencode.json': '{ "$schema": "https://opencode.ai/config.json", "autoupdate" : false}',
  },
  pi: { '.pi/settings.json': '{ }\n' },
  cline: { '.clinerules/own.md': 'Be brief.\n' },
};

/** Every file of the project that an agent or PactClaw might touch, ignored ones too, with its bytes. */
function filesOf({ root }: GovernedProject): Record<string, string> {
  const all = fs.readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const names = all.map((one) => path.relative(root, path.join(one.parentPath, one.name)));
  const kept = names.filter((name) => !/^\.(git|orchestration)\//.test(name)).sort();
  return Object.fromEntries(kept.map((name) => [name, fs.readFileSync(path.join(root, name), 'latin1')]));
}

/** A project where nothing is registered, and what its files and the client's own settings held then. */
function ungoverned(host: (typeof HOSTS)[number]['host']) {
  project = new GovernedProject({ host });
  expect(project.cli('uninstall', host).code).toBe(0);
  for (const [file, text] of Object.entries(OWN[host] ?? {})) project.put(file, text);
  return {
    settings: project.settings(),
    own: ownSettings(),
    files: filesOf(project),
    status: project.gitStatus(),
  };
}

/** The client's settings in the home folder that the harness gave it; what is written anew for each run is none. */
function ownSettings(): Record<string, string> {
  const { files } = CLIENTS[project.host];
  const given = Object.entries(files(project.home, project.root)).filter(([, text]) => text !== '');
  return Object.fromEntries(
    given.map(([file]) => [file, fs.readFileSync(path.join(project.home, file), 'latin1')]),
  );
}

test('every client that the suite has is wrapped', () => {
  expect(HOSTS.map(({ host }) => host).sort()).toEqual(Object.keys(PINS).sort());
});

describe.each(HOSTS.map((one) => [one.title, one] as const))('%s', (_title, { host }) => {
  it('is governed while it is wrapped; then git and its own settings are as before', async () => {
    const before = ungoverned(host);
    const run = await project.run(
      [
        { calls: [{ role: 'write', path: project.path('src/components/new.ts'), content: 'early\n' }] },
        { calls: [{ role: 'handshake', intentId: 'INT-001', reasoning: 'The request is about this.' }] },
        { calls: [{ role: 'write', path: project.path('src/components/new.ts'), content: 'fresh\n' }] },
        { calls: [{ role: 'write', path: project.path('src/leak.ts'), content: 'leak\n' }] },
        { text: 'All done.' },
      ],
      { wrapper: wrapper() },
    );
    expect(run.stderr).toContain(`${host} is governed by its own hooks until it ends`);
    expect(run.results[0]).toContain(STATE);
    expect(run.results[1]).toContain('owned_scope');
    expect(project.text('src/components/new.ts')).toBe('fresh\n');
    expect(run.results[3]).toContain('outside the owned_scope');
    expect(project.has('src/leak.ts')).toBe(false);
    expect(run.answer).toBe('All done.');
    expect(wiringIn(project.settings())).toEqual(wiringIn(before.settings));
    expect(ownSettings()).toEqual(before.own);
    expect(filesOf(project)).toEqual({ ...before.files, 'src/components/new.ts': 'fresh\n' });
    expect(project.gitStatus().sort()).toEqual([...before.status, '?? src/components/new.ts'].sort());
    expect(leftovers()).toEqual([]);
    expect(runs()).toEqual(['lock.db']);
  });
});

test('a wrapper that is killed takes the agent with it, and its hooks go after it', async () => {
  const before = ungoverned('claude-code');
  const client = CLIENTS['claude-code'];
  const model = await startScriptedModel({
    main: [
      { calls: [{ role: 'handshake', intentId: 'INT-001', reasoning: 'x' }] },
      { calls: [{ role: 'shell', command: 'sleep 30' }] },
      { text: 'End.' },
    ],
  });
  const start = { cwd: project.root, home: project.home, url: model.url, prompt: 'Do the task.' };
  const [file = '', ...args] = [...wrapper(), findExecutable('claude-code') ?? '', ...client.args(start)];
  const child = spawn(file, args, {
    cwd: project.root,
    env: { ...baseEnv(project.home), ...client.env(start) },
    stdio: 'ignore',
  });
  await expect.poll(() => model.main().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
  child.kill('SIGKILL');
  await expect.poll(runs, { timeout: 20_000 }).toEqual(['lock.db']);
  expect(leftovers()).toEqual([]);
  expect(wiringIn(project.settings())).toEqual(wiringIn(before.settings));
  const asked = model.main().length;
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(model.main().length).toBe(asked);
  await model.close();
});

test('where a human has installed PactClaw already, nothing is added and nothing removed', async () => {
  project = new GovernedProject();
  const before = wiringIn(project.settings());
  const run = await project.run([{ text: 'Hello.' }], { wrapper: wrapper() });
  expect(run.stderr).toContain('registered there already');
  expect(wiringIn(project.settings())).toEqual(before);
});

test('an unknown agent gets doors in front of its model, and is told what they do not cover', async () => {
  project = new GovernedProject();
  const script =
    'console.log(process.env.ANTHROPIC_BASE_URL, process.env.OPENAI_BASE_URL, process.env.PACTCLAW_MCP_PROXY); process.exit(7)';
  const { code, stdout, stderr } = project.cli('wrap', '--', process.execPath, '-e', script);
  expect(code).toBe(7);
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+ http:\/\/127\.0\.0\.1:\d+\/v1 \S+ mcp proxy/);
  expect(stderr).toContain('not governed:');
  expect(project.cli('wrap', '--', '/nonexistent/agent').stderr).toContain('cannot be started');
  expect(project.cli('wrap').code).toBe(2);
});
