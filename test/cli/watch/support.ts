import fc from 'fast-check';
import { digest } from '../../../src/cli/watch/digest.ts';
import { type Known, type Look, NOTHING_KNOWN } from '../../../src/cli/watch/known.ts';
import type { SeenReceipt } from '../../../src/cli/watch/receipt-line.ts';
import type { Screen } from '../../../src/cli/watch/screen.ts';
import type { IntentNow, SessionNow, Snapshot } from '../../../src/cli/watch/snapshot.ts';

export const NOW = Date.parse('2026-11-21T12:00:00Z');

let made = 0;

/** A receipt of an allowed attempt; `more` makes it another. */
export function receipt(more: Partial<SeenReceipt> = {}): SeenReceipt {
  made += 1;
  return {
    id: `receipt-${made}`,
    timestamp: '2026-11-21T11:59:00Z',
    phase: 'pre',
    conversation_id: 's1',
    tool: 'file_write',
    host_tool: 'Write',
    host: 'claude-code',
    status: 'allowed',
    ...more,
  };
}

/** A receipt of a refused attempt. */
export function refusal(kind: string, more: Partial<SeenReceipt> = {}): SeenReceipt {
  const violation = { kind: kind as 'scope', rule: kind, hook: 'Hook', message: `refused for ${kind}` };
  return receipt({ status: 'denied', violation, ...more });
}

export function intent(more: Partial<IntentNow> = {}): IntentNow {
  return {
    id: 'INT-001',
    name: 'Build the app',
    status: 'IN_PROGRESS',
    reason: null,
    turns: 12,
    tokens: 150_000,
    maxTurns: 40,
    maxTokens: 200_000,
    ...more,
  };
}

export function session(more: Partial<SessionNow> = {}): SessionNow {
  return {
    id: 's1',
    state: 'CONTEXTUALIZED_ACTION',
    intentId: 'INT-001',
    host: 'claude-code',
    model: null,
    haltReason: null,
    updatedAt: '2026-11-21T11:59:57Z',
    ...more,
  };
}

export function snapshot(more: Partial<Snapshot> = {}): Snapshot {
  return { failSafe: null, intents: [intent()], sessions: [session()], ...more };
}

export const FAIL_SAFE = {
  reason: 'orchestration state corrupted: INT-001: status must be one of …',
  file: '.orchestration/active_intents.yaml',
  line: 5,
  remedy: 'Correct the file by hand.',
};

export function look(more: Partial<Look> = {}): Look {
  return {
    workspace: '/w/app',
    nowMs: NOW,
    snapshot: snapshot(),
    receipts: [],
    damaged: 0,
    restarted: false,
    ...more,
  };
}

/** What is known after a first look at nothing much. */
export function begun(more: Partial<Look> = {}): Known {
  return digest(NOTHING_KNOWN, look(more)).known;
}

export function screen(known: Known, more: Partial<Screen> = {}): Screen {
  return { nowMs: NOW, estop: null, notice: null, places: [{ name: 'app', root: '/w/app', known }], ...more };
}

/** Text as an agent might choose it: anything, control sequences and wide characters included. */
export const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '\u001b[2J\u001b[1;1Hall is well',
    '\u001b]0;title\u0007',
    '\u009b31mred',
    '漢字漢字漢字漢字漢字漢字漢字漢字',
    '👩‍💻🇩🇪❤️🏳️‍🌈',
    'e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301',
    '\u202egnp.exe',
    'a\r\nb\tc',
    '\ud800',
  ),
);

const KINDS = ['state', 'scope', 'budget', 'loop', 'policy', 'fail_safe', 'estop'] as const;

/** Any receipt, with text of agents in every place that can hold some. */
export const anyReceipt: fc.Arbitrary<SeenReceipt> = fc
  .record({
    phase: fc.constantFrom('pre', 'post', 'event'),
    status: fc.constantFrom('allowed', 'denied', 'failed'),
    conversation_id: fc.oneof(fc.constantFrom('s1', 's2', 'pactclaw'), hostile),
    tool: fc.oneof(fc.constantFrom('file_write', 'select_active_intent', 'pactclaw.session_start'), hostile),
    host_tool: hostile,
    host: hostile,
    target: hostile,
    intent_id: hostile,
    timestamp: fc.oneof(fc.constantFrom('2026-11-21T11:00:00Z', '2026-11-21T11:30:00Z'), hostile),
    violation: fc.option(
      fc.record({
        kind: fc.constantFrom(...KINDS),
        rule: hostile,
        hook: hostile,
        message: hostile,
        target: hostile,
      }),
      { nil: undefined },
    ),
  })
  .map(({ violation, ...plain }) => receipt({ ...plain, ...(violation ? { violation } : {}) }));
