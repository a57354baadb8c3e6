import { sha256 } from '../core/digest.ts';
import type { ReceiptDraft } from '../core/receipt.ts';

/** A receipt of what a human did at the command line. */
export function humanEvent(
  tool: `pactclaw.${string}`,
  note: string,
  more: Partial<ReceiptDraft> = {},
): ReceiptDraft {
  return {
    phase: 'event',
    conversation_id: 'pactclaw',
    tool,
    args_hash: sha256(tool),
    result_hash: sha256(note),
    status: 'allowed',
    risk: 'low',
    host: 'cli',
    note,
    ...more,
  };
}
