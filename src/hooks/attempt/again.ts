import { StateError } from '../../core/errors.ts';
import type { Receipt } from '../../core/receipt.ts';
import type { Decision } from '../../core/ruling.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import { wallMs } from '../../platform/clock.ts';
import { LogTail } from '../../platform/log-tail.ts';
import type { EventAnswer, PostToolRequest, PreToolAnswer, PreToolRequest } from '../requests.ts';
import { standing } from '../session/standing.ts';
import type { Workspace } from '../workspace.ts';

/**
 * An event that another process was given and did not answer (the resident engine was killed). Whether it had decided
 * is told by the receipts: a decision on record stands, and nothing is decided or recorded twice.
 */

/** How far from its end the log is searched, in bytes. */
const REACH = 8 << 20;
/** How long ago the other process can have been given the event, in milliseconds. */
const RECENT_MS = 60_000;

/** The last receipt that a process which is gone may have written for this very call. */
function lastReceipt(
  workspace: Workspace,
  { sessionId, call }: PreToolRequest | PostToolRequest,
  phase: 'pre' | 'post',
): Receipt | null {
  const word = JSON.stringify(call.unnamed ? call.identity : call.callId);
  const { lines } = new LogTail(workspace.layout.receipts, REACH, REACH).read();
  for (const line of lines.toReversed()) {
    if (!line.includes(word)) continue;
    const receipt = JSON.parse(line) as Receipt;
    if (receipt.phase !== phase || receipt.conversation_id !== sessionId) continue;
    if (!call.unnamed && receipt.call_id === call.callId) return receipt;
    const isRecent = wallMs() - Date.parse(receipt.timestamp) < RECENT_MS;
    if (call.unnamed && receipt.args_hash === call.identity && isRecent) return receipt;
  }
  return null;
}

/** The receipt of an attempt that is judged again; null when there is none, or the workspace's events are all new. */
export function earlierAttempt(workspace: Workspace, request: PreToolRequest): Receipt | null {
  if (workspace.again !== true) return null;
  const found = lastReceipt(workspace, request, 'pre');
  if (found === null || !request.call.unnamed) return found;
  throw new StateError(
    'the resident engine ended while it answered a call like this one, and its host gives calls no ids',
    {},
    'Try the call again.',
  );
}

/** The refusal that a receipt stands for, to be given once more. */
export function refusedBefore({ id, violation }: Receipt): PreToolAnswer {
  const { kind, message, hook, rule, target } = violation ?? {
    kind: 'fail_safe' as const,
    message: 'Fail-Safe Default: this call was refused before',
    hook: null,
    rule: 'replay',
  };
  const refusal = {
    kind,
    sentence: message,
    remedy: 'The call was refused just before.',
    ...(target === undefined ? {} : { target }),
  };
  const decision: Decision = { verdict: 'deny', refusal, refusedBy: rule, rulings: [], effects: [] };
  return { decision, text: `${refusal.sentence}\n${refusal.remedy}`, hook, receiptId: id };
}

/** The answer that was given to an outcome already on record, as far as the agent needs it; null if there is none. */
export async function earlierOutcome(
  workspace: Workspace,
  request: PostToolRequest,
): Promise<EventAnswer | null> {
  const receipt = workspace.again === true ? lastReceipt(workspace, request, 'post') : null;
  if (receipt === null) return null;
  const isHandshake = request.call.tool === HANDSHAKE_TOOL && receipt.state === 'CONTEXTUALIZED_ACTION';
  const context = isHandshake ? (await standing(workspace, request.sessionId)).context : null;
  return { context, alarm: receipt.violation?.message ?? null };
}
