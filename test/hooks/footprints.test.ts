import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { workspaceAt } from '../../src/hooks/workspace.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

const UNDONE = 'the command changed what it may not, and this was undone';
let place: TestWorkspace;
let agent: Agent;
beforeEach(async () => {
  place = new TestWorkspace([{ id: 'INT-001' }]);
  place.put('.gitignore', '.claude/\n.codex/\n');
  agent = place.agent('s1');
  await agent.begin('INT-001');
});
afterEach(() => place[Symbol.dispose]());

/** A script that writes one file; what it says and what is there after. */
async function scripted(file: string, text: string | null) {
  const { after } = await agent.shell('node x.js', () => {
    if (text === null) rmSync(`${place.root}/${file}`);
    else place.put(file, text);
  });
  return { alarm: after?.alarm ?? '', now: place.text(file) };
}

describe('F-7: what governs a host is put back, wherever it lies', () => {
  test.each([
    '../home/.codex/hooks.json',
    '../home/.codex/config.toml',
    '.codex/hooks.json',
    '.codex/config.toml',
    '../home/.cline/data/settings/cline_mcp_settings.json',
    '../home/Documents/Cline/Rules/x.md',
    '../home/Documents/Cline/Hooks/PreToolUse',
    '../home/.codeium/windsurf/hooks.json',
  ])('%s', async (file) => {
    expect(await scripted(file, '[features]\nhooks=false\n')).toEqual({
      alarm: expect.stringContaining(UNDONE),
      now: null,
    });
  });

  test('a file that a folder of hooks loses comes back', async () => {
    place.put('.github/hooks/pactclaw.json', '{}');
    expect((await scripted('.github/hooks/pactclaw.json', null)).now).toBe('{}');
    place.put('../home/.copilot/hooks/x.json', '{}');
    place.setStatus('INT-001', 'IN_PROGRESS');
    await agent.begin('INT-001');
    expect((await scripted('../home/.copilot/hooks/x.json', null)).now).toBe('{}');
  });

  test('the model that a human chooses in Codex meanwhile stays', async () => {
    place.put('../home/.codex/config.toml', 'model = "a"\n[features]\nhooks = true\n');
    const chosen = 'model = "b"\n[features]\nhooks = true\n';
    expect(await scripted('../home/.codex/config.toml', chosen)).toEqual({ alarm: '', now: chosen });
    const off = 'model = "b"\n[features]\nhooks = false\n';
    expect((await scripted('../home/.codex/config.toml', off)).now).toBe(chosen);
  });
});

describe('F-7: what a variable puts elsewhere', () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    ['CODEX_HOME', 'config.toml'],
    ['CLAUDE_CONFIG_DIR', 'settings.json'],
    ['CLAUDE_CONFIG_DIR', 'agents/x.md'],
    ['GEMINI_CLI_HOME', '.gemini/settings.json'],
    ['CLINE_DATA_DIR', 'settings/cline_mcp_settings.json'],
  ])('is put back: %s/%s', async (variable, file) => {
    vi.stubEnv(variable, `${place.base}/elsewhere`);
    using moved = new TestWorkspace([{ id: 'INT-001' }]);
    const session = moved.agent('s2');
    await session.begin('INT-001');
    const path = `${place.base}/elsewhere/${file}`;
    expect((await session.write(path)).decision.refusedBy).toBe('self-protection');
    const { after } = await session.shell('node x.js', () => place.put(`../elsewhere/${file}`, 'x'));
    expect(after?.alarm).toContain(UNDONE);
    expect(place.text(`../elsewhere/${file}`)).toBeNull();
  });

  test('a folder that holds the workspace protects nothing in it', () => {
    vi.stubEnv('CODEX_HOME', place.base);
    expect(workspaceAt(place.root, '').ground.moved).toEqual([]);
  });
});

describe('F-7: ~/.claude.json is the host’s bookkeeping, except for what starts programs and gives trust', () => {
  const FILE = '../home/.claude.json';
  const server = { mine: { command: 'node' } };

  test('numbers and other projects change freely', async () => {
    place.put(FILE, JSON.stringify({ numStartups: 1, mcpServers: server }));
    const text = JSON.stringify({ numStartups: 2, mcpServers: server, projects: { '/x': { lastCost: 1 } } });
    expect(await scripted(FILE, text)).toEqual({ alarm: '', now: text });
  });

  test('a server that a script adds is taken out again, and the rest stays', async () => {
    place.put(FILE, JSON.stringify({ numStartups: 1, mcpServers: server }));
    const evil = { ...server, evil: { command: 'sh' } };
    const { alarm, now } = await scripted(FILE, JSON.stringify({ numStartups: 2, mcpServers: evil }));
    expect(alarm).toContain(UNDONE);
    expect(JSON.parse(now ?? '')).toEqual({ numStartups: 2, mcpServers: server });
  });

  test('trust that a script gives to this project is taken back, in a file that was not there', async () => {
    const text = JSON.stringify({
      projects: { [place.root]: { hasTrustDialogAccepted: true, lastCost: 1 } },
    });
    const { alarm, now } = await scripted(FILE, text);
    expect(alarm).toContain(UNDONE);
    expect(JSON.parse(now ?? '')).toEqual({ projects: { [place.root]: { lastCost: 1 } } });
  });
});

