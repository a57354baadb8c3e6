import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { McpProject } from '../support/mcp-project.ts';
import { conformanceSuite, installTools } from './support/mcp-tools.ts';

/** Every scenario that the suite has for servers, in its version 0.1.16. */
const SCENARIOS = 32;

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
}

/** The suite's results at an address: what each scenario's checks said. */
async function score(url: string, folder: string): Promise<Map<string, string[]>> {
  const [node = '', ...args] = conformanceSuite('server', '--suite', 'all', '--url', url, '-o', folder);
  // Wrong results end it with a code of 1; they are read from its files.
  await promisify(execFile)(node, args, { cwd: path.dirname(folder), timeout: 170_000 }).catch(
    () => undefined,
  );
  return new Map(
    readdirSync(folder)
      .sort()
      .map((name) => {
        const checks = JSON.parse(readFileSync(path.join(folder, name, 'checks.json'), 'utf8')) as Check[];
        const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
        const told = checks.filter(({ status }) => status !== 'INFO');
        return [scenario, told.map(({ id, status }) => `${id} ${status}`).sort()];
      }),
  );
}

const count = (all: ReadonlyMap<string, readonly string[]>, status: string) =>
  [...all.values()].flat().filter((line) => line.endsWith(` ${status}`)).length;

beforeAll(() => installTools('mcp-conformance'), 300_000);

test('the official conformance suite says the same with the proxy and without it', {
  timeout: 400_000,
}, async () => {
  await using project = new McpProject();
  const direct = await project.conformanceServer();
  const governed = await project.listen(['--name', 'suite', '--url', direct, '--intent', 'INT-001']);
  const without = await score(direct, `${project.folder}/without`);
  const within = await score(governed, `${project.folder}/with`);
  for (const [what, all] of [
    ['without the proxy', without],
    ['with the proxy', within],
  ] as const)
    console.log(
      `conformance 0.1.16, ${what}: ${all.size} scenarios, ${count(all, 'SUCCESS')} passed, ${count(all, 'FAILURE')} failed, ${count(all, 'WARNING')} warnings`,
    );
  expect(without.size).toBe(SCENARIOS);
  expect([count(without, 'FAILURE'), count(without, 'SKIPPED')]).toEqual([0, 0]);
  expect(Object.fromEntries(within)).toEqual(Object.fromEntries(without));
  // The calls went through the engine, not past it.
  expect(project.receipts()).toContain('post mcp__suite__test_simple_text allowed');
});
