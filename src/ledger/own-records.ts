import { sha256 } from '../core/digest.ts';
import type { ReceiptDraft } from '../core/receipt.ts';
import type { TraceDraft } from '../core/trace-record.ts';
import type { TornTail } from './log-file.ts';

/** A trip that has reached the human's file (H-91). */
export function settledOf(intentId: string): ReceiptDraft {
  return {
    phase: 'event',
    conversation_id: 'pactclaw',
    tool: 'pactclaw.intent_blocked',
    args_hash: sha256(intentId),
    result_hash: sha256('BLOCKED'),
    status: 'allowed',
    risk: 'low',
    intent_id: intentId,
    intent_event: { event: 'settled', intent_id: intentId },
  };
}

/** An append that never finished and was set aside. */
export function recoveryOf(tail: TornTail): ReceiptDraft {
  return {
    phase: 'event',
    conversation_id: 'pactclaw',
    tool: 'pactclaw.recovery',
    args_hash: tail.sha256,
    result_hash: tail.sha256,
    status: 'allowed',
    risk: 'low',
    note: `${tail.length} bytes of an append to ${tail.log} that never finished were set aside in ${tail.kept.split('/').slice(-2).join('/')}`,
  };
}

/** The members that readers of the public Agent Trace schema (v0.1.0) look for. */
export function agentTraceOf(record: TraceDraft & { readonly timestamp: string }): Record<string, unknown> {
  const ranges = record.ranges.map(({ start_line, end_line, content_hash }) => ({
    start_line,
    end_line,
    content_hash: `sha256:${content_hash}`,
  }));
  const related = [{ type: 'specification', url: `intent:${record.intent_id}`, value: record.intent_id }];
  return {
    version: '0.1.0',
    tool: record.host,
    files:
      record.path === null
        ? []
        : [{ path: record.path, conversations: [{ contributor: record.contributor, ranges, related }] }],
  };
}
