import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sealLine } from '../../src/core/chain.ts';
import { StateError } from '../../src/core/errors.ts';
import type { Layout } from '../../src/core/layout.ts';
import type { ReceiptDraft } from '../../src/core/receipt.ts';
import type { TraceDraft } from '../../src/core/trace-record.ts';
import { repeatsWith, USER_REQUEST_EVENT } from '../../src/ledger/ingest.ts';
import { SCHEMA_VERSION } from '../../src/ledger/sqlite/schema.ts';
import type { Store } from '../../src/ledger/store.ts';
import { HASH_FIELD, verifyLog } from '../../src/ledger/verify.ts';
import { openDatabase } from '../../src/platform/sqlite.ts';
import {
  copySidecar,
  LOGS,
  newSidecar,
  openStore,
  quarantined,
  receiptDraft,
  removeState,
  temporaryFolder,
  traceDraft,
  viewOf,
} from '../support/ledger.ts';

let base: string;
let layout: Layout;
let count = 0;
beforeAll(() => {
  base = temporaryFolder('rebuild');
});
beforeEach(() => {
  count += 1;
  layout = newSidecar(base, `ws-${count}`);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

type Step =
  | { readonly receipt: Partial<ReceiptDraft> }
  | { readonly trace: Partial<TraceDraft> }
  | { readonly settle: string };

const intentId = fc.constantFrom('INT-001', 'INT-002', 'INT-003');
const sessionId = fc.constantFrom('s1', 's2');
const file = fc.constantFrom('src/a/x', 'src/a/y', 'src/a/z');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    receipt: fc.record({ conversation_id: sessionId, args_hash: fc.constantFrom('one', 'two') }),
  }),
  fc.record({
    receipt: fc.record({
      phase: fc.constant('event' as const),
      tool: fc.constantFrom(USER_REQUEST_EVENT, 'pactclaw.stop'),
      conversation_id: sessionId,
      usage: fc.record({ intent_id: intentId, turns: fc.nat(3), tokens: fc.nat(1000) }),
    }),
  }),
  fc.record({
    receipt: fc.record({
      phase: fc.constantFrom('event' as const, 'post' as const),
      intent_event: fc.oneof(
        intentId.map((intent_id) => ({ event: 'blocked' as const, intent_id, reason: 'budget' })),
        intentId.map((intent_id) => ({ event: 'reset' as const, intent_id })),
      ),
    }),
  }),
  intentId.map((settle) => ({ settle })),
  fc.record({
    trace: fc.record(
      {
        intent_id: intentId,
        path: fc.oneof(file, fc.constant(null)),
        mutation: fc.constantFrom(
          'create' as const,
          'modify' as const,
          'delete' as const,
          'command' as const,
        ),
        from_path: file,
      },
      { requiredKeys: ['intent_id', 'path', 'mutation'] },
    ),
  }),
);

function run(store: Store, steps: readonly Step[], perTransaction = 1): void {
  for (let at = 0; at < steps.length; at += perTransaction)
    store.transact((tx) => {
      for (const one of steps.slice(at, at + perTransaction)) {
        if ('receipt' in one) tx.receipt(receiptDraft(0, one.receipt));
        else if ('trace' in one) tx.trace(traceDraft(0, one.trace));
        else if (tx.trips().some(({ intentId }) => intentId === one.settle)) tx.markTrip(one.settle, true);
      }
    });
  store.transact(() => undefined);
}

/** What the steps come to, told without the ledger. */
function model(steps: readonly Step[]) {
  const usage = new Map<string, { turns: number; tokens: number }>();
  const trips = new Map<string, boolean>();
  const streaks = new Map<string, { identity: string; count: number }>();
  const owners = new Map<string, { intentId: string; deleted: boolean; earlier: string[] }>();
  for (const one of steps) {
    if ('settle' in one) {
      if (trips.has(one.settle)) trips.set(one.settle, true);
      continue;
    }
    if ('trace' in one) {
      const { intent_id = '', path = null, mutation, from_path } = one.trace;
      if (path === null) continue;
      if (from_path !== undefined) owners.delete(from_path);
      const before = owners.get(path);
      const earlier = new Set([...(before?.earlier ?? []), ...(before ? [before.intentId] : [])]);
      earlier.delete(intent_id);
      owners.set(path, { intentId: intent_id, deleted: mutation === 'delete', earlier: [...earlier] });
      continue;
    }
    const receipt = receiptDraft(0, one.receipt);
    const session = receipt.conversation_id;
    if (receipt.usage) {
      const so = usage.get(receipt.usage.intent_id) ?? { turns: 0, tokens: 0 };
      usage.set(receipt.usage.intent_id, {
        turns: so.turns + receipt.usage.turns,
        tokens: so.tokens + receipt.usage.tokens,
      });
    }
    if (receipt.phase === 'pre') {
      const streak = streaks.get(session);
      const same = streak?.identity === receipt.args_hash;
      streaks.set(session, { identity: receipt.args_hash, count: same ? streak.count + 1 : 1 });
    } else if (receipt.tool === USER_REQUEST_EVENT) streaks.delete(session);
    const event = receipt.intent_event;
    if (event?.event === 'blocked') trips.set(event.intent_id, false);
    if (event?.event === 'reset') {
      trips.delete(event.intent_id);
      usage.delete(event.intent_id);
    }
  }
  return { usage, trips, streaks, owners };
}

