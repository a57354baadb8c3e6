import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ask,
  freeze,
  refusedBecause,
  wiringOrThrow,
} from '../../../../src/hosts/shared/in-process/bridge.ts';
import { FakeLauncher } from '../../support/launcher.ts';

let launcher: FakeLauncher;
beforeEach(() => {
  launcher = new FakeLauncher();
});
afterEach(() => launcher[Symbol.dispose]());

const asked = (timeoutMs = 20_000) =>
  ask('pi', { ...launcher.wiring, timeoutMs }, { hook: 'h', session: 's', agent: null, cwd: '/', input: {} });

test('an allow is an allow, and what was asked is what the hook read', async () => {
  launcher.answer({ verdict: 'allow', context: 'told', handshake: { a: 1 } });
  expect(await asked()).toMatchObject({
    verdict: 'allow',
    context: 'told',
    alarm: null,
    handshake: { a: 1 },
  });
  expect(launcher.sent).toEqual([{ hook: 'h', session: 's', agent: null, cwd: '/', input: {} }]);
});

test('a refusal carries its reason', async () => {
  launcher.answer({ verdict: 'halt', reason: 'no more', context: 'halted' }, 2);
  expect(await asked()).toMatchObject({ verdict: 'halt', reason: 'no more', context: 'halted' });
});

describe('anything else is a refusal', () => {
  test.each<[string, () => void]>([
    ['killed', () => launcher.program('kill -9 $$')],
    ['garbage', () => launcher.program("cat >/dev/null; echo 'no such {{{'")],
    ['silent', () => launcher.program('cat >/dev/null')],
    ['missing', () => fs.rmSync(launcher.wiring.launcher)],
    ['not executable', () => fs.chmodSync(launcher.wiring.launcher, 0o644)],
    ['of another shape', () => launcher.answer([])],
    ['an answer of somebody else', () => launcher.answer('{"verdict":"allow"}')],
    ['another version', () => launcher.answer('{"contract":"pactclaw.hook/2","verdict":"allow"}')],
    ['an unknown verdict', () => launcher.answer({ verdict: 'yes' })],
    ['an allow that failed', () => launcher.answer({ verdict: 'allow' }, 2)],
    ['a denial that ended well', () => launcher.answer({ verdict: 'deny' })],
  ])('%s', async (_what, breaking) => {
    breaking();
    const answer = await asked();
    expect(answer.verdict).toBe('deny');
    expect(refusedBecause(answer)).toMatch(/./);
  });

  test('timed out', async () => {
    launcher.program('exec sleep 30');
    const answer = await asked(200);
    expect(refusedBecause(answer)).toContain('it gave no answer in time');
  });

  test('a message that JSON cannot hold', async () => {
    const input: Record<string, unknown> = {};
    input.self = input;
    const message = { hook: 'h', session: 's', agent: null, cwd: '/', input };
    expect((await ask('pi', launcher.wiring, message)).verdict).toBe('deny');
    expect(launcher.sent).toEqual([]);
  });
});

test('the hook’s own words are told where it has any', async () => {
  launcher.program('cat >/dev/null; echo "Fail-Safe Default: no Node" >&2; exit 2');
  expect(refusedBecause(await asked())).toBe('Fail-Safe Default: no Node');
});

test('frozen arguments cannot be changed in depth', () => {
  const args = { list: [{ path: 'a' }] };
  freeze(args);
  expect(() => {
    args.list[0]!.path = 'b';
  }).toThrow(TypeError);
  expect(() => args.list.push({ path: 'c' })).toThrow(TypeError);
});

test.each([undefined, null, {}, { launcher: 'x', node: 'y' }, { launcher: 1, node: 'y', timeoutMs: 1 }])(
  'a plugin with the options %j does not load',
  (options) => {
    expect(() => wiringOrThrow(options)).toThrow('without its options');
  },
);
