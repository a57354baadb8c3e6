import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toMoment, toPlace } from '../../src/cli/command.ts';
import { toRuns } from '../../src/cli/explain-file.ts';
import { agentShell } from '../../src/cli/humans-only.ts';
import { toCall } from '../../src/cli/named-call.ts';
import { clean, columns, shorten } from '../../src/cli/output.ts';
import { toReport } from '../../src/cli/run.ts';
import { PactError } from '../../src/core/errors.ts';
import { StorageError } from '../../src/ledger/port.ts';
import type { LineExplanation } from '../../src/ledger/provenance/explain.ts';
import type { OriginFacts } from '../../src/ledger/provenance/facts.ts';

describe('what is typed', () => {
  test.each([
    ['a.ts:3', { file: 'a.ts', start: 3, end: 3 }],
    ['src/a b:c.ts:3-9', { file: 'src/a b:c.ts', start: 3, end: 9 }],
  ])('%s', (text, place) => expect(toPlace(text)).toEqual(place));

  test.each(['a.ts', 'a.ts:0', 'a.ts:9-3', ':3', 'a.ts:x'])('%s is no place', (text) =>
    expect(() => toPlace(text)).toThrow('FILE:LINE'),
  );

  test('moments are ages or ISO times', () => {
    expect(toMoment('2h', 7_200_000)).toBe(0);
    expect(toMoment('1970-01-01T00:00:01Z')).toBe(1_000);
    expect(() => toMoment('soon')).toThrow('ISO 8601');
  });
});

describe('what is shown', () => {
  test('no text of an agent can move the cursor, hide or break a line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 80 }), (text, width) => {
        expect(clean(text)).not.toMatch(
          /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/,
        );
        expect(clean(text).isWellFormed()).toBe(true);
        expect(shorten(text, width).length).toBeLessThanOrEqual(width);
      }),
    );
    expect(clean('a\u001b[31m\u202eb\nc')).toBe('a\\u{1b}[31m\\u{202e}b c');
    expect(clean('a\u{e0041}\u3164\u00ad\u206ab')).toBe('a\\u{e0041}\\u{3164}\\u{ad}\\u{206a}b');
  });

  test('columns are as wide as their widest cell, colours not counted', () => {
    expect(
      columns([
        ['\u001b[31mab\u001b[39m', 'x'],
        ['abcd', 'y'],
      ]),
    ).toBe('\u001b[31mab\u001b[39m    x\nabcd  y');
  });
});

describe('errors', () => {
  test('each kind has its exit code and no stack', () => {
    const place = { file: `${process.cwd()}/a.yaml`, line: 3 };
    expect(toReport(new PactError('CONFLICT', 'what', 'do', place))).toEqual({
      exit: 1,
      code: 'CONFLICT',
      message: 'what',
      remedy: 'do',
      file: 'a.yaml',
      line: 3,
    });
    expect(toReport(Object.assign(new Error('EACCES: no'), { code: 'EACCES' }))).toMatchObject({ exit: 1 });
    expect(toReport(new StorageError('locked', new Error('busy')))).toMatchObject({
      exit: 1,
    });
    expect(toReport(new TypeError('x is undefined\n    at y'))).toMatchObject({
      exit: 70,
      message: 'unexpected failure: x is undefined',
      remedy: 'Set PACTCLAW_LOG=debug for details.',
    });
  });
});

test('an agent host gives its shells away', () => {
  expect(agentShell({ PATH: '/bin', CODEX_HOME: '/x', GEMINI_API_KEY: 'k', CLAUDECODE: '' })).toBeNull();
  expect(agentShell({ CLAUDECODE: '1' })).toEqual({ host: 'Claude Code', variable: 'CLAUDECODE' });
  expect(agentShell({ CODEX_SANDBOX_NETWORK_DISABLED: '1' })?.host).toBe('Codex');
});

describe('a call named by hand', () => {
  const decode = (name: string, args: Record<string, string>) => toCall(name, args, '/ws', 's');

  test.each(['file_write', 'write_to_file', 'write_file', 'Write'])('%s is file_write (C-54)', (name) => {
    for (const key of ['path', 'file_path'])
      expect(decode(name, { [key]: 'a.ts' })).toMatchObject({
        tool: 'file_write',
        kind: 'write',
        declared: true,
        targets: [{ path: 'a.ts', role: 'write' }],
      });
  });

  test.each([
    ['bash', { command: 'ls' }, 'shell'],
    ['execute', { command: 'ls' }, 'shell'],
    ['grep', { path: '.' }, 'search'],
    ['ls', { path: '.' }, 'file_list'],
    ['fetch', { url: 'http://x' }, 'http'],
    ['read_file', { path: 'a' }, 'file_read'],
    ['select_active_intent', { intent_id: 'A' }, 'select_active_intent'],
  ])('%s', (name, args, tool) => expect(decode(name, args).tool).toBe(tool));

  test('a name that nobody declared counts as mutating', () =>
    expect(decode('frobnicate', { path: 'a' })).toMatchObject({ declared: false, mutating: true }));
});

describe('toRuns', () => {
  const origin = (traceId: string, originalLine: number) =>
    ({ traceId, blockHash: 'b', originalLine }) as OriginFacts;
  const from = (line: number, id: string, originalLine: number): LineExplanation =>
    ({
      line,
      status: 'attributed',
      evidence: 'exact',
      origin: origin(id, originalLine),
      touchedBy: [],
    }) as unknown as LineExplanation;
  const nobody = (line: number): LineExplanation => ({ line, status: 'unattributed', touchedBy: [] });

  test('joins neighbours of one origin that follow each other', () => {
    const lines = [from(1, 'a', 5), from(2, 'a', 6), from(3, 'a', 9), nobody(4), nobody(5), from(6, 'b', 1)];
    expect(toRuns(lines).map(({ start, end }) => [start, end])).toEqual([
      [1, 2],
      [3, 3],
      [4, 5],
      [6, 6],
    ]);
  });
});
