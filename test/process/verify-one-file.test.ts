/** `pactclaw verify` for the hosts that keep hooks and server in one settings file. */
import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildPactClaw, Machine } from './install-support.ts';

let pactclaw: string;
let machine: Machine;
beforeAll(() => {
  pactclaw = buildPactClaw();
});
afterAll(() => fs.rmSync(pactclaw, { recursive: true, force: true }));
beforeEach(() => {
  machine = new Machine(pactclaw);
});
afterEach(() => machine.remove());

interface Result {
  ok: boolean;
  grades: { capability: string; grade: string }[];
  checks: { title: string; status: string; seen: string }[];
}

const HOSTS = [
  { host: 'gemini', folder: '.gemini', version: '0.61.0', old: '0.60.9' },
  { host: 'qwen', folder: '.qwen', version: '0.24.4', old: '0.24.3' },
] as const;

describe.each(HOSTS)('$host', ({ host, folder, version, old }) => {
  const addClient = (told: string) => {
    machine.write(`#!/bin/sh\necho '${told}'\n`, 'bin', host);
    fs.chmodSync(machine.file('bin', host), 0o755);
  };
  const verify = () => {
    const run = machine.run('verify', host, '--json');
    const result = JSON.parse(run.stdout) as Result;
    const failed = result.checks
      .filter(({ status }) => status === 'failed')
      .map(({ title, seen }) => `${title}: ${seen}`);
    return { code: run.code, result, failed };
  };

  test.each([[[]], [['--user']]])('install %j is verified, and comes off without a trace', (flags) => {
    addClient(version);
    expect(machine.run('install', host, ...flags).code).toBe(0);
    const { code, result, failed } = verify();
    expect(failed).toEqual([]);
    expect(code).toBe(0);
    const grades = Object.fromEntries(result.grades.map(({ capability, grade }) => [capability, grade]));
    expect(grades).toMatchObject({ wiring: 'adapter-verified', scope: 'host-verified' });
    expect(result.checks.length).toBeGreaterThan(40);
    machine.run('uninstall', host);
    expect(fs.existsSync(machine.file('project', folder))).toBe(false);
    expect(fs.existsSync(machine.file('home', folder))).toBe(false);
  });

  test('a version that nobody has seen proves nothing of its own, an older one fails', () => {
    machine.run('install', host);
    addClient('99.0.0');
    expect(new Set(verify().result.grades.map(({ grade }) => grade))).toEqual(new Set(['adapter-verified']));
    addClient(old);
    expect(verify().failed.join()).toContain(old);
  });

  test('nothing installed: everything fails', () => {
    const { code, result } = verify();
    expect(code).toBe(1);
    expect(result.grades.every(({ grade }) => grade === 'failed')).toBe(true);
  });
});