function expectModel(store: Store, steps: readonly Step[]): void {
  const { usage, trips, streaks, owners } = model(steps);
  for (const id of ['INT-001', 'INT-002', 'INT-003']) {
    expect(store.usage(id)).toEqual(usage.get(id) ?? { turns: 0, tokens: 0 });
    expect(store.trips().find(({ intentId }) => intentId === id)?.written ?? null).toBe(
      trips.get(id) ?? null,
    );
  }
  for (const id of ['s1', 's2'])
    for (const identity of ['one', 'two']) {
      const streak = streaks.get(id);
      expect(repeatsWith(store, id, 'shell', identity)).toBe(
        streak?.identity === identity ? streak.count + 1 : 1,
      );
    }
  const found = store
    .owners()
    .map((row) => [row.path, row.intentId, row.contentHash === '', [...row.earlier].sort()]);
  const expected = [...owners]
    .map(([path, row]) => [path, row.intentId, row.deleted, row.earlier.sort()])
    .sort();
  expect(found).toEqual(expected);
}

const DAMAGES: Readonly<Record<string, (at: Layout) => void>> = {
  deleted: removeState,
  'deleted, its journal left': (at) => rmSync(at.state),
  emptied: (at) => truncateSync(at.state),
  'all garbage': (at) => {
    removeState(at);
    writeFileSync(at.state, Buffer.alloc(20_000, 'garbage'));
  },
  'a garbage header': (at) => {
    const fd = openSync(at.state, 'r+');
    writeSync(fd, Buffer.alloc(100, 7), 0, 100, 0);
    closeSync(fd);
  },
  'made half': (at) => {
    const db = openDatabase(at.state, { busyMs: 1_000 });
    db.pragma('user_version = 0');
    db.exec('DROP TABLE usage; DELETE FROM log; DELETE FROM head');
    db.close();
  },
};

describe('state.db is a view of the logs', () => {
  test('the tables are what the steps come to, live and rebuilt', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 25 }),
        fc.integer({ min: 1, max: 5 }),
        (steps, perTransaction) => {
          count += 1;
          const at = newSidecar(base, `model-${count}`);
          {
            using store = openStore(at);
            run(store, steps, perTransaction);
            expectModel(store, steps);
          }
          const live = viewOf(at);
          removeState(at);
          {
            using store = openStore(at);
            store.transact(() => undefined);
            expectModel(store, steps);
          }
          expect(viewOf(at)).toEqual(live);
          for (const log of LOGS) expect(verifyLog(at[log], log)).toMatchObject({ bad: null, torn: null });
        },
      ),
      { numRuns: 30 },
    );
  }, 30_000);

  test.each(Object.entries(DAMAGES))('%s: rebuilt, no budget refilled', (_what, damage) => {
    const steps = fc.sample(step, { seed: 42, numRuns: 60 });
    {
      using store = openStore(layout);
      run(store, steps, 3);
      store.transact((tx) =>
        tx.putSession({ ...tx.session('s1'), state: 'CONTEXTUALIZED_ACTION', intentId: 'INT-001' }),
      );
    }
    const live = viewOf(layout);
    expect(live.usage?.length).toBeGreaterThan(0);
    damage(layout);
    using store = openStore(layout);
    store.transact(() => undefined);
    expect(viewOf(layout)).toEqual(live);
    expect(store.transact((tx) => tx.receipt(receiptDraft(1))).seq).toBe(
      verifyLog(layout.receipts, 'receipts').lines,
    );
  });

  test('a lost database begins every session again at Request (H-18)', () => {
    {
      using store = openStore(layout);
      store.transact((tx) =>
        tx.putSession({ ...tx.session('s'), state: 'CONTEXTUALIZED_ACTION', intentId: 'INT-001' }),
      );
    }
    removeState(layout);
    using store = openStore(layout);
    expect(store.session('s')).toMatchObject({ state: 'REQUEST', intentId: null, pendingId: null });
  });

  test('damage inside is set aside at the first call that meets it, and the next call works', () => {
    {
      using store = openStore(layout);
      for (let n = 0; n < 60; n += 1)
        store.transact((tx) => [tx.receipt(receiptDraft(n)), tx.trace(traceDraft(n))]);
    }
    const size = readFileSync(layout.state).length;
    const fd = openSync(layout.state, 'r+');
    writeSync(fd, Buffer.alloc(size - 4096, 0x5a), 0, size - 4096, 4096);
    closeSync(fd);
    expect(() => {
      using store = openStore(layout);
      store.transact((tx) => tx.receipt(receiptDraft(60)));
    }).toThrow(/state\.db/);
    using store = openStore(layout);
    expect(store.transact((tx) => tx.receipt(receiptDraft(60))).seq).toBe(61);
    expect(readdirSync(layout.quarantine).some((name) => name.startsWith('state.db'))).toBe(true);
  });

  test('a database of a newer version is refused and kept', () => {
    openStore(layout).transact((tx) => tx.receipt(receiptDraft(1)));
    const db = openDatabase(layout.state, { busyMs: 1_000 });
    db.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    db.close();
    expect(() => openStore(layout)).toThrow(
      `state.db was written by a newer PactClaw (schema ${SCHEMA_VERSION + 1}, this one knows ${SCHEMA_VERSION})`,
    );
    expect(() => openStore(layout)).toThrow(StateError);
    expect(quarantined(layout)).toBe(false);
  });
});

