import type { Intent } from '../../core/intent.ts';
import { covers } from '../../core/scope.ts';
import { isMutatingRole } from '../../core/tool-call.ts';
import type { PendingCall, Reading } from '../../ledger/port.ts';
import { readDetail } from '../call-detail.ts';
import type { PostToolRequest } from '../requests.ts';
import type { Others } from './reconcile.ts';

function besides(tables: Reading, { sessionId, call }: PostToolRequest): PendingCall[] {
  return tables.callsInFlight().filter((one) => one.sessionId !== sessionId || one.callId !== call.callId);
}

/** How many other calls in flight could have written: any of them may have made a change that is found now (F-26). */
export function writersBeside(tables: Reading, request: PostToolRequest): number {
  return besides(tables, request).filter(({ detail }) => {
    const { snapshot, targets } = readDetail(detail);
    return snapshot !== null || targets.some(({ role }) => isMutatingRole(role));
  }).length;
}

/**
 * Whose changes a command's reconciliation must leave alone: other calls that are in flight right now answer for
 * the paths they named, commands among them for their own intent's scope, and the ledger for what was recorded
 * while this command ran. Without this, two agents at work would undo each other.
 */
export function othersAtWork(tables: Reading, request: PostToolRequest, intents: readonly Intent[]): Others {
  const { sessionId, call } = request;
  const inFlight = besides(tables, request);
  const named = new Set<string>();
  const scopes: Intent[] = [];
  const own = tables.pendingCall(sessionId, call.callId)?.intentId ?? null;
  for (const one of inFlight) {
    const detail = readDetail(one.detail);
    const intent = intents.find(({ id }) => id === one.intentId);
    if (!intent) continue;
    // Only what that call may write shields a path: a pending read, or a path of nobody's scope, claims nothing.
    for (const { relative, role } of detail.targets)
      if (relative !== null && isMutatingRole(role) && covers(intent.scope, relative)) named.add(relative);
    if (detail.snapshot !== null && intent.id !== own) scopes.push(intent);
  }
  const recorded = new Set(tables.recordedSince(sessionId, call.callId));
  return {
    claims: (path) =>
      named.has(path) || recorded.has(path) || scopes.some((intent) => covers(intent.scope, path)),
  };
}