describe('F-18: what agents and git obey, though git ignores it', () => {
  test.each([
    '.claude/CLAUDE.md',
    '.claude/rules/x.md',
    '.claude/output-styles/x.md',
    '.claude/plugins/x/plugin.json',
    '.orchestration/.gitignore',
    '.orchestration/.gitattributes',
    '.orchestration/notes.txt',
    '.git/info/exclude',
    '.git/info/attributes',
  ])('%s is put back', async (file) => {
    const { alarm, now } = await scripted(file, '* x\n');
    expect(alarm).toContain(UNDONE);
    expect(now).not.toBe('* x\n');
  });

  const git = (...args: string[]) =>
    execFileSync('git', ['-C', place.root, ...args], {
      env: { PATH: process.env.PATH, HOME: `${place.base}/home` },
      stdio: 'pipe',
    });

  test.each([
    [['config', 'core.hooksPath', 'src/components'], '.git/config'],
    [['config', 'alias.st', '!sh x.sh'], '.git/config'],
    [['config', '--global', 'core.fsmonitor', 'sh x.sh'], '../home/.gitconfig'],
    [['config', '--global', 'include.path', 'x'], '../home/.gitconfig'],
  ])('a program in git’s settings is taken out: git %j', async (args, file) => {
    git('init', '-q');
    const before = place.text(file);
    const { after } = await agent.shell('node x.js', () => git(...args));
    expect(after?.alarm).toContain(UNDONE);
    expect(place.text(file)).toBe(before);
  });

  test.each([
    [['remote', 'add', 'origin', 'https://example.org/x.git']],
    [['config', 'user.name', 'A']],
    [['config', '--global', 'user.email', 'a@example.org']],
    [['config', 'branch.main.merge', 'refs/heads/main']],
    [['config', 'core.hooksPath', '.husky/_']],
  ])('honest git goes on: git %j', async (args) => {
    git('init', '-q');
    const { after } = await agent.shell('node x.js', () => git(...args));
    expect(after?.alarm).toBeNull();
  });

  test('honest git goes on: git init', async () => {
    const { after } = await agent.shell('node x.js', () => git('init', '-q'));
    expect(after?.alarm).toBeNull();
  });
});

describe('U-9: the host’s own working files', () => {
  test('the plan of plan mode may be written, other files of the host may not', async () => {
    const home = `${place.base}/home`;
    mkdirSync(`${home}/.claude/plans`, { recursive: true });
    expect((await agent.write(`${home}/.claude/plans/a.md`)).decision.verdict).toBe('allow');
    for (const file of [
      '.claude/settings.json',
      '.claude/plans/../settings.json',
      '.claude/projects/x.jsonl',
    ])
      expect((await agent.write(`${home}/${file}`)).decision.refusedBy).toBe('self-protection');
  });

  test.each(['claude --help', 'claude --version', 'codex exec --help', 'npx claude --help', 'gemini -h'])(
    '%s may run',
    async (command) => {
      expect((await agent.shell(command, () => undefined)).decision.verdict).toBe('allow');
    },
  );

  test.each([
    'claude -p hello',
    'codex exec "--help me"',
    'claude mcp add x -- sh --help',
    'goose run',
    'pi -p x',
  ])('%s may not', async (command) => {
    expect((await agent.shell(command, () => undefined)).decision.refusedBy).toBe('self-protection');
  });

  test.each([
    'python3 .claude/skills/pdf/scripts/fill.py --out src/components/a.ts',
    'bash ~/.claude/skills/x/run.sh',
    'node .claude/skills/x/a.js .claude/skills/x/template.txt',
  ])('a skill’s script may run: %s', async (command) => {
    expect((await agent.shell(command, () => undefined)).decision.verdict).toBe('allow');
  });

  test.each([
    'python3 x.py .claude/settings.json',
    'python3 .claude/skills/../settings.py',
    'node .claude/skills/x/a.js .claude/settings.json',
  ])('what names wiring may not: %s', async (command) => {
    expect((await agent.shell(command, () => undefined)).decision.refusedBy).toBe('self-protection');
  });
});
