import { BEGINNING } from '../../../src/core/machine.ts';
import type { OwnerRow, PendingCall, SessionRow } from '../../../src/ledger/port.ts';

export const SESSION: SessionRow = {
  id: 's',
  ...BEGINNING,
  haltReason: 'spend',
  haltIntent: 'I-1',
  host: 'claude-code',
  model: 'm',
  reasoning: 'because',
};
export const OWNER: OwnerRow = {
  path: 'src/b.ts',
  intentId: 'I-1',
  intentName: 'One',
  contentHash: 'sha256:00',
  changedAt: '2026-01-01T00:00:00.000Z',
  earlier: ['I-0'],
};
export const call = (detail: string): PendingCall => ({
  receiptId: `receipt-${detail}`,
  intentId: null,
  detail,
});