describe('an append that did not finish', () => {
  function sealedNext(log: 'receipts' | 'trace', more: object): string {
    const last = readFileSync(layout[log], 'utf8').trimEnd().split('\n').at(-1) as string;
    const { writer, seq, [HASH_FIELD[log]]: hash } = JSON.parse(last);
    return sealLine({ ...more, writer, seq: seq + 1, previous_hash: hash }, HASH_FIELD[log]).line;
  }

  beforeEach(() => {
    using store = openStore(layout);
    store.transact((tx) => [tx.receipt(receiptDraft(1)), tx.trace(traceDraft(1))]);
  });

  test.each(LOGS)('a torn tail of %s is set aside, recorded, and nothing is lost', (log) => {
    const whole = sealedNext(log, { ...receiptDraft(2), id: 'x', timestamp: '2026-01-01T00:00:00Z' });
    for (const length of [1, 20, whole.length]) {
      const before = readFileSync(layout[log], 'utf8');
      const tail = whole.slice(0, length);
      appendFileSync(layout[log], tail);
      using store = openStore(layout);
      store.transact((tx) => tx.receipt(receiptDraft(3)));
      const after = readFileSync(layout[log], 'utf8');
      expect(after.startsWith(before)).toBe(true);
      const kept = readdirSync(layout.quarantine).map((name) =>
        readFileSync(`${layout.quarantine}/${name}`, 'utf8'),
      );
      expect(kept).toContain(tail);
      const notes = readFileSync(layout.receipts, 'utf8')
        .split('\n')
        .filter((line) => line.includes('pactclaw.recovery'));
      expect(JSON.parse(notes.at(-1) as string)).toMatchObject({
        phase: 'event',
        note: expect.stringContaining(`${length} bytes of an append to ${log} that never finished`),
      });
      for (const each of LOGS) expect(verifyLog(layout[each], each)).toMatchObject({ bad: null, torn: null });
    }
  });

  test('a torn tail is set aside without the database too', () => {
    appendFileSync(layout.receipts, '{"half');
    removeState(layout);
    using store = openStore(layout);
    store.transact(() => undefined);
    expect(readFileSync(layout.receipts, 'utf8')).toContain('pactclaw.recovery');
    expect(verifyLog(layout.receipts, 'receipts')).toMatchObject({ lines: 2, bad: null, torn: null });
  });

  test('a whole line whose process died before it committed is taken in', () => {
    const usage = { intent_id: 'INT-001', turns: 7, tokens: 70 };
    const more = { ...receiptDraft(2, { usage }), id: 'x', timestamp: '2026-01-01T00:00:00Z' };
    appendFileSync(layout.receipts, `${sealedNext('receipts', more)}\n`);
    using store = openStore(layout);
    store.transact(() => undefined);
    expect(store.usage('INT-001')).toEqual({ turns: 7, tokens: 70 });
    expect(store.transact((tx) => tx.receipt(receiptDraft(3))).seq).toBe(3);
  });

  test('a trip whose process died before it committed still blocks, and is no reset by a human (H-91)', () => {
    const intent_event = { event: 'blocked', intent_id: 'INT-001', reason: 'budget' } as const;
    const more = { ...receiptDraft(2, { intent_event }), id: 'x', timestamp: '2026-01-01T00:00:00Z' };
    appendFileSync(layout.receipts, `${sealedNext('receipts', more)}\n`);
    using store = openStore(layout);
    store.transact(() => undefined);
    expect(store.trips()).toEqual([{ intentId: 'INT-001', reason: 'budget', written: false }]);
    store.transact((tx) => tx.markTrip('INT-001', true));
    removeState(layout);
    using again = openStore(layout);
    again.transact(() => undefined);
    expect(again.trips()).toEqual([{ intentId: 'INT-001', reason: 'budget', written: true }]);
  });

  test('a transaction that throws leaves no trace', () => {
    const before = LOGS.map((log) => readFileSync(layout[log], 'utf8'));
    using store = openStore(layout);
    const view = viewOf(layout);
    expect(() =>
      store.transact((tx) => {
        tx.receipt(receiptDraft(2, { usage: { intent_id: 'INT-001', turns: 1, tokens: 1 } }));
        tx.trace(traceDraft(2));
        throw new Error('changed my mind');
      }),
    ).toThrow('changed my mind');
    expect(LOGS.map((log) => readFileSync(layout[log], 'utf8'))).toEqual(before);
    expect(viewOf(layout)).toEqual(view);
    expect(store.transact((tx) => tx.receipt(receiptDraft(2))).seq).toBe(2);
  });

  test('a rehearsal leaves no trace', () => {
    const before = LOGS.map((log) => readFileSync(layout[log], 'utf8'));
    using store = openStore(layout);
    const seq = store.rehearse((tx) => {
      tx.putSession({ ...tx.session('s'), state: 'HALTED' });
      return tx.receipt(receiptDraft(2)).seq;
    });
    expect(seq).toBe(2);
    expect(store.session('s').state).toBe('REQUEST');
    expect(LOGS.map((log) => readFileSync(layout[log], 'utf8'))).toEqual(before);
    expect(store.transact((tx) => tx.receipt(receiptDraft(2))).seq).toBe(2);
  });
});

