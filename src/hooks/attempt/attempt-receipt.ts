import { digestOf } from '../../core/digest.ts';
import type { Facts, Usage } from '../../core/facts.ts';
import type { IntentEvent, ReceiptDraft, Violation } from '../../core/receipt.ts';
import type { Decision } from '../../core/ruling.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import type { Risk } from '../../core/words.ts';
import type { SessionRow } from '../../ledger/port.ts';
import { hookOfRule } from '../pipeline.ts';
import type { PreToolRequest } from '../requests.ts';
import { usageOn } from '../session/usage.ts';

/** Risk of a call as its receipt writes it (R-84…R-87). */
export function riskOf(call: ToolCall): Risk {
  if (!call.declared || call.kind === 'execute' || call.kind === 'delete') return 'high';
  return call.kind === 'write' || call.kind === 'move' || call.kind === 'network' ? 'medium' : 'low';
}

function violationOf(decision: Decision): Violation | undefined {
  const { refusal, refusedBy } = decision;
  if (!refusal || refusedBy === null) return undefined;
  return {
    kind: refusal.kind,
    rule: refusedBy,
    hook: hookOfRule(refusedBy),
    message: refusal.sentence,
    ...(refusal.target === undefined ? {} : { target: refusal.target.slice(0, 1024) }),
  };
}

function blockedBy(decision: Decision): IntentEvent | undefined {
  const effect = decision.effects.find((one) => one.type === 'block-intent');
  return effect?.type === 'block-intent'
    ? { event: 'blocked', intent_id: effect.intentId, reason: effect.reason }
    : undefined;
}

/** The intent that a call is for: the one it selects, else the one that the session acts for. */
export function intentOf(facts: Facts): string | null {
  return facts.handshake ? (facts.handshake.intent?.id ?? null) : facts.session.intentId;
}

/** The record of an attempt. */
export function attemptReceipt(
  request: PreToolRequest,
  facts: Facts,
  decision: Decision,
  after: SessionRow,
  usageFor: string | null,
  seen: Usage,
): ReceiptDraft {
  const { call } = request;
  const intentId = intentOf(facts);
  const violation = violationOf(decision);
  const intentEvent = blockedBy(decision);
  const target = facts.targets[0]?.relative ?? facts.targets[0]?.asked;
  return {
    phase: 'pre',
    conversation_id: request.sessionId,
    tool: call.tool,
    args_hash: call.identity,
    result_hash: digestOf({ verdict: decision.verdict, message: decision.refusal?.sentence ?? null }),
    status: decision.verdict === 'allow' ? 'allowed' : 'denied',
    risk: riskOf(call),
    host: request.host,
    host_tool: call.hostTool.slice(0, 256),
    call_id: call.callId,
    state: after.state,
    ...(call.agentId === undefined ? {} : { agent_id: call.agentId }),
    ...(intentId === null ? {} : { intent_id: intentId }),
    ...(target === undefined ? {} : { target: target.slice(0, 1024) }),
    ...(violation ? { violation } : {}),
    ...(intentEvent ? { intent_event: intentEvent } : {}),
    ...usageOn(usageFor, seen),
  };
}
