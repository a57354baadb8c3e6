import { sha256 } from '../../src/core/digest.ts';
import type { ReceiptDraft } from '../../src/core/receipt.ts';
import type { TraceDraft } from '../../src/core/trace-record.ts';

export function receiptDraft(number: number, more: Partial<ReceiptDraft> = {}): ReceiptDraft {
  return {
    phase: 'pre',
    conversation_id: `session-${number % 3}`,
    tool: 'file_write',
    args_hash: sha256(`args ${number % 2}`),
    result_hash: sha256(`result ${number}`),
    status: 'allowed',
    risk: 'medium',
    intent_id: 'INT-001',
    ...more,
  };
}

export function traceDraft(number: number, more: Partial<TraceDraft> = {}): TraceDraft {
  const path = `src/a/${number % 4}.ts`;
  return {
    intent_id: 'INT-001',
    intent_name: 'Första målet',
    contributor: { type: 'ai', model_id: 'maker/model' },
    content_hash: sha256(`content ${number}`),
    previous_content_hash: null,
    ranges: [{ start_line: 1, end_line: 2, content_hash: sha256(`block ${number}`), lines: 'AAAAAAAA' }],
    rationale: `why ${number}`,
    path,
    mutation: 'modify',
    tool_name: 'file_write',
    host: { name: 'test' },
    session_id: 'session-1',
    receipt_id: `receipt-${number}`,
    vcs: null,
    ...more,
  };
}
