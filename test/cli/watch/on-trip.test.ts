import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { News, Trip } from '../../../src/cli/watch/news.ts';
import { OnTrip } from '../../../src/cli/watch/on-trip.ts';

let folder: string;
let told: News[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pactclaw-on-trip-'));
  told = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const make = (command: string, timeoutMs?: number) =>
  new OnTrip(
    command,
    (news) => told.push(news),
    () => 'now',
    timeoutMs,
  );
const trip = (message: string): Trip => ({ event: 'trip', message, kind: 'budget' }) as Trip;
const messages = () => told.map((news) => (news.event === 'notice' ? news.message : news.event));

test('one after the other, in order', async () => {
  const file = path.join(folder, 'out');
  const onTrip = make(`sleep 0.05; cat >> '${file}'`);
  for (const name of ['a', 'b', 'c']) onTrip.add(trip(name));
  await onTrip.close();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(['a', 'b', 'c']);
  expect(told).toEqual([]);
});

test('one that takes too long is ended, with what it started, and told of; the next one runs', async () => {
  const file = path.join(folder, 'out');
  const onTrip = make(
    `read line; case "$line" in *slow*) sleep 600;; *) echo "$line" > '${file}';; esac`,
    300,
  );
  onTrip.add(trip('slow'));
  onTrip.add(trip('next'));
  await onTrip.close();
  expect(messages()).toEqual(['--on-trip took longer than 0.3 s and was ended']);
  expect(JSON.parse(readFileSync(file, 'utf8')).message).toBe('next');
});

test('a command that reads nothing, is not there, or is killed', async () => {
  const silent = make('exit 0');
  silent.add(trip('x'.repeat(1 << 20)));
  await silent.close();
  expect(told).toEqual([]);
  const missing = make('/no/such/program');
  missing.add(trip('a'));
  await missing.close();
  const killed = make('kill -9 $$');
  killed.add(trip('a'));
  await killed.close();
  expect(messages()).toEqual([
    expect.stringMatching(/^--on-trip failed \(exit code 127\): .*no\/such\/program/),
    '--on-trip failed (SIGKILL)',
  ]);
});

test('what waits is bounded', async () => {
  const onTrip = make('sleep 5');
  for (let at = 0; at < 150; at += 1) onTrip.add(trip(String(at)));
  expect(new Set(messages())).toEqual(new Set(['too many trips at once: --on-trip was not run for one']));
  expect(told).toHaveLength(49);
  await onTrip.close();
});