describe('writers', () => {
  test('without its writer id a clone begins a new chain, and both verify', () => {
    const first = openStore(layout).transact((tx) => tx.receipt(receiptDraft(1)));
    rmSync(layout.writer);
    const second = openStore(layout).transact((tx) => tx.receipt(receiptDraft(2)));
    expect(second.writer).not.toBe(first.writer);
    expect(second).toMatchObject({ seq: 1, previous_hash: '0'.repeat(64) });
    const { heads, bad } = verifyLog(layout.receipts, 'receipts');
    expect(bad).toBeNull();
    expect(heads.size).toBe(2);
  });

  test.each(['', 'not hex', 'abc'])('a writer id that reads %j is damaged state', (text) => {
    writeFileSync(layout.writer, text);
    expect(() => openStore(layout)).toThrow('the writer id is damaged');
  });

  test('the logs of two branches merge line by line in any order', () => {
    {
      using store = openStore(layout);
      store.transact((tx) => [tx.receipt(receiptDraft(0)), tx.trace(traceDraft(0))]);
    }
    const shared = Object.fromEntries(LOGS.map((log) => [log, readFileSync(layout[log], 'utf8')]));
    const branches = ['one', 'two'].map((name) => {
      count += 1;
      const clone = copySidecar(layout, base, `branch-${count}`);
      removeState(clone);
      if (name === 'two') rmSync(clone.writer);
      using store = openStore(clone);
      for (let n = 0; n < 5; n += 1)
        store.transact((tx) => {
          tx.receipt(receiptDraft(n, { usage: { intent_id: 'INT-001', turns: 1, tokens: 10 } }));
          tx.trace(traceDraft(n, { path: `src/a/${name}-${n}` }));
        });
      return clone;
    });
    const added = (log: 'receipts' | 'trace') =>
      branches.map((clone) =>
        readFileSync(clone[log], 'utf8')
          .slice((shared[log] as string).length)
          .trimEnd()
          .split('\n'),
      );
    const order = fc.array(fc.boolean(), { minLength: 10, maxLength: 10 });
    const merge = ([one = [], two = []]: string[][], picks: readonly boolean[]) => {
      const rest: [string[], string[]] = [[...one], [...two]];
      const lines = picks.flatMap((pick) => rest[pick ? 1 : 0].shift() ?? rest[pick ? 0 : 1].shift() ?? []);
      return [...lines, ...rest[0], ...rest[1]].map((line) => `${line}\n`).join('');
    };
    fc.assert(
      fc.property(order, order, (picks, others) => {
        count += 1;
        const merged = newSidecar(base, `merged-${count}`);
        writeFileSync(merged.receipts, shared.receipts + merge(added('receipts'), picks));
        writeFileSync(merged.trace, shared.trace + merge(added('trace'), others));
        for (const log of LOGS)
          expect(verifyLog(merged[log], log)).toMatchObject({ lines: 11, bad: null, heads: { size: 2 } });
        using store = openStore(merged);
        store.transact((tx) => tx.receipt(receiptDraft(1)));
        expect(store.usage('INT-001')).toEqual({ turns: 10, tokens: 100 });
        expect(store.owners()).toHaveLength(11);
      }),
      { numRuns: 15 },
    );
  }, 30_000);
});
