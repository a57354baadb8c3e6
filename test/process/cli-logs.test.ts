import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../src/core/digest.ts';
import { Sandbox } from '../cli/support.ts';

const RECEIPTS = '.orchestration/tool_receipts.log';
const TRACE = '.orchestration/agent_trace.jsonl';

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox().init();
  expect(box.call('Read', { file_path: box.file('src/app/main.ts') })).toBe(false);
  expect(box.handshake()).toBe(true);
  expect(box.agentWrites('src/app/main.ts', 'export const one = 1;\nexport const two = 2;\n')).toBe(true);
  expect(box.agentWrites('README.md', 'no\n')).toBe(false);
});
afterEach(() => box[Symbol.dispose]());

interface Row {
  position: number;
  tool: string;
  phase: string;
  final_status: string;
  outcome: { phase: string; trace?: string[] } | null;
  violation?: { kind: string };
}

describe('receipt', () => {
  test('list folds each outcome into its attempt, in order', () => {
    const rows = box.json<Row[]>('receipt', 'list');
    expect(rows.map(({ tool, final_status }) => `${tool} ${final_status}`)).toEqual([
      'file_read denied',
      'pactclaw.user_request allowed',
      'select_active_intent allowed',
      'file_write allowed',
      'file_write denied',
    ]);
    expect(rows[3]?.outcome?.trace).toHaveLength(1);
    expect(rows.map(({ position }) => position)).toEqual(
      [...rows.map(({ position }) => position)].sort((a, b) => a - b),
    );
  });

  test('filters: violations, intent, session, limit, since', () => {
    const list = (...args: string[]) => box.json<Row[]>('receipt', 'list', ...args);
    expect(list('--violations').map(({ violation }) => violation?.kind)).toEqual(['state', 'scope']);
    expect(list('--intent', 'INT-001')).toHaveLength(3);
    expect(list('--intent', 'INT-404')).toEqual([]);
    expect(list('--session', 'session-1')).toHaveLength(5);
    expect(list('--limit', '2').map(({ final_status }) => final_status)).toEqual(['allowed', 'denied']);
    expect(list('--since', '1h')).toHaveLength(5);
    expect(list('--since', '2100-01-01T00:00:00Z')).toEqual([]);
  });

  test('verify: valid, then the second receipt edited by hand (R-157)', () => {
    expect(box.run(['receipt', 'verify'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^valid: 7 records, 1 writers\n$/),
    });
    const lines = box.read(RECEIPTS).split('\n');
    lines[1] = (lines[1] as string).replace('"allowed"', '"denied"');
    box.write(RECEIPTS, lines.join('\n'));
    const { code, out } = box.run(['receipt', 'verify']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^invalid chain at receipt 2\n\.orchestration\/tool_receipts\.log:2: line was changed/,
    );
    expect(box.json('receipt', 'verify')).toMatchObject({ valid: false, bad: { position: 2 } });
  });

  test('verify finds a deleted line, swapped lines, a rehashed line and a cut end (R-102)', () => {
    const whole = box.read(RECEIPTS);
    const lines = whole.trimEnd().split('\n');
    const positionOf = (edited: string[]) => {
      box.write(RECEIPTS, `${edited.join('\n')}\n`);
      return box.json<{ bad: { position: number } | null }>('receipt', 'verify').bad?.position;
    };
    expect(positionOf(lines.toSpliced(2, 1))).toBe(3);
    expect(positionOf(lines.toSpliced(2, 2, lines[3] as string, lines[2] as string))).toBe(3);
    expect(positionOf(lines.slice(0, -1))).toBe(lines.length);
    const { receipt_hash: _, ...forged } = JSON.parse(lines[2] as string) as Record<string, unknown>;
    const text = JSON.stringify({ ...forged, risk: 'high' });
    const sealed = text.replace(/,"result_hash"/, `,"receipt_hash":"${sha256(text)}","result_hash"`);
    expect(positionOf(lines.toSpliced(2, 1, sealed))).toBe(4);
    expect(positionOf(lines)).toBeUndefined();
  });

  test('a list says which lines it could not read', () => {
    writeFileSync(box.file(RECEIPTS), `${box.read(RECEIPTS)}{"torn\n`);
    const { code, out, err } = box.run(['receipt', 'list']);
    expect(code).toBe(0);
    expect(out).toContain('file_write');
    expect(err).toContain('1 damaged (line 8)');
  });
});

