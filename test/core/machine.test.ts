import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getShortestPaths } from 'xstate/graph';
import {
  advance,
  BEGINNING,
  handshakeMachine,
  type SessionEvent,
  type SessionPosition,
} from '../../src/core/machine.ts';
import { STATES } from '../../src/core/words.ts';

const INTENTS = ['A', 'B'];
const ALPHABET: readonly SessionEvent[] = [
  ...[true, false].flatMap((keep) =>
    [true, false].map((released): SessionEvent => ({ type: 'USER_REQUEST', keep, released })),
  ),
  { type: 'SESSION_START' },
  ...INTENTS.map((intentId): SessionEvent => ({ type: 'HANDSHAKE_STARTED', intentId })),
  ...INTENTS.map((intentId): SessionEvent => ({ type: 'HANDSHAKE_ACCEPTED', intentId })),
  { type: 'HANDSHAKE_REJECTED' },
  { type: 'INTENT_REVOKED' },
  { type: 'HALT' },
];

interface Edge {
  readonly from: SessionPosition;
  readonly event: SessionEvent;
  readonly to: SessionPosition;
}

const keyOf = (position: SessionPosition) => JSON.stringify(position);

/** Every edge that can be reached from the beginning. */
function walk(): Edge[] {
  const seen = new Set([keyOf(BEGINNING)]);
  const edges: Edge[] = [];
  const todo = [BEGINNING];
  for (let from = todo.pop(); from; from = todo.pop()) {
    for (const event of ALPHABET) {
      const to = advance(from, event);
      edges.push({ from, event, to });
      if (seen.has(keyOf(to))) continue;
      seen.add(keyOf(to));
      todo.push(to);
    }
  }
  return edges;
}

/** What must hold of every step, whatever led to it. */
function checkStep({ from, event, to }: Edge): void {
  const acting = to.state === 'CONTEXTUALIZED_ACTION';
  expect(acting).toBe(to.intentId !== null);
  if (to.pendingId !== null) expect(to.state).toBe('REASONING_INTERCEPT');
  if (acting && from.state !== 'CONTEXTUALIZED_ACTION') {
    expect(event.type).toBe('HANDSHAKE_ACCEPTED');
    expect(from).toMatchObject({ state: 'REASONING_INTERCEPT', pendingId: to.intentId });
    expect(event).toMatchObject({ intentId: to.intentId });
  }
  if (acting && from.state === 'CONTEXTUALIZED_ACTION') expect(to).toEqual(from);
  if (to.pendingId !== null && to.pendingId !== from.pendingId)
    expect(event).toEqual({ type: 'HANDSHAKE_STARTED', intentId: to.pendingId });
  if (event.type === 'HALT') expect(to).toEqual({ state: 'HALTED', intentId: null, pendingId: null });
  if (from.state === 'HALTED' && to.state !== 'HALTED') {
    expect(event).toMatchObject({ type: 'USER_REQUEST', released: true });
    expect(to.state).toBe('REASONING_INTERCEPT');
  }
}

describe('the whole graph', () => {
  const edges = walk();

  test('has every state and keeps the invariant on every edge (H-1)', () => {
    expect(new Set(edges.map(({ to }) => to.state))).toEqual(new Set(STATES));
    expect(edges).toHaveLength(ALPHABET.length * new Set(edges.map(({ from }) => keyOf(from))).size);
    for (const edge of edges) checkStep(edge);
  });

  test('XState walks to the same positions', () => {
    const events = ALPHABET as readonly Parameters<typeof advance>[1][];
    const paths = getShortestPaths(handshakeMachine, {
      events: [...events],
      serializeState: (at) => JSON.stringify([at.value, at.context]),
    });
    const theirs = new Set(
      paths.map(({ state }) =>
        keyOf({
          state: state.value as SessionPosition['state'],
          intentId: state.context.intentId,
          pendingId: state.context.pendingId,
        }),
      ),
    );
    expect(theirs).toEqual(new Set([keyOf(BEGINNING), ...edges.map(({ to }) => keyOf(to))]));
  });

  test('the only way in is REQUEST, REASONING_INTERCEPT, CONTEXTUALIZED_ACTION in that order', () => {
    const shortest = getShortestPaths(handshakeMachine, { events: [...ALPHABET] })
      .filter(({ state }) => state.value === 'CONTEXTUALIZED_ACTION')
      .map(({ steps }) => steps.map(({ event }) => event.type));
    expect(shortest.length).toBeGreaterThan(0);
    for (const path of shortest) expect(path.slice(-2)).toEqual(['HANDSHAKE_STARTED', 'HANDSHAKE_ACCEPTED']);
  });
});

describe('any sequence of events', () => {
  const event = fc.constantFrom(...ALPHABET);

  test('keeps the invariant', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let from = BEGINNING;
        for (const one of events) {
          const to = advance(from, one);
          checkStep({ from, event: one, to });
          from = to;
        }
      }),
      { numRuns: 300 },
    );
  });

  test('acts only after a start and an acceptance of one intent with nothing that breaks them between', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        let at = BEGINNING;
        let open: string | null = null;
        for (const one of events) {
          const accepted = one.type === 'HANDSHAKE_ACCEPTED' && open === one.intentId;
          const before = at;
          at = advance(at, one);
          if (at.state === 'CONTEXTUALIZED_ACTION' && before.state !== 'CONTEXTUALIZED_ACTION')
            expect(accepted).toBe(true);
          if (one.type === 'HANDSHAKE_STARTED') open = before.state === 'HALTED' ? null : one.intentId;
          else if (one.type !== 'HANDSHAKE_ACCEPTED' || accepted) open = null;
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a halted session takes no event but a released request', () => {
    const halted = advance(BEGINNING, { type: 'HALT' });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        const kept = events.filter((one) => !(one.type === 'USER_REQUEST' && one.released));
        expect(kept.reduce(advance, halted)).toEqual(halted);
        expect(advance(halted, { type: 'USER_REQUEST', keep: true, released: true })).toEqual({
          state: 'REASONING_INTERCEPT',
          intentId: null,
          pendingId: null,
        });
      }),
    );
  });
});

test('a request keeps the handshake only where the policy says so (H-16)', () => {
  const acting: SessionPosition = { state: 'CONTEXTUALIZED_ACTION', intentId: 'A', pendingId: null };
  expect(advance(acting, { type: 'USER_REQUEST', keep: true, released: false })).toEqual(acting);
  expect(advance(acting, { type: 'USER_REQUEST', keep: false, released: true }).state).toBe(
    'REASONING_INTERCEPT',
  );
});

test('an acceptance of another intent than the one begun is nothing', () => {
  const pending = advance(BEGINNING, { type: 'HANDSHAKE_STARTED', intentId: 'A' });
  expect(advance(pending, { type: 'HANDSHAKE_ACCEPTED', intentId: 'B' })).toEqual(pending);
});
