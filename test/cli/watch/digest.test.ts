import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digest } from '../../../src/cli/watch/digest.ts';
import { type Known, NOTHING_KNOWN } from '../../../src/cli/watch/known.ts';
import {
  anyReceipt,
  begun,
  FAIL_SAFE,
  intent,
  look,
  NOW,
  receipt,
  refusal,
  session,
  snapshot,
} from './support.ts';

const events = (news: readonly { readonly event: string }[]) => news.map(({ event }) => event);

describe('what is news', () => {
  test('nothing of what was there at the first look', () => {
    const { known, news } = digest(
      NOTHING_KNOWN,
      look({ receipts: [refusal('loop')], snapshot: snapshot({ failSafe: FAIL_SAFE }) }),
    );
    expect(news).toEqual([]);
    expect(known.refusals).toHaveLength(1);
  });

  test('a session that began, and its handshake', () => {
    const start = receipt({ phase: 'event', tool: 'pactclaw.session_start', conversation_id: 'new' });
    const hands = receipt({
      phase: 'post',
      tool: 'select_active_intent',
      conversation_id: 'new',
      state: 'CONTEXTUALIZED_ACTION',
      intent_id: 'INT-001',
    });
    const { news, known } = digest(begun(), look({ receipts: [start, hands] }));
    expect(news).toMatchObject([
      { event: 'session_began', session_id: 'new', host: 'claude-code', workspace: '/w/app' },
      { event: 'handshake', session_id: 'new', intent_id: 'INT-001' },
    ]);
    expect(known.sessions.get('new')?.beganAt).toBe('2026-11-21T11:59:00Z');
  });

  test('a session of a host that tells of no start begins with its first call; a known one does not', () => {
    const before = begun({ snapshot: snapshot({ sessions: [session({ id: 'old' })] }) });
    const { news } = digest(
      before,
      look({
        receipts: [
          receipt({ conversation_id: 'old' }),
          receipt({ conversation_id: 'x' }),
          receipt({ conversation_id: 'x' }),
        ],
      }),
    );
    expect(news).toMatchObject([{ event: 'session_began', session_id: 'x' }]);
  });

  test('a handshake that was refused is none', () => {
    const post = receipt({
      phase: 'post',
      tool: 'select_active_intent',
      state: 'REASONING_INTERCEPT',
      status: 'failed',
    });
    expect(digest(begun(), look({ receipts: [post] })).news).toEqual([]);
  });

  test('a refusal says what, why, and what would end it', () => {
    const { news } = digest(
      begun(),
      look({ receipts: [refusal('scope', { target: 'README.md', intent_id: 'INT-001' })] }),
    );
    expect(news).toMatchObject([
      {
        event: 'refusal',
        kind: 'scope',
        rule: 'scope',
        session_id: 's1',
        tool: 'Write',
        target: 'README.md',
        intent_id: 'INT-001',
        message: 'refused for scope',
        unblock: expect.stringContaining('widen owned_scope'),
      },
    ]);
  });

  test.each([
    ['loop', 'breaker'],
    ['budget', 'budget'],
  ])('%s is a trip', (kind, trip) => {
    const { news } = digest(begun(), look({ receipts: [refusal(kind)] }));
    expect(news).toMatchObject([{ event: 'refusal' }, { event: 'trip', kind: trip, session_id: 's1' }]);
  });

  test('what was found after a call is a violation and a trip; a human must look', () => {
    const found = refusal('scope', { phase: 'post' });
    const { news } = digest(begun(), look({ receipts: [found] }));
    expect(news).toMatchObject([
      { event: 'violation', unblock: expect.stringContaining('a human reviews') },
      { event: 'trip', kind: 'violation' },
    ]);
  });

  test('a call of a session that was halted before is refused, and trips nothing', () => {
    const message = 'Session Halted: this session has been ended by the circuit breaker';
    const violation = { kind: 'state', rule: 'state', hook: 'h', message } as const;
    const { news } = digest(begun(), look({ receipts: [refusal('state', { violation })] }));
    expect(news).toMatchObject([
      { event: 'refusal', unblock: expect.stringContaining('a human reviews the session') },
    ]);
  });

  test('a status that changed, an intent that came or went', () => {
    const now = [intent({ status: 'BLOCKED', reason: 'budget: all' }), intent({ id: 'INT-3' })];
    const before = begun({ snapshot: snapshot({ intents: [intent(), intent({ id: 'INT-2' })] }) });
    expect(digest(before, look({ snapshot: snapshot({ intents: now }) })).news).toMatchObject([
      {
        event: 'intent_status',
        intent_id: 'INT-001',
        from: 'IN_PROGRESS',
        to: 'BLOCKED',
        reason: 'budget: all',
      },
      { event: 'intent_status', intent_id: 'INT-3', from: null, to: 'IN_PROGRESS' },
      { event: 'intent_status', intent_id: 'INT-2', from: 'IN_PROGRESS', to: null },
    ]);
  });

  test('the first intent of a workspace that had none', () => {
    const before = begun({ snapshot: snapshot({ intents: [] }) });
    expect(digest(before, look()).news).toMatchObject([{ event: 'intent_status', from: null }]);
  });
});

