import fs from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awaitCall, callIn, goesOn, recordedCall, sessionFolder } from '../../../src/hosts/codex/rollout.ts';
import { temporaryFolder } from '../../support/ledger.ts';
import { fixture, recorded } from '../support/recorded.ts';

const FILE = fixture('codex', 'rollout.jsonl');
const lines = fs.readFileSync(FILE, 'utf8').split('\n');
const before = recorded('codex', 'hooks-results.jsonl').filter(({ label }) => label === 'PreToolUse');
const after = recorded('codex', 'hooks-results.jsonl').filter(({ label }) => label === 'PostToolUse');
const idOf = ({ in: raw }: { in: Record<string, unknown> }) => String(raw.tool_use_id);

let base: string;
beforeAll(() => {
  base = temporaryFolder('rollout');
});
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

describe('the recorded session', () => {
  test('tells every call that a hook was asked about, under the same name', () => {
    expect(before.length).toBeGreaterThan(10);
    for (const one of before)
      expect(recordedCall(FILE, idOf(one)), idOf(one)).toMatchObject({ name: one.in.tool_name });
  });

  test('tells how each went', () => {
    expect(before.map((one) => recordedCall(FILE, idOf(one))?.code)).toEqual([
      ...[0, 3, -1, 0, 0, null],
      ...[0, 1, -1, 0, 0, 0],
    ]);
  });

  test('tells an outcome of each call whose end no hook heard', () => {
    const heard = new Set(after.map(idOf));
    const unheard = before.filter((one) => !heard.has(idOf(one)));
    expect(unheard).toHaveLength(5);
    for (const one of unheard) expect(recordedCall(FILE, idOf(one))?.output).toEqual(expect.any(String));
  });

  test('tells the one command that goes on', () => {
    const on = before.filter((one) => goesOn(recordedCall(FILE, idOf(one))!));
    expect(on.map(({ in: raw }) => raw.tool_input)).toEqual([{ command: 'sleep 1; echo late' }]);
  });

  test('tells the folder it began in', () => {
    expect(sessionFolder(FILE)).toBe('/home/dev/project');
  });
});

describe('what tells nothing clear', () => {
  const id = idOf(before[0]!);
  const call = lines.find((line) => line.includes(id) && line.includes('"function_call"'))!;

  test.each([
    ['no line', []],
    ['the same call twice', [call, call.replace('echo hi', 'rm -rf')]],
    ['half a line', [call.slice(0, -20)]],
    ['arguments that are no object', [call.replace(/"arguments":"[^}]*}"/, '"arguments":"7"')]],
    ['another call that mentions it', [call.replace(`"call_id":"${id}"`, `"call_id":"x","note":"${id}"`)]],
  ])('%s', (_what, only) => {
    expect(callIn(only, id)).toBeNull();
  });

  test('no bytes make it throw', () => {
    fc.assert(
      fc.property(fc.array(fc.json(), { maxLength: 5 }), (texts) => {
        expect(() =>
          callIn([...texts.map((text) => `${text} ${JSON.stringify(id)}`), call], id),
        ).not.toThrow();
      }),
    );
  });

  test('no file, no id, a folder', async () => {
    expect(recordedCall(null, id)).toBeNull();
    expect(recordedCall(FILE, null)).toBeNull();
    expect(recordedCall(base, id)).toBeNull();
    expect(await awaitCall(null, id)).toBeNull();
    expect(sessionFolder(null)).toBeNull();
    expect(sessionFolder(`${base}/none`)).toBeNull();
  });

  test('a command that prints what the host would say does not go on', () => {
    const output = 'Chunk ID: x\nProcess exited with code 0\nOutput:\nProcess running with session ID 1\n';
    expect(goesOn({ name: 'Bash', args: {}, output, code: 0 })).toBe(false);
  });
});

test('a line that comes a moment late is waited for', async () => {
  const file = `${base}/late.jsonl`;
  fs.writeFileSync(file, `${lines[0]}\n`);
  const id = idOf(before[0]!);
  const asked = awaitCall(file, id);
  fs.appendFileSync(file, `${lines.find((line) => line.includes(id))}\n`);
  expect(await asked).toMatchObject({ name: 'Bash' });
});

test('a call far from the end of a long record is found', () => {
  const file = `${base}/long.jsonl`;
  const id = idOf(before[0]!);
  fs.writeFileSync(
    file,
    `${lines.find((line) => line.includes(id))}\n${`${'x'.repeat(1000)}\n`.repeat(3000)}`,
  );
  expect(recordedCall(file, id)).toMatchObject({ name: 'Bash' });
});
