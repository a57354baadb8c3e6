import { DEFAULT_POLICY } from '../../config/policy.ts';
import type { Intent } from '../../core/intent.ts';
import { maskSecrets } from '../../core/mask-secrets.ts';
import { isMutatingRole } from '../../core/tool-call.ts';
import type { TraceRecord } from '../../core/trace-record.ts';
import type { PendingCall } from '../../ledger/call-tables.ts';
import type { SessionRow } from '../../ledger/session-tables.ts';
import type { Tx } from '../../ledger/store.ts';
import { readFileState } from '../../platform/file-state.ts';
import { headRevision } from '../../platform/git-head.ts';
import { realPathOf } from '../../platform/resolve-path.ts';
import { changeJudge } from '../command/changed-path.ts';
import { type CallDetail, isWatched } from '../command/preserve.ts';
import type { Reconciliation, Undone } from '../command/reconcile.ts';
import { isInstalled } from '../pipeline.ts';
import type { PostToolRequest } from '../requests.ts';
import type { Settings } from '../settings/settings.ts';
import type { Workspace } from '../workspace.ts';
import { type CallContext, commandDraft, deltasOf, draftsOf, type FileDelta } from './record.ts';

const MAX_READ = 64 << 20;
const MAX_RATIONALE = 4000;

/** Everything known of a finished call before it is recorded. */
export interface Finished {
  readonly workspace: Workspace;
  readonly request: PostToolRequest;
  readonly pending: PendingCall | null;
  readonly detail: CallDetail | null;
  readonly intents: readonly Intent[];
  readonly settings: Settings | null;
  readonly reconciliation: Reconciliation | null;
}

/** Changes of the files that the call named, with what they held before. */
function namedDeltas({ workspace, request, detail }: Finished, tx: Tx): FileDelta[] {
  const images = tx.preimages(request.sessionId, request.call.callId);
  const before = new Map(
    images.map(({ path, hash, content }) => [path, hash === null ? null : { hash, content }]),
  );
  const mutated = (detail?.targets ?? []).filter(({ role }) => isMutatingRole(role));
  const paths = new Set(mutated.flatMap(({ relative }) => (relative === null ? [] : [relative])));
  return [...paths].map((path) => ({
    path,
    before: before.get(path) ?? null,
    after: readFileState(`${workspace.ground.root}/${path}`, MAX_READ),
  }));
}

function contextOf({ request, pending, intents, workspace }: Finished, session: SessionRow): CallContext {
  const intent = intents.find(({ id }) => id === pending?.intentId);
  const revision = headRevision(workspace.ground.root);
  const rationale = request.call.rationale ?? session.reasoning ?? intent?.name ?? '';
  return {
    intent_id: pending?.intentId ?? '',
    intent_name: intent?.name ?? pending?.intentId ?? '',
    contributor: { type: 'ai', ...(session.model === null ? {} : { model_id: session.model }) },
    rationale: maskSecrets(rationale.toWellFormed().slice(0, MAX_RATIONALE)),
    tool_name: request.call.tool,
    host: { name: request.host },
    session_id: request.sessionId,
    receipt_id: pending?.receiptId ?? '',
    vcs: revision === null ? null : { type: 'git', revision },
  };
}

/** AuditLedgerHook: appends what the call changed to the ledger, and a command that changed nothing too (H-69, H-78). */
export function recordMutations(finished: Finished, tx: Tx, session: SessionRow): TraceRecord[] {
  const { request, pending, reconciliation } = finished;
  const { call } = request;
  if (!isInstalled('AuditLedgerHook') || !call.mutating || !pending || call.kind === 'control') return [];
  const context = contextOf(finished, session);
  const deltas = reconciliation
    ? deltasOf(reconciliation.kept, reconciliation.snapshots)
    : namedDeltas(finished, tx);
  const drafts = draftsOf(context, deltas);
  if (drafts.length === 0 && call.kind === 'execute')
    drafts.push(commandDraft(context, call.command ?? call.hostTool, request.result, request.ok));
  return drafts.map((draft) => tx.trace(draft));
}

/**
 * Named files that the tool wrote elsewhere than was judged, because a link was put in their way in between, or that
 * the intent no longer owns. What stood there before is not known, so it cannot be put back: a human must look.
 */
export function strayTargets(finished: Finished, tables: Tx): Undone[] {
  const { workspace, request, detail, intents, pending, settings } = finished;
  const own = pending?.intentId ?? null;
  const policy = settings?.policy ?? DEFAULT_POLICY;
  const judge = changeJudge({ workspace, tables, intents, policy, own });
  const known = intents.some(({ id }) => id === own);
  if (!request.ok || isWatched(request.call) || !known) return [];
  return (detail?.targets ?? []).flatMap(({ asked, role, absolute }) => {
    if (!isMutatingRole(role)) return [];
    const now = realPathOf(asked, request.call.cwd);
    const moved = now.problem !== null || now.absolute !== absolute;
    const refusal = moved ? null : judge({ absolute, role, problem: null });
    if (!moved && refusal === null) return [];
    const { root } = workspace.ground;
    const path = now.absolute.startsWith(`${root}/`) ? now.absolute.slice(root.length + 1) : now.absolute;
    const why = refusal ? `it ${refusal.finding}` : 'a link led the tool there after the call was judged';
    return [{ path, why, kept: null, stands: true }];
  });
}
