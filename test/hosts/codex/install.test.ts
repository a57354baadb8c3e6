import fs from 'node:fs';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codexInstaller } from '../../../src/hosts/codex/install/installer.ts';
import { trustOf } from '../../../src/hosts/codex/install/places.ts';
import { trustHash } from '../../../src/hosts/codex/install/wiring.ts';
import { ScratchMachine } from '../support/installed.ts';

let scratch: ScratchMachine;
beforeEach(() => {
  scratch = new ScratchMachine();
});
afterEach(() => scratch.remove());

const toml = (file: string) =>
  parse(fs.readFileSync(`${scratch.root}/${file}`, 'utf8')) as Record<string, unknown>;
const OTHERS = JSON.stringify({
  hooks: {
    PreToolUse: [{ matcher: '^x$', hooks: [{ type: 'command', command: 'true' }] }],
    Stop: [{ hooks: [{ type: 'command', command: 'bell', timeout: 5 }] }],
  },
});

describe('the fingerprint of a hook is the one that the host makes (hooks/list of 0.169.0)', () => {
  const ours = {
    type: 'command',
    command: '/opt/a b/pactclaw-hook /usr/bin/node codex',
    timeout: 30,
  };
  test.each([
    ['PreToolUse', '.*', ours, '44789f4452ba73f714ddb863b29fc35deed75b89df17bc1a8f6798a817e029a8'],
    [
      'PreToolUse',
      '^x$',
      { type: 'command', command: 'true' },
      '9aa9255c398f28f4da10535715eacd75dca90f0e3ff32ece49a0928b5704fef6',
    ],
    [
      'Stop',
      undefined,
      { type: 'command', command: 'x', timeout: 30, statusMessage: 'hé' },
      'fa1513c7a6d9987e09670b1af5becfcd827cde45873a16cbb7281b51bacf85a9',
    ],
    [
      'SessionEnd',
      undefined,
      { type: 'command', command: 'x', timeout: 30 },
      'b1aa6329f3a5daf36ae487200db1136f90a884bb805ddb24a6326c98dd6f29f6',
    ],
  ])('%s', (event, matcher, handler, hash) => {
    expect(trustHash(event, matcher, handler)).toBe(`sha256:${hash}`);
  });
});

describe('install and uninstall', () => {
  test('the server needs no approval, is waited for, and names the workspace', () => {
    scratch.install(codexInstaller, 'project');
    expect(toml('project/.codex/config.toml')).toMatchObject({
      mcp_servers: {
        pactclaw: {
          command: '/usr/bin/node',
          args: ['/opt/pactclaw/bin/pactclaw', 'mcp', 'serve', '--workspace', scratch.project],
          default_tools_approval_mode: 'approve',
          required: true,
        },
      },
    });
  });

  test('each of our hooks is trusted at its own place beside hooks of others, and none of theirs', () => {
    scratch.put('project/.codex/hooks.json', OTHERS);
    scratch.install(codexInstaller, 'project');
    const { hooks } = toml('home/.codex/config.toml') as { hooks: { state: Record<string, object> } };
    const keys = Object.keys(hooks.state).map((key) =>
      key.replace(`${scratch.project}/.codex/hooks.json:`, ''),
    );
    expect(keys.sort()).toEqual([
      'post_tool_use:0:0',
      'pre_compact:0:0',
      'pre_tool_use:1:0',
      'session_end:0:0',
      'session_start:0:0',
      'stop:1:0',
      'subagent_stop:0:0',
      'user_prompt_submit:0:0',
    ]);
  });

  test('trust that the human gave to other hooks stays', () => {
    scratch.put('project/.codex/hooks.json', OTHERS);
    const key = `${scratch.project}/.codex/hooks.json:pre_tool_use:0:0`;
    scratch.put('home/.codex/config.toml', `[hooks.state."${key}"]\ntrusted_hash = "sha256:00"\n`);
    const before = scratch.tree();
    scratch.install(codexInstaller, 'project');
    scratch.uninstall(codexInstaller);
    expect(scratch.tree()).toEqual(before);
  });

  test('CODEX_HOME is honoured', () => {
    const files = codexInstaller
      .parts(scratch.machine({ CODEX_HOME: '/else' }), 'user', scratch.wiring)
      .map(({ file }) => file);
    expect(new Set(files)).toEqual(new Set(['/else/hooks.json', '/else/config.toml']));
  });
});

describe('what would not be governed is not installed', () => {
  test('hooks that are switched off', () => {
    scratch.put('home/.codex/config.toml', '[features]\nhooks = false\n');
    expect(() => scratch.install(codexInstaller, 'project')).toThrow('switched off');
  });

  test('a project that the host does not trust is warned of', async () => {
    const warned = async () => (await codexInstaller.warnings!(scratch.machine(), 'project')).join('\n');
    expect(await warned()).toContain('NOT governed');
    scratch.put('home/.codex/config.toml', `[projects."${scratch.project}"]\ntrust_level = "trusted"\n`);
    expect(await warned()).not.toContain('NOT governed');
  });
});

test('trust of the repository reaches the folders in it, trust of what is above it does not', () => {
  const at = (project: string) => trustOf({ ...scratch.machine(), project });
  fs.mkdirSync(`${scratch.project}/.git`);
  fs.mkdirSync(`${scratch.project}/a`);
  scratch.put('home/.codex/config.toml', `[projects."${scratch.project}"]\ntrust_level = "trusted"\n`);
  expect(at(`${scratch.project}/a`)).toBe('trusted');
  scratch.put('home/.codex/config.toml', `[projects."${scratch.root}"]\ntrust_level = "trusted"\n`);
  expect(at(`${scratch.project}/a`)).toBeNull();
});