describe('fail-safe', () => {
  const broken = snapshot({ failSafe: FAIL_SAFE, intents: [] });

  test('its beginning is told with one trip, its end without; intents are not gone meanwhile', () => {
    const on = digest(begun(), look({ snapshot: broken }));
    expect(on.news).toMatchObject([
      { event: 'fail_safe', on: true, reason: FAIL_SAFE.reason },
      { event: 'trip', kind: 'fail_safe', unblock: 'Correct the file by hand.' },
    ]);
    const still = digest(on.known, look({ snapshot: broken, receipts: [refusal('fail_safe')] }));
    expect(events(still.news)).toEqual(['refusal']);
    expect(digest(still.known, look()).news).toMatchObject([{ event: 'fail_safe', on: false }]);
  });

  test('two of them shortly one after the other are two trips', () => {
    const first = digest(begun(), look({ snapshot: broken }));
    const over = digest(first.known, look({ nowMs: NOW + 500 }));
    const second = digest(over.known, look({ snapshot: broken, nowMs: NOW + 1_000 }));
    expect(events(second.news)).toEqual(['fail_safe', 'trip']);
  });

  test('told by a receipt first and by the state right after, it is one trip', () => {
    const first = digest(begun(), look({ receipts: [refusal('fail_safe')] }));
    expect(events(first.news)).toEqual(['refusal', 'trip']);
    const second = digest(first.known, look({ snapshot: broken, nowMs: NOW + 500 }));
    expect(events(second.news)).toEqual(['fail_safe']);
    const later = digest(first.known, look({ snapshot: broken, nowMs: NOW + 60_000 }));
    expect(events(later.news)).toEqual(['fail_safe', 'trip']);
  });
});

describe('a log that was exchanged', () => {
  test('what was seen is not told again, and what is older than it neither', () => {
    const seen = refusal('loop', { timestamp: '2026-11-21T11:00:00Z' });
    const known = begun({ receipts: [seen] });
    const older = refusal('loop', { timestamp: '2026-11-20T11:00:00Z' });
    const newer = refusal('loop', { timestamp: '2026-11-21T11:00:01Z' });
    const { news } = digest(known, look({ receipts: [older, seen, newer], restarted: true, damaged: 3 }));
    expect(news).toMatchObject([
      { event: 'refusal', receipt_id: newer.id },
      { event: 'trip', receipt_id: newer.id },
    ]);
  });
});

test('the last call of a session, and how it ended', () => {
  const first = receipt({ target: 'a.ts' });
  const second = receipt({ target: 'b.ts' });
  const after = (known: Known, ...receipts: ReturnType<typeof receipt>[]) =>
    digest(known, look({ receipts })).known;
  const callOf = (known: Known) => known.sessions.get('s1')?.call;
  const running = after(begun(), first, second);
  expect(callOf(running)).toMatchObject({ tool: 'Write', target: 'b.ts', status: 'running' });
  const other = after(running, receipt({ phase: 'post', receipt_of: first.id }));
  expect(callOf(other)?.status).toBe('running');
  expect(
    callOf(after(other, receipt({ phase: 'post', receipt_of: second.id, status: 'failed' })))?.status,
  ).toBe('failed');
});

describe('any receipts in any portions', () => {
  const looks = fc.array(
    fc.record({ receipts: fc.array(anyReceipt, { maxLength: 20 }), restarted: fc.boolean() }),
    { maxLength: 8 },
  );

  test('counts agree with what was told, memory stays bounded, and nothing old is changed', () => {
    fc.assert(
      fc.property(looks, (portions) => {
        let known = begun({ snapshot: snapshot({ sessions: [] }) });
        const told = { refusal: 0, violation: 0, trip: 0 };
        const ids = new Set<string>();
        let attempts = 0;
        for (const { receipts } of portions) {
          const before = structuredClone(known);
          const { known: after, news } = digest(known, look({ receipts }));
          expect(known).toEqual(before);
          for (const one of news) if (one.event in told) told[one.event as 'trip'] += 1;
          for (const one of news)
            if (one.event === 'trip' && one.receipt_id !== null) {
              expect(ids).not.toContain(one.receipt_id);
              ids.add(one.receipt_id);
            }
          attempts += receipts.filter(({ phase }) => phase === 'pre').length;
          known = after;
        }
        const { allowed, denied, violations } = known.counts;
        expect(allowed + denied).toBe(attempts);
        expect({ denied, violations }).toEqual({ denied: told.refusal, violations: told.violation });
        expect(known.refusals).toHaveLength(Math.min(50, denied + violations));
        expect(known.sessions.has('pactclaw')).toBe(false);
      }),
    );
  });

  test('the same receipts again tell nothing', () => {
    fc.assert(
      fc.property(fc.array(anyReceipt, { maxLength: 30 }), fc.boolean(), (receipts, restarted) => {
        const { known } = digest(begun(), look({ receipts }));
        const again = digest(known, look({ receipts, restarted }));
        expect(again.news).toEqual([]);
        expect(again.known.counts).toEqual(known.counts);
      }),
    );
  });

  test('memory does not grow with the log', () => {
    let known = begun();
    for (let round = 0; round < 20; round += 1)
      known = digest(
        known,
        look({
          receipts: Array.from({ length: 1_000 }, (_, at) =>
            refusal('scope', { conversation_id: `s-${round}-${at}` }),
          ),
        }),
      ).known;
    expect(known.counts.denied).toBe(20_000);
    expect([known.refusals.length, known.sessions.size, known.seen.size]).toEqual([50, 500, 5_000]);
  });
});
