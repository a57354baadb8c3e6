import { DEFAULT_POLICY } from '../../config/policy.ts';
import { messageOf } from '../../core/errors.ts';
import { isMutatingRole } from '../../core/tool-call.ts';
import { realPathOf } from '../../platform/resolve-path.ts';
import { Snapshots } from '../../security/snapshot.ts';
import { type CallDetail, isWatched } from '../call-detail.ts';
import type { CheckStep, Ended, Outcome } from '../steps.ts';
import { changeJudge } from './changed-path.ts';
import { othersAtWork } from './others.ts';
import { entriesOf, tellOthers } from './put-back.ts';
import { reconcile } from './reconcile.ts';
import type { Undone } from './undone.ts';

/** An ended call whose attempt is on record. */
type Known = Ended & { readonly pending: NonNullable<Ended['pending']>; readonly detail: CallDetail };

/** What a command did, compared with the snapshot from before it. */
async function compared({ workspace, store, request, pending, detail, settings }: Known): Promise<Outcome> {
  if (detail.snapshot === null) throw new Error('there is no snapshot from before the command');
  const { sessionId, call } = request;
  const own = pending.intentId;
  const judging = async () => {
    const { intents = [], policy = DEFAULT_POLICY } = (await settings()) ?? {};
    const judge = changeJudge({ workspace, tables: store, intents, policy, own });
    const others = othersAtWork(store, request, intents);
    const isOurs = (path: string) => request.among?.has(path) ?? true;
    return { judge, others: { claims: (path: string) => !isOurs(path) || others.claims(path) } };
  };
  // Governing files by their whole paths; a path in the workspace is of a file that an outer door saw named.
  const images = store.preimages(sessionId, call.callId).filter(({ path }) => path.startsWith('/'));
  const { proofs: _, ...walking } = workspace;
  const { kept, undone, snapshots, vouched } = await reconcile(
    // What goes on, or is found only now, is never left to the watch's word.
    request.stillRunning || request.among ? walking : workspace,
    store,
    { snapshot: detail.snapshot, listing: detail.listing ?? '', entries: entriesOf(detail), images },
    {
      own,
      folder: pending.receiptId.replace('receipt-', ''),
      judging,
      tell: (back) => tellOthers(store, request, back),
    },
  );
  return { undone, watched: { kept, snapshots, vouched } };
}

/**
 * Named files that the tool wrote elsewhere than was judged, because a link was put in their way in between, or that
 * the intent no longer owns. What stood there before is not known, so it cannot be put back: a human must look.
 */
async function strayTargets({
  workspace,
  store,
  request,
  pending,
  detail,
  settings,
}: Known): Promise<Undone[]> {
  const { intents = [], policy = DEFAULT_POLICY } = (await settings()) ?? {};
  const own = pending.intentId;
  if (!request.ok || !intents.some(({ id }) => id === own)) return [];
  const judge = changeJudge({ workspace, tables: store, intents, policy, own });
  return detail.targets.flatMap(({ asked, role, absolute }) => {
    if (!isMutatingRole(role)) return [];
    const now = realPathOf(asked, request.call.cwd);
    const moved = now.problem !== null || now.absolute !== absolute;
    const refusal = moved ? null : judge({ absolute, role, problem: null });
    if (!moved && refusal === null) return [];
    const { root } = workspace.ground;
    const path = now.absolute.startsWith(`${root}/`) ? now.absolute.slice(root.length + 1) : now.absolute;
    const why = refusal ? `it ${refusal.finding}` : 'a link led the tool there after the call was judged';
    return [{ path, why, kind: refusal?.kind ?? 'scope', kept: null, stands: true }];
  });
}

/**
 * ReconcileHook: finds what a call changed and puts back what may not stand. A command that cannot be
 * checked counts as a violation.
 */
export const checkOutcome: CheckStep = async (ended) => {
  const { pending, detail, workspace, request } = ended;
  if (!pending || !detail) return null;
  const known = { ...ended, pending, detail };
  if (!isWatched(request.call)) return { undone: await strayTargets(known), watched: null };
  try {
    return await compared(known);
  } catch (error) {
    const why = `what the command changed could not be checked or undone (${messageOf(error)})`;
    const snapshots = new Snapshots(workspace.layout, workspace.snapshotMs);
    return {
      undone: [{ path: 'the workspace', why, kind: 'fail_safe', kept: null, stands: true }],
      watched: { kept: [], snapshots },
    };
  }
};