describe('trace', () => {
  test('list and show tell what was done and why', () => {
    const [record] = box.json<{ position: number; id: string; path: string; content_hash: string }[]>(
      'trace',
      'list',
    );
    expect(record).toMatchObject({
      position: 1,
      path: 'src/app/main.ts',
      content_hash: sha256(box.read('src/app/main.ts')),
    });
    const shown = box.run(['trace', 'show', record?.id ?? '']);
    expect(shown.code).toBe(0);
    for (const word of ['INT-001', 'the request is about the app', 'src/app/main.ts'])
      expect(shown.out).toContain(word);
    expect(box.run(['trace', 'show', '1']).out).toBe(shown.out);
    expect(box.run(['trace', 'show', 'nope']).code).toBe(1);
  });

  test('verify names an edited record, and an unfinished append is none', () => {
    const bytes = readFileSync(box.file(TRACE));
    writeFileSync(box.file(TRACE), Buffer.concat([bytes, Buffer.from('{"half')]));
    expect(box.run(['trace', 'verify'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('6 bytes at the end'),
    });
    writeFileSync(box.file(TRACE), bytes.toString('utf8').replace('INT-001', 'INT-009'));
    expect(box.run(['trace', 'verify'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('invalid chain at record 1'),
    });
    truncateSync(box.file(TRACE), 0);
    expect(statSync(box.file(TRACE)).size).toBe(0);
    expect(box.run(['trace', 'verify'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('acknowledged'),
    });
  });
});

describe('why and provenance', () => {
  test('a line moved by a human keeps its origin; what nobody recorded is unattributed (H-80, H-81, H-83)', () => {
    const lines = Array.from({ length: 50 }, (_, at) => `// human line ${at} of many words\n`).join('');
    const block =
      'export function total(prices: number[]): number {\n  return prices.reduce((a, b) => a + b, 0);\n}\n';
    box.agentWrites('src/app/total.ts', block);
    box.write('src/app/total.ts', lines + block);
    const { code, out } = box.run(['why', 'src/app/total.ts:51-53']);
    expect(code).toBe(0);
    expect(out).toContain('src/app/total.ts:51-53  INT-001 Build the app');
    expect(out).toContain('the request is about the app');
    expect(out).toContain('written at   src/app/total.ts:1');
    expect(box.run(['why', 'src/app/total.ts:7']).out).toContain('unattributed');
    expect(box.run(['provenance', 'check', 'src/app/total.ts']).out).toContain(
      '53 lines: 3 attributed, 0 ambiguous, 50 unattributed',
    );
    const one = box.run(['why', 'total.ts:52'], { cwd: box.file('src/app') });
    expect(one.out).toContain('INT-001');
    expect(box.run(['why', 'src/app/total.ts:99']).code).toBe(1);
    expect(box.run(['why', '/etc/passwd:1']).code).toBe(1);
  });

  test('hash and file lookups (H-82, H-84)', () => {
    const hash = sha256(box.read('src/app/main.ts'));
    expect(box.run(['provenance', 'hash', `sha256:${hash}`])).toMatchObject({
      code: 0,
      out: expect.stringContaining('whole file'),
    });
    expect(box.run(['provenance', 'hash', sha256('export const two = 2;\n')]).out).toContain('lines 2-2');
    expect(box.run(['provenance', 'hash', '0'.repeat(64)]).code).toBe(1);
    expect(box.json('provenance', 'file', 'src/app/main.ts')).toMatchObject({
      intent: { id: 'INT-001', locked: true },
      content_hash: hash,
    });
    expect(box.run(['provenance', 'file', 'src/app/other.ts']).code).toBe(1);
  });

  test('rebuild gives the same map again (H-67)', () => {
    const before = box.read('.orchestration/intent_map.md');
    expect(before).toContain('src/app/main.ts');
    box.write('.orchestration/intent_map.md', 'gone\n');
    expect(box.run(['provenance', 'rebuild']).code).toBe(0);
    expect(box.read('.orchestration/intent_map.md')).toBe(before);
  });
});
