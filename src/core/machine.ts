import { setup, transition as step } from 'xstate';
import type { SessionState } from './words.ts';

/** What a session remembers between two hook processes. */
export interface SessionPosition {
  readonly state: SessionState;
  /** The intent that the session works for; set only in CONTEXTUALIZED_ACTION. */
  readonly intentId: string | null;
  /** The intent of a handshake that has started and whose result is still to come. */
  readonly pendingId: string | null;
}

export type SessionEvent =
  /**
   * A human (or the host on a schedule) submits a request (H-3, H-16). `keep` = the handshake holds for the session.
   */
  | { readonly type: 'USER_REQUEST'; readonly keep: boolean; readonly released: boolean }
  /** The session begins, resumes or is cleared: nothing is carried over (H-18). */
  | { readonly type: 'SESSION_START' }
  /** `select_active_intent` was called with an ID that may be selected (H-12, H-17). */
  | { readonly type: 'HANDSHAKE_STARTED'; readonly intentId: string }
  /** The handshake tool has answered: the session may act. */
  | { readonly type: 'HANDSHAKE_ACCEPTED'; readonly intentId: string }
  /** The ID was refused, or the handshake tool failed (H-8…H-11). */
  | { readonly type: 'HANDSHAKE_REJECTED' }
  /** The intent was completed, blocked, removed or made broad under the session (H-14, H-15). */
  | { readonly type: 'INTENT_REVOKED' }
  /** The circuit breaker ended the session (H-88). */
  | { readonly type: 'HALT' };

interface Context {
  intentId: string | null;
  pendingId: string | null;
}

const forget: Context = { intentId: null, pendingId: null };

const states = setup({
  types: { context: {} as Context, events: {} as SessionEvent },
  guards: {
    isPending: ({ context, event }) =>
      event.type === 'HANDSHAKE_ACCEPTED' &&
      context.pendingId !== null &&
      context.pendingId === event.intentId,
    keepsHandshake: ({ event }) => event.type === 'USER_REQUEST' && event.keep,
    isReleased: ({ event }) => event.type === 'USER_REQUEST' && event.released,
  },
});
const forgetIntent = states.assign(() => forget);
const takePending = states.assign(({ event }) =>
  event.type === 'HANDSHAKE_STARTED' ? { intentId: null, pendingId: event.intentId } : forget,
);
const takeIntent = states.assign(({ event }) =>
  event.type === 'HANDSHAKE_ACCEPTED' ? { intentId: event.intentId, pendingId: null } : forget,
);

/**
 * The handshake's state machine (H-1, H-2). Used only through {@link advance}, so that it has no side
 * effects and a test can walk all of it.
 *
 * INVARIANT (handshake): CONTEXTUALIZED_ACTION is entered by HANDSHAKE_ACCEPTED of the very intent whose
 * HANDSHAKE_STARTED came before, and by nothing else.
 */
export const handshakeMachine = states.createMachine({
  id: 'handshake',
  initial: 'REQUEST',
  context: forget,
  on: { HALT: { target: '.HALTED', actions: forgetIntent } },
  states: {
    REQUEST: {
      on: {
        SESSION_START: { target: 'REQUEST', actions: forgetIntent },
        USER_REQUEST: { target: 'REASONING_INTERCEPT', actions: forgetIntent },
        HANDSHAKE_STARTED: { target: 'REASONING_INTERCEPT', actions: takePending },
        HANDSHAKE_REJECTED: { target: 'REASONING_INTERCEPT', actions: forgetIntent },
      },
    },
    REASONING_INTERCEPT: {
      on: {
        SESSION_START: { target: 'REQUEST', actions: forgetIntent },
        USER_REQUEST: { target: 'REASONING_INTERCEPT', actions: forgetIntent },
        HANDSHAKE_STARTED: { target: 'REASONING_INTERCEPT', actions: takePending },
        HANDSHAKE_ACCEPTED: { target: 'CONTEXTUALIZED_ACTION', guard: 'isPending', actions: takeIntent },
        HANDSHAKE_REJECTED: { target: 'REASONING_INTERCEPT', actions: forgetIntent },
        INTENT_REVOKED: { target: 'REASONING_INTERCEPT', actions: forgetIntent },
      },
    },
    CONTEXTUALIZED_ACTION: {
      on: {
        SESSION_START: { target: 'REQUEST', actions: forgetIntent },
        USER_REQUEST: [
          { guard: 'keepsHandshake', target: 'CONTEXTUALIZED_ACTION' },
          { target: 'REASONING_INTERCEPT', actions: forgetIntent },
        ],
        HANDSHAKE_STARTED: { target: 'REASONING_INTERCEPT', actions: takePending },
        HANDSHAKE_REJECTED: { target: 'REASONING_INTERCEPT', actions: forgetIntent },
        INTENT_REVOKED: { target: 'REASONING_INTERCEPT', actions: forgetIntent },
      },
    },
    HALTED: {
      on: {
        USER_REQUEST: { guard: 'isReleased', target: 'REASONING_INTERCEPT', actions: forgetIntent },
      },
    },
  },
});

/** Where every session begins (H-18). */
export const BEGINNING: SessionPosition = { state: 'REQUEST', intentId: null, pendingId: null };

/** The position after an event. An event that the state does not know leaves the position as it is. */
export function advance(from: SessionPosition, event: SessionEvent): SessionPosition {
  const snapshot = handshakeMachine.resolveState({
    value: from.state,
    context: { intentId: from.intentId, pendingId: from.pendingId },
  });
  const [next] = step(handshakeMachine, snapshot, event);
  return {
    state: next.value as SessionState,
    intentId: next.context.intentId,
    pendingId: next.context.pendingId,
  };
}
