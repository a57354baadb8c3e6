import { readdirSync, readFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../src/core/digest.ts';
import { Sandbox } from '../cli/support.ts';

const RECEIPTS = '.orchestration/tool_receipts.log';
const TRACE = '.orchestration/agent_trace.jsonl';
const QUARANTINE = '.orchestration/quarantine';

interface Fsck {
  sound: boolean;
  findings: { level: string; part: string; message: string; line: number | null }[];
  repairs?: { what: string; kept: string | null; sha256: string | null }[];
}

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox().init();
  box.handshake();
  box.agentWrites('src/app/main.ts', 'export const two = 2;\n');
  box.agentWrites('src/app/more.ts', 'export const more = "of it";\n');
  box.run(['why', 'src/app/main.ts:1']);
});
afterEach(() => box[Symbol.dispose]());

const check = () => box.json<Fsck>('fsck');
const mend = () => box.json<Fsck>('fsck', '--repair');
const errors = ({ findings }: Fsck) => findings.filter(({ level }) => level === 'error');

test('a sound workspace is sound, and checking it changes nothing', () => {
  const before = [RECEIPTS, TRACE].map((name) => box.read(name));
  expect(box.run(['fsck'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('sound: 7 receipts, 2 ledger records'),
  });
  expect(mend()).toMatchObject({ sound: true, repairs: [] });
  expect([RECEIPTS, TRACE].map((name) => box.read(name))).toEqual(before);
});

test('attempts without an outcome are a note', () => {
  box.event('PreToolUse', {
    tool_name: 'Read',
    tool_input: { file_path: box.file('src/app/main.ts') },
    tool_use_id: 'open',
  });
  const report = check();
  expect(report).toMatchObject({ sound: true, openAttempts: 1 });
  expect(report.findings).toContainEqual(expect.objectContaining({ level: 'note', part: 'links' }));
});

test('a damaged ledger is kept whole, its good prefix goes on, and agents work again', () => {
  const lines = box.read(TRACE).split('\n');
  const damaged = [lines[0], (lines[1] as string).replace('more.ts', 'less.ts'), ''].join('\n');
  box.write(TRACE, damaged);
  expect(errors(check())).toMatchObject([{ part: 'logs', line: 2 }]);
  expect(box.agentWrites('src/app/main.ts', 'x\n')).toBe(false);

  const { repairs } = mend();
  expect(repairs?.[0]).toMatchObject({ sha256: sha256(damaged), kept: expect.stringContaining(QUARANTINE) });
  expect(readFileSync(box.file(repairs?.[0]?.kept ?? ''), 'utf8')).toBe(damaged);
  expect(box.read(TRACE)).toBe(`${lines[0]}\n`);
  const recovery = box
    .json<{ tool: string; note?: string }[]>('receipt', 'list')
    .filter(({ tool }) => tool === 'pactclaw.recovery');
  expect(recovery[0]?.note).toContain(sha256(damaged));
  expect(box.run(['status']).code).toBe(0);
  expect(box.run(['trace', 'verify']).code).toBe(0);
  expect(box.agentWrites('src/app/more.ts', 'export const again = 1;\n')).toBe(true);
  expect(box.run(['trace', 'verify']).out).toContain('2 records, 2 writers');
});

test('damaged receipts refill no budget', () => {
  const count = (sql: string) => {
    const db = new Database(box.file('.orchestration/state.db'));
    try {
      return db.prepare(sql).pluck().get();
    } finally {
      db.close();
    }
  };
  const transcript = box.file('transcript.jsonl');
  const message = {
    id: 'm1',
    role: 'assistant',
    model: 'test',
    content: [{ type: 'text', text: 'hi' }],
    usage: { input_tokens: 70, output_tokens: 7 },
  };
  box.write('transcript.jsonl', `${JSON.stringify({ type: 'assistant', message })}\n`);
  box.event('Stop', { transcript_path: transcript });
  const tokens = count("SELECT tokens FROM usage WHERE intent_id = 'INT-001'");
  expect(tokens).toBe(77);
  const lines = box.read(RECEIPTS).split('\n');
  box.write(RECEIPTS, `${lines[0]}\nnonsense\n${lines.slice(2).join('\n')}`);
  expect(mend().repairs?.length).toBeGreaterThan(0);
  expect(count("SELECT tokens FROM usage WHERE intent_id = 'INT-001'")).toBe(77);
  rmSync(box.file('.orchestration/state.db'));
  box.run(['status']);
  expect(count("SELECT tokens FROM usage WHERE intent_id = 'INT-001'")).toBe(77);
});

test('a cut end and a missing log are found and gone on from', () => {
  const [first = ''] = box.read(TRACE).split('\n');
  box.write(TRACE, `${first}\n`);
  expect(errors(check())[0]?.message).toContain('was acknowledged and is missing');
  mend();
  expect(box.run(['status']).code).toBe(0);
  rmSync(box.file(TRACE));
  expect(errors(check())[0]?.message).toContain('missing');
  mend();
  expect(box.run(['status']).code).toBe(0);
  expect(box.agentWrites('src/app/main.ts', 'export const three = 3;\n')).toBe(true);
});

test('records that the other log does not know are errors', () => {
  const db = new Database(box.file('.orchestration/state.db'));
  const [first = ''] = box.read(TRACE).split('\n');
  box.write(TRACE, `${first}\n`);
  db.exec("DELETE FROM log WHERE name = 'trace'; DELETE FROM head WHERE log = 'trace'");
  db.close();
  expect(errors(check())).toMatchObject([
    { part: 'links', line: 7, message: expect.stringContaining('not in the ledger') },
  ]);
});

test('state.db that was tampered with is found and made anew', () => {
  const db = new Database(box.file('.orchestration/state.db'));
  db.exec("UPDATE owner SET intent_id = 'INT-666'; DELETE FROM prov_line");
  db.close();
  expect(errors(check()).map(({ part }) => part)).toEqual(['state', 'index']);
  expect(mend()).toMatchObject({ sound: true });
  expect(box.json('provenance', 'file', 'src/app/main.ts')).toMatchObject({ intent: { id: 'INT-001' } });
  expect(box.run(['why', 'src/app/more.ts:1']).out).toContain('INT-001');
});

test('a database that is none is set aside and made anew', () => {
  box.write(
    '.orchestration/state.db',
    'this is no database, but it is long enough to be taken for one by its size',
  );
  rmSync(box.file('.orchestration/state.db-wal'), { force: true });
  expect(check().sound).toBe(false);
  expect(mend()).toMatchObject({ sound: true });
  expect(readdirSync(box.file(QUARANTINE)).some((name) => name.startsWith('state.db'))).toBe(true);
});

test('a stale lock in the map is a note, another text an error', () => {
  box.write(
    '.orchestration/active_intents.yaml',
    box.read('.orchestration/active_intents.yaml').replace('IN_PROGRESS', 'PENDING'),
  );
  expect(check()).toMatchObject({ sound: true, findings: [{ level: 'note', part: 'map' }] });
  box.write('.orchestration/intent_map.md', 'mine\n');
  expect(errors(check())).toMatchObject([{ part: 'map' }]);
  expect(mend()).toMatchObject({ sound: true });
});

test('a broken registry is told and left to the human', () => {
  box.write('.orchestration/active_intents.yaml', 'active_intents: {');
  expect(mend()).toMatchObject({ sound: false });
  expect(box.read('.orchestration/active_intents.yaml')).toBe('active_intents: {');
});

test('a repair is not for agents', () => {
  box.write('.orchestration/intent_map.md', 'mine\n');
  expect(box.run(['fsck', '--repair'], { env: { CLAUDECODE: '1' } })).toMatchObject({
    code: 1,
    err: expect.stringContaining('humans only'),
  });
  expect(box.read('.orchestration/intent_map.md')).toBe('mine\n');
});
