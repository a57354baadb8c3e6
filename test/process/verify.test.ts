import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildPactClaw, Machine } from './install-support.ts';

const SETTINGS = ['project', '.claude', 'settings.local.json'];

let pactclaw: string;
let machine: Machine;

beforeAll(() => {
  pactclaw = buildPactClaw();
});
afterAll(() => fs.rmSync(pactclaw, { recursive: true, force: true }));
beforeEach(() => {
  machine = new Machine(pactclaw);
  machine.addClient('2.1.329');
});
afterEach(() => machine.remove());

interface Result {
  ok: boolean;
  grades: { capability: string; grade: string; passed: number; tried: number }[];
  checks: { capability: string; title: string; status: string; seen: string }[];
  notEnforceable: { what: string; why: string }[];
}

function verify(...args: string[]): { code: number | null; result: Result; failed: string[] } {
  const run = machine.run('verify', 'claude-code', '--json', ...args);
  const result = JSON.parse(run.stdout) as Result;
  const failed = result.checks
    .filter(({ status }) => status === 'failed')
    .map(({ title, seen }) => `${title}: ${seen}`);
  return { code: run.code, result, failed };
}

function hashesOf(folder: string): Record<string, string> {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [file, createHash('sha256').update(fs.readFileSync(file)).digest('hex')]),
  );
}

describe('what is installed', () => {
  test.each([[[]], [['--shared']], [['--user']]])(
    'install %j is verified, and nothing is recorded',
    (flags) => {
      machine.run('install', 'claude-code', ...flags);
      const before = hashesOf(machine.root);
      const { code, result, failed } = verify();
      expect(failed).toEqual([]);
      expect(code).toBe(0);
      const grades = Object.fromEntries(result.grades.map(({ capability, grade }) => [capability, grade]));
      expect(Object.keys(grades)).toHaveLength(7);
      expect(grades).toMatchObject({ wiring: 'adapter-verified', scope: 'host-verified' });
      expect(result.checks.length).toBeGreaterThan(40);
      expect(result.notEnforceable.map(({ what }) => what)).toContain('@file mentions');
      expect(hashesOf(machine.root)).toEqual(before);
    },
  );

  test('a launcher that lets everything pass is found', () => {
    machine.write('#!/bin/sh\ncat >/dev/null\necho {}\n', 'fake', 'pactclaw-hook');
    fs.chmodSync(machine.file('fake', 'pactclaw-hook'), 0o755);
    machine.run('install', 'claude-code');
    machine.alter((text) => text.replaceAll(`${pactclaw}/bin`, machine.file('fake')), ...SETTINGS);
    const { result } = verify();
    const grades = Object.fromEntries(result.grades.map(({ capability, grade }) => [capability, grade]));
    expect(grades).toMatchObject({
      wiring: 'adapter-verified',
      handshake: 'failed',
      scope: 'failed',
      protection: 'failed',
      'fail-closed': 'failed',
      record: 'failed',
    });
  });

  test('an old client fails, a server that does not start fails, installing twice fails', () => {
    machine.run('install', 'claude-code');
    machine.addClient('2.1.294');
    machine.alter((text) => text.replace('"serve"', '"no-such-command"'), 'home', '.claude.json');
    expect(machine.run('status')).toMatchObject({ code: 1, stdout: expect.stringContaining('2.1.294 (') });
    const user = machine.read(...SETTINGS)!.replace(/--workspace \S+ /g, '');
    machine.write(user, 'home', '.claude', 'settings.json');
    const all = verify().failed.join('\n');
    expect(all).toContain('2.1.294');
    expect(all).toContain('offers select_active_intent');
    expect(all).toContain('each call counts twice');
  });

  test('hooks of an earlier installation, whose words stand in `args`, want the guard and go with `uninstall`', () => {
    machine.run('install', 'claude-code');
    const settings = JSON.parse(machine.read(...SETTINGS)!);
    for (const [event, groups] of Object.entries<{ hooks: Record<string, unknown>[] }[]>(settings.hooks))
      Object.assign(groups[0]!.hooks[0]!, {
        command: `${pactclaw}/bin/pactclaw-hook`,
        args: [process.execPath, 'claude-code', '--workspace', machine.project, '--event', event],
      });
    machine.write(JSON.stringify(settings), ...SETTINGS);
    expect(verify().failed).toEqual([expect.stringContaining('PactClaw is gone: refused')]);
    expect(JSON.parse(machine.run('status', '--json').stdout).hosts[0].faults).toEqual([]);
    expect(machine.run('uninstall', 'claude-code').code).toBe(0);
    expect(machine.read(...SETTINGS)).not.toContain('pactclaw-hook');
  });

  test('a start in a subfolder is warned of', () => {
    machine.run('install', 'claude-code');
    fs.mkdirSync(machine.file('project', 'sub'));
    const project = machine.project;
    Object.defineProperty(machine, 'project', { value: path.join(project, 'sub') });
    const { code, result } = verify();
    expect(code).toBe(0);
    expect(result.checks.find(({ title }) => title === 'started in the workspace folder')?.status).toBe(
      'warning',
    );
  });
});

test.each([
  ['ScopeEnforcementHook', 'scope'],
  ['ReasoningInterceptHook', 'handshake'],
  ['SelfProtectionHook', 'protection'],
  ['AuditLedgerHook', 'record'],
])('a PactClaw without %s is found out', (hook, capability) => {
  const cut = buildPactClaw(hook);
  const broken = new Machine(cut);
  try {
    broken.run('install', 'claude-code');
    const result = JSON.parse(broken.run('verify', 'claude-code', '--json').stdout) as Result;
    expect(result.grades.find((grade) => grade.capability === capability)?.grade).toBe('failed');
  } finally {
    broken.remove();
    fs.rmSync(cut, { recursive: true, force: true });
  }
});
