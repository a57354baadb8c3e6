import { maskSecrets } from '../../core/mask-secrets.ts';
import { isMutatingRole } from '../../core/tool-call.ts';
import { readFileState } from '../../platform/file-state.ts';
import { headRevision } from '../../platform/git-head.ts';
import type { Recording, RecordStep } from '../steps.ts';
import { type CallContext, commandDraft, deltasOf, draftsOf, type FileDelta } from './record.ts';

const MAX_READ = 64 << 20;
const MAX_RATIONALE = 4000;

/** Changes of the files that the call named, with what they held before. */
function namedDeltas({ workspace, request, detail, tx }: Recording): FileDelta[] {
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

function contextOf({ request, pending, intents, workspace, session }: Recording): CallContext {
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
export const recordMutations: RecordStep = (recording) => {
  const { request, pending, outcome, tx } = recording;
  const { call } = request;
  if (!call.mutating || !pending || call.kind === 'control') return;
  const context = contextOf(recording);
  const watched = outcome?.watched;
  const deltas =
    outcome?.contained?.deltas ??
    (watched ? deltasOf(watched.kept, watched.snapshots) : namedDeltas(recording));
  const drafts = draftsOf(context, deltas);
  // A command that goes on is recorded as such when it has ended.
  const isLater = request.stillRunning || outcome?.contained?.goesOn;
  if (drafts.length === 0 && call.kind === 'execute' && !isLater)
    drafts.push(commandDraft(context, call.command ?? call.hostTool, request.result, request.ok));
  recording.written = drafts.map((draft) => tx.trace(draft));
};
