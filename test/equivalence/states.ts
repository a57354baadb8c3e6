import type { SessionState } from '../../src/core/words.ts';

/** Where a session and its surroundings stand when a call is judged. */
export interface Standpoint {
  readonly name: string;
  readonly state: SessionState;
  readonly intentId: string | null;
  /** What is the matter around it meanwhile. */
  readonly around: 'emergency stop' | 'registry broken' | 'registry gone' | null;
}

function acting(name: string, intentId: string): Standpoint {
  return { name, state: 'CONTEXTUALIZED_ACTION', intentId, around: null };
}

/** Every state of the machine, and what may be the matter around it. */
export const STATES: readonly Standpoint[] = [
  { name: 'new session', state: 'REQUEST', intentId: null, around: null },
  { name: 'before the handshake', state: 'REASONING_INTERCEPT', intentId: null, around: null },
  acting('acting for INT-001', 'INT-001'),
  acting('acting for INT-002', 'INT-002'),
  acting('acting for a completed intent', 'INT-004'),
  acting('acting for a blocked intent', 'INT-005'),
  acting('acting for an intent that is not there', 'INT-009'),
  { name: 'halted', state: 'HALTED', intentId: null, around: null },
  { ...acting('emergency stop', 'INT-001'), around: 'emergency stop' },
  { ...acting('registry that is not YAML', 'INT-001'), around: 'registry broken' },
  { ...acting('registry that is gone', 'INT-001'), around: 'registry gone' },
];
