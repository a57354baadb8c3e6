import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Trip } from '../../../src/cli/watch/news.ts';
import { desktopSequences } from '../../../src/cli/watch/notify.ts';
import { jsonLine } from '../../../src/cli/watch/say-json.ts';
import { describe as inWords } from '../../../src/cli/watch/say-news.ts';
import { hostile } from './support.ts';

function trip(more: Partial<Trip> = {}): Trip {
  return {
    event: 'trip',
    at: '2026-11-21T12:00:00Z',
    workspace: '/w/app',
    kind: 'breaker',
    receipt_id: 'receipt-1',
    session_id: 's1',
    host: 'claude-code',
    intent_id: 'INT-001',
    tool: 'Bash',
    target: null,
    rule: 'loop-breaker',
    message: 'Circuit Breaker: loop detected',
    unblock: 'a human looks',
    ...more,
  };
}

describe('desktop notifications', () => {
  test.each([
    [
      { TERM: 'xterm-256color' },
      '\u001b]9;PactClaw: app: TRIP (circuit breaker) Circuit Breaker: loop detected; a human looks\u0007',
    ],
    [
      { TERM: 'foot' },
      '\u001b]777;notify;PactClaw;app: TRIP (circuit breaker) Circuit Breaker: loop detected, a human looks\u0007',
    ],
    [
      { TERM: 'xterm-256color', VTE_VERSION: '7600' },
      '\u001b]777;notify;PactClaw;app: TRIP (circuit breaker) Circuit Breaker: loop detected, a human looks\u0007',
    ],
  ])('with %j', (env, sequence) => expect(desktopSequences([trip()], env)).toEqual([sequence]));

  test('many trips at once are three and a number', () => {
    const sequences = desktopSequences(
      Array.from({ length: 50 }, () => trip()),
      {},
    );
    expect(sequences).toHaveLength(4);
    expect(sequences.at(-1)).toContain('and 47 more trips');
  });
});

describe('text of an agent in what a trip says', () => {
  const anyTrip = fc
    .record({ message: hostile, target: hostile, tool: hostile, workspace: hostile })
    .map((more) => trip(more));

  test('ends no sequence and begins none', () => {
    fc.assert(
      fc.property(anyTrip, fc.constantFrom('xterm', 'foot'), (one, TERM) => {
        for (const sequence of desktopSequences([one], { TERM }))
          expect(sequence).toMatch(
            /^\u001b\](?:9;PactClaw: |777;notify;PactClaw;[^;]*$)[^\u0000-\u001f\u007f-\u009f]*\u0007$|^\u001b\]777;notify;PactClaw;[^\u0000-\u001f\u007f-\u009f;]*\u0007$/,
          );
      }),
    );
  });

  test('is one line in words, and one line of JSON that reads back the same', () => {
    fc.assert(
      fc.property(anyTrip, (one) => {
        expect(inWords(one)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
        const line = jsonLine(one);
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
        expect(JSON.parse(line)).toEqual(one);
      }),
    );
  });
});
