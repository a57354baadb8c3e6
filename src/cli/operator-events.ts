import type { Receipt } from '../core/receipt.ts';
import type { News } from '../ledger/news.ts';

export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

/** Events of the operator log (R-134, H-5, H-28). */
export type OperatorEvent =
  | 'startup'
  | 'workspace_path'
  | 'command_failed'
  | 'estop_triggered'
  | 'estop_cleared'
  | 'intent_added'
  | 'intent_completed'
  | 'mcp_accepted'
  | 'conversation_started'
  | 'state_changed'
  | 'tool_requested'
  | 'tool_approved'
  | 'tool_denied'
  | 'tool_completed'
  | 'tool_failed'
  | 'receipt_written'
  | 'no_tools'
  | 'wiring_not_kept'
  | 'recovered';

/** A line of the log, before secrets are masked. */
export interface Line {
  readonly level: Level;
  readonly event: OperatorEvent;
  readonly facts: Readonly<Record<string, unknown>>;
}

function info(event: OperatorEvent, facts: Line['facts']): Line {
  return { level: 'info', event, facts };
}

/** Why a call or its outcome was refused, in a line of its own (H-28). */
function denied(call: Line['facts'], { violation, target, status }: Receipt): Line {
  const facts = {
    ...call,
    status,
    violation_kind: violation?.kind,
    rule: violation?.rule,
    hook: violation?.hook,
    reason: violation?.message,
    target: violation?.target ?? target,
  };
  return { level: 'warn', event: 'tool_denied', facts };
}

function ofReceipt(receipt: Receipt): Line[] {
  const { phase, status, tool, target } = receipt;
  const session = { session: receipt.conversation_id, host: receipt.host };
  const call = { ...session, tool, call_id: receipt.call_id, intent_id: receipt.intent_id };
  const written = info('receipt_written', { ...session, receipt_id: receipt.id, phase, tool, status });
  if (phase === 'pre') {
    const verdict = status === 'allowed' ? info('tool_approved', call) : denied(call, receipt);
    return [info('tool_requested', { ...call, target }), verdict, written];
  }
  if (phase === 'post') {
    if (status === 'denied') return [denied(call, receipt), written];
    const failed: Line = { level: 'warn', event: 'tool_failed', facts: call };
    return [status === 'failed' ? failed : info('tool_completed', call), written];
  }
  return tool === 'pactclaw.session_start' ? [info('conversation_started', session), written] : [written];
}

/** The log's lines for something that became durable. */
export function eventsOf(news: News): Line[] {
  if ('receipt' in news) return ofReceipt(news.receipt);
  return [info('state_changed', { ...news })];
}
