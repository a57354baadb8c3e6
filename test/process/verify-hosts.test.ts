/** The life of an installation at every host, as the commands do it: install, verify, status, uninstall, no trace left. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { FOOTPRINTS } from '../../src/core/footprints/index.ts';
import { HOST_NAMES } from '../../src/hosts/index.ts';
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
  notEnforceable: { what: string }[];
}

/** Versions of clients that the end-to-end suite has seen obey. */
const PROVEN: Readonly<Record<string, string>> = { gemini: '0.61.0', qwen: '0.24.4', codex: '0.169.0' };

function addClient(host: string, version: string): void {
  const name = FOOTPRINTS.find((one) => one.host === host)?.programs[0] ?? host;
  machine.write(`#!/bin/sh\necho '${version}'\n`, 'bin', name);
  fs.chmodSync(machine.file('bin', name), 0o755);
}

function verify(host: string) {
  const run = machine.run('verify', host, '--json');
  const result = JSON.parse(run.stdout) as Result;
  const failed = result.checks
    .filter(({ status }) => status === 'failed')
    .map(({ title, seen }) => `${title}: ${seen}`);
  return { code: run.code, result, failed };
}

/** Every file below home and project with its text, but what belongs to governance itself. */
function tree(): Record<string, string> {
  const files = fs.readdirSync(machine.root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files.flatMap((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      if (/\/(?:\.pactclaw|\.orchestration)(?:\/|$)/.test(file)) return [];
      return [[path.relative(machine.root, file), entry.isFile() ? fs.readFileSync(file, 'utf8') : '']];
    }),
  );
}

test.each(HOST_NAMES)('%s: installed, verified, named by status, and gone without a trace', (host) => {
  const version = PROVEN[host];
  if (version !== undefined) addClient(host, version);
  machine.write(
    `[projects."${machine.project}"]\ntrust_level = "trusted"\n`,
    'home',
    '.codex',
    'config.toml',
  );
  const before = tree();
  expect(machine.run('install', host)).toMatchObject({ code: 0 });
  const { code, result, failed } = verify(host);
  expect({ code, failed }).toEqual({ code: 0, failed: [] });
  const grades = Object.fromEntries(result.grades.map(({ capability, grade }) => [capability, grade]));
  expect(grades).toMatchObject({
    wiring: 'adapter-verified',
    scope: version === undefined ? 'adapter-verified' : 'host-verified',
  });
  expect(result.checks.length).toBeGreaterThan(30);
  expect(result.notEnforceable.length).toBeGreaterThan(0);
  expect(machine.run('status').stdout).toContain(`${host} (`);
  expect(machine.run('uninstall', host).code).toBe(0);
  expect(tree()).toEqual(before);
});

test('a launcher that lets everything pass is found', () => {
  const host = 'gemini';
  machine.write('#!/bin/sh\ncat >/dev/null\necho {}\n', 'fake', 'pactclaw-hook');
  fs.chmodSync(machine.file('fake', 'pactclaw-hook'), 0o755);
  machine.run('install', host);
  const settings = ['project', '.gemini', 'settings.json'];
  machine.alter((text) => text.replaceAll(`${pactclaw}/bin`, machine.file('fake')), ...settings);
  const { grades } = verify(host).result;
  const failed = grades.filter(({ grade }) => grade === 'failed').map(({ capability }) => capability);
  expect(failed).toEqual(
    expect.arrayContaining(['handshake', 'scope', 'protection', 'fail-closed', 'record']),
  );
});

test('with nothing installed everything fails', () => {
  const { code, result } = verify('gemini');
  expect(code).toBe(1);
  expect(result.grades.every(({ grade }) => grade === 'failed')).toBe(true);
});
