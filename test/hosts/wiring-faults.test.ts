/** What `verify` must find in settings that somebody edited, per host: no hook is started for it. */
import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/hosts/shared/install/installer.ts';
import { installerNamed, verifierNamed } from './support/all-hosts.ts';
import { ScratchMachine } from './support/installed.ts';

/** A fault: what it is, the file below the machine's folder, the edit, and what `verify` says. */
type Fault = readonly [what: string, file: string, edit: (text: string) => string, says: string];

interface Faults {
  readonly host: string;
  readonly scope: Scope;
  readonly before?: (machine: ScratchMachine) => void;
  readonly faults: readonly Fault[];
}

const swap = (now: string | RegExp, then: string) => (text: string) => text.replace(now, then);
const swapAll = (now: string, then: string) => (text: string) => text.replaceAll(now, then);
const GUARD = /"\/bin\/sh -c '.*?exit 2' /;

/** Faults that Gemini CLI and Qwen Code, its relative, share. */
function layered(host: string, folder: string, event: string, late: number): Faults {
  const file = `project/${folder}/settings.json`;
  return {
    host,
    scope: 'project',
    faults: [
      ['a timeout below our own', file, swap(/"timeout": \d+/, `"timeout": ${late}`), 'its timeout'],
      ['no timeout', file, swap(/,\s*"timeout": \d+/, ''), 'its timeout'],
      ['a narrowed matcher', file, swap('"matcher": "*"', '"matcher": "write_.*"'), 'its matcher'],
      ['a line that is not guarded', file, swap(GUARD, '"'), 'launcher that is killed'],
      ['another host’s name', file, swap(` ${host} `, ' claude-code '), 'registered for host'],
      ['another event’s name', file, swap(`--event ${event}"`, '--event Other"'), 'does not name its event'],
      ['another type', file, swap('"type": "command"', '"type": "prompt"'), 'its type is prompt'],
      ['an event left out', file, swap(`"${event}"`, '"Other"'), 'no hook of ours'],
      [
        'hooks switched off',
        file,
        swap(/^\{/, '{ "disableAllHooks": true, "hooksConfig": { "enabled": false },'),
        'hooks are not switched off',
      ],
      [
        'the server switched off',
        file,
        swap(/^\{/, '{ "mcp": { "excluded": ["pactclaw"] },'),
        'server is not switched off',
      ],
    ],
  };
}

const CLAUDE = 'project/.claude/settings.local.json';
const CODEX = 'project/.codex/hooks.json';
const CODEX_SERVER = 'project/.codex/config.toml';
const CODEX_USER = 'home/.codex/config.toml';
const KIMI = 'home/.kimi-code/config.toml';
const KIRO = 'project/.kiro/hooks/pactclaw.json';

const ALL: readonly Faults[] = [
  layered('gemini', '.gemini', 'BeforeTool', 20_000),
  layered('qwen', '.qwen', 'PreToolUse', 20),
  {
    host: 'claude-code',
    scope: 'local',
    faults: [
      ['a matcher that misses tools', CLAUDE, swap('"*"', '"Write|Edit"'), 'does not cover all tools'],
      ['no onFailure', CLAUDE, swap(/,\s*"onFailure": "block"/, ''), 'onFailure is not "block"'],
      ['a short timeout', CLAUDE, swap('"timeout": 30', '"timeout": 10'), 'is not above the hook'],
      [
        'an event left out',
        CLAUDE,
        swap('"PostToolUseFailure": [', '"Nothing": ['),
        'PostToolUseFailure is registered',
      ],
      [
        'another event’s name',
        CLAUDE,
        swap('--event PreToolUse"', '--event Stop"'),
        'does not name its event',
      ],
      ['U-15: a line that is not guarded', CLAUDE, swap(GUARD, '"'), 'launcher that is killed'],
      ['a Node that is gone', CLAUDE, swap(process.execPath, '/gone/node'), 'Node is not at'],
      ['another workspace', CLAUDE, swapAll('/project ', '/elsewhere '), 'they guard'],
      [
        'hooks switched off',
        CLAUDE,
        swap('"disableAllHooks": false', '"disableAllHooks": true'),
        'disableAllHooks in',
      ],
      ['a comment', CLAUDE, (text) => `// mine\n${text}`, 'comment'],
      [
        'the server switched off',
        CLAUDE,
        swap('{', '{"disabledMcpjsonServers": ["pactclaw"],'),
        'not switched off',
      ],
    ],
  },
  {
    host: 'codex',
    scope: 'project',
    before: (machine) =>
      machine.put(CODEX_USER, `[projects."${machine.project}"]\ntrust_level = "trusted"\n`),
    faults: [
      ['a matcher that misses tools', CODEX, swap('".*"', '"^Bash$"'), 'does not cover'],
      ['a short timeout', CODEX, swap('"timeout": 30', '"timeout": 10'), 'is not above'],
      ['a hook that was edited', CODEX, swap('"timeout": 30', '"timeout": 31'), 'it skips'],
      ['an event left out', CODEX, swap('"PostToolUse"', '"Nothing"'), 'no hook of ours'],
      ['no guard', CODEX, swap(/\/bin\/sh -c '.*?exit 2' /, ''), 'would let the call run'],
      ['settings that are no JSON', CODEX, (text) => `// mine\n${text}`, 'settings can be read'],
      ['the server switched off', CODEX_SERVER, (text) => `${text}enabled = false\n`, 'not switched off'],
      ['an approval that nobody gives', CODEX_SERVER, swap('"approve"', '"prompt"'), 'no approval'],
      [
        'hooks switched off',
        CODEX_USER,
        (text) => `${text}\n[features]\nhooks = false\n`,
        'hooks are not switched off',
      ],
      ['a project without trust', CODEX_USER, swap('"trusted"', '"untrusted"'), 'NOT governed'],
      ['a hook that was disabled', CODEX_USER, swap('enabled = true', 'enabled = false'), 'it skips'],
    ],
  },
  {
    host: 'kimi',
    scope: 'user',
    faults: [
      ['a line that is not guarded', KIMI, swapAll('o=$(', 'p=$('), 'would let the call run'],
      ['a short timeout', KIMI, swapAll('timeout = 30', 'timeout = 5'), 'not above 21'],
      ['a matcher', KIMI, swapAll('timeout = 30', 'timeout = 30\nmatcher = "*"'), 'covers nothing'],
      ['an event left out', KIMI, swap('event = "PreToolUse"', 'event = "PostCompact"'), 'no hook of ours'],
    ],
  },
  {
    host: 'kiro',
    scope: 'project',
    faults: [
      ['a hook that is disabled', KIRO, swap('"enabled": true', '"enabled": false'), 'not enabled'],
      ['a line that is not guarded', KIRO, swapAll('o=$(', 'p=$('), 'would let the call run'],
      ['a narrowed matcher', KIRO, swap('".*"', '"fs_.*"'), 'its matcher'],
      ['a short timeout', KIRO, swapAll('"timeout": 30', '"timeout": 5'), 'not above 21'],
      ['an event left out', KIRO, swap('"trigger": "PreToolUse"', '"trigger": "Manual"'), 'no hook of ours'],
    ],
  },
];

let machine: ScratchMachine;
beforeEach(() => {
  machine = new ScratchMachine({ node: process.execPath, install: process.cwd() });
});
afterEach(() => machine.remove());

describe.each(ALL)('$host', ({ host, scope, before, faults }) => {
  const installer = installerNamed(host);

  test.each(faults)('%s is found', async (_what, name, edit, says) => {
    before?.(machine);
    machine.install(installer, scope);
    expect(await machine.faults(verifierNamed(host))).toEqual([]);
    const file = `${machine.root}/${name}`;
    const text = fs.readFileSync(file, 'utf8');
    expect(edit(text)).not.toBe(text);
    fs.writeFileSync(file, edit(text));
    expect((await machine.faults(verifierNamed(host))).join('\n')).toContain(says);
  });
});
