import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildPactClaw, Machine } from './install-support.ts';

const HOOKS = ['project', '.codex', 'hooks.json'];
const SERVER = ['project', '.codex', 'config.toml'];
const USER = ['home', '.codex', 'config.toml'];

let pactclaw: string;
let machine: Machine;

beforeAll(() => {
  pactclaw = buildPactClaw();
});
afterAll(() => fs.rmSync(pactclaw, { recursive: true, force: true }));
beforeEach(() => {
  machine = new Machine(pactclaw);
  addClient('0.169.0');
  machine.write(`[projects."${machine.project}"]\ntrust_level = "trusted"\n`, ...USER);
});
afterEach(() => machine.remove());

function addClient(version: string): void {
  machine.write(`#!/bin/sh\necho 'codex-cli ${version}'\n`, 'bin', 'codex');
  fs.chmodSync(machine.file('bin', 'codex'), 0o755);
}

interface Result {
  grades: { capability: string; grade: string }[];
  checks: { title: string; status: string; seen: string }[];
  notEnforceable: { what: string }[];
}

function verify() {
  const run = machine.run('verify', 'codex', '--json');
  const result = JSON.parse(run.stdout) as Result;
  const failed = result.checks
    .filter(({ status }) => status === 'failed')
    .map(({ title, seen }) => `${title}: ${seen}`);
  const grades = Object.fromEntries(result.grades.map(({ capability, grade }) => [capability, grade]));
  return { code: run.code, result, failed: failed.join('\n'), grades };
}

describe('what is installed', () => {
  test.each([[[]], [['--user']]])('install %j is verified', (flags) => {
    expect(machine.run('install', 'codex', ...flags).code).toBe(0);
    const { code, failed, grades, result } = verify();
    expect({ failed, code }).toEqual({ failed: '', code: 0 });
    expect(grades).toMatchObject({ wiring: 'adapter-verified', handshake: 'host-verified' });
    expect(result.checks.some(({ title }) => title === 'PactClaw is gone: refused')).toBe(true);
    expect(result.notEnforceable.map(({ what }) => what)).toContain('hosted tools');
  });

  test('with another client nothing is proven by the record', () => {
    machine.run('install', 'codex');
    addClient('0.170.0');
    expect(new Set(Object.values(verify().grades))).toEqual(new Set(['adapter-verified']));
  });

  test('status names it', () => {
    machine.run('install', 'codex');
    expect(machine.run('status').stdout).toContain(`codex (${machine.file(...HOOKS)})`);
  });

  test.each<[string, string[], (text: string) => string, string]>([
    ['a matcher that misses tools', HOOKS, (text) => text.replace('".*"', '"^Bash$"'), 'does not cover'],
    ['a short timeout', HOOKS, (text) => text.replace('"timeout": 30', '"timeout": 10'), 'is not above'],
    ['a hook that was edited', HOOKS, (text) => text.replace('"timeout": 30', '"timeout": 31'), 'it skips'],
    ['an event taken out', HOOKS, (text) => text.replace('"PostToolUse"', '"Nothing"'), 'no hook of ours'],
    [
      'no guard',
      HOOKS,
      (text) => text.replace(/\/bin\/sh -c '.*?exit 2' /, ''),
      'when the hook program is gone',
    ],
    [
      'another workspace',
      HOOKS,
      (text) => text.replaceAll('/project --event', '/else --event'),
      'they guard',
    ],
    ['settings that are no JSON', HOOKS, (text) => `// mine\n${text}`, 'settings can be read'],
    ['the server switched off', SERVER, (text) => `${text}enabled = false\n`, 'not switched off'],
    ['an approval that nobody gives', SERVER, (text) => text.replace('"approve"', '"prompt"'), 'no approval'],
    [
      'hooks switched off',
      USER,
      (text) => `${text}\n[features]\nhooks = false\n`,
      'hooks are not switched off',
    ],
    ['a project without trust', USER, (text) => text.replace('"trusted"', '"untrusted"'), 'NOT governed'],
    [
      'a hook that was disabled',
      USER,
      (text) => text.replace('enabled = true', 'enabled = false'),
      'it skips',
    ],
  ])('%s is found', (_what, file, edit, expected) => {
    machine.run('install', 'codex');
    machine.alter(edit, ...file);
    const { code, failed } = verify();
    expect(code).toBe(1);
    expect(failed).toContain(expected);
  });

  test('nothing installed: everything fails', () => {
    expect(new Set(Object.values(verify().grades))).toEqual(new Set(['failed']));
  });
});

test('a launcher that lets everything pass is found', () => {
  machine.write('#!/bin/sh\ncat >/dev/null\necho {}\n', 'fake', 'pactclaw-hook');
  fs.chmodSync(machine.file('fake', 'pactclaw-hook'), 0o755);
  machine.run('install', 'codex');
  machine.alter((text) => text.replaceAll(`${pactclaw}/bin`, machine.file('fake')), ...HOOKS);
  expect(verify().grades).toMatchObject({
    handshake: 'failed',
    scope: 'failed',
    protection: 'failed',
    'fail-closed': 'failed',
    record: 'failed',
  });
});
