import type { JsonValue } from '../../core/json.ts';
import { readChanges, type TreeChange } from '../../execution/changes.ts';
import { type Conflict, journalOf, writeJournal } from '../../execution/commit.ts';
import { executionPlaces } from '../../execution/places.ts';
import type { PreparedRun } from '../../execution/prepare.ts';
import type { Store } from '../../ledger/store.ts';
import { underLock } from '../../platform/lock.ts';
import { below } from '../../platform/tree.ts';
import { inIgnoredFolders } from '../../security/ignored-folders.ts';
import { changeJudge } from '../command/changed-path.ts';
import { containedText } from '../outcome/violation.ts';
import { loadSettings } from '../settings/settings.ts';
import type { Workspace } from '../workspace.ts';
import type { Claimed } from './claim.ts';
import { contentsOf } from './deltas.ts';
import { completeRecord, recorderFor, recordRun } from './record-run.ts';
import { carryOut, finishJournals, keepBeside } from './recover.ts';
import { type Sorted, sortChanges } from './sort-changes.ts';

/** A command whose processes have ended, while its view is still mounted. */
export interface Finished {
  readonly run: PreparedRun;
  /** The root folder as the command saw it. */
  readonly seenRoot: string;
  readonly beganNs: bigint;
  readonly ok: boolean;
}

/** Most changes of one command that are recorded; recording more takes longer than anybody waits. */
const MAX_RECORDED = 10_000;

/** What was changed in the workspace, from the view of the first layer. */
export function changesOf({ run, seenRoot, beganNs }: Finished): TreeChange[] {
  const [layer] = run.layers;
  if (!layer) return [];
  const merged = Buffer.from(`${seenRoot}${layer.folder}`);
  const [lower, upper] = [Buffer.from(layer.folder), Buffer.from(layer.upper)];
  return [...readChanges({ lower, upper, merged, beganNs })];
}

/** Files that a person changed while the command ran: theirs stay. */
function conflictsOf(conflicts: readonly TreeChange[], upper: string): Conflict[] {
  return conflicts.map(({ name, after }) => ({
    name,
    ours: after?.kind === 'file' || after?.kind === 'link' ? below(Buffer.from(upper), name) : null,
  }));
}

function tellConflicts(kept: readonly string[]): string[] {
  if (kept.length === 0) return [];
  const list = kept.slice(0, 10).map((one) => `- ${one}`);
  return ['Somebody else changed these files while the command ran, so theirs stay:', ...list];
}

/**
 * Judges what a contained command changed, and makes all of it real and recorded, or nothing. Returns what the agent is to
 * read, or null, and whether the changes were refused. INVARIANT (journal first): once the journal is durable, all of it
 * is recorded and then made real whatever happens to this process; before, nothing is.
 */
export async function settleContained(
  workspace: Workspace,
  store: Store,
  claimed: Claimed,
  finished: Finished,
): Promise<{ readonly text: string | null; readonly refused: boolean }> {
  const { run, beganNs, ok } = finished;
  const { root } = workspace.ground;
  const [layer] = run.layers;
  const { intents, policy } = await loadSettings(workspace, store);
  const recorder = await recorderFor(workspace, store);
  const changes = changesOf(finished);
  const places = executionPlaces(root);
  const { sessionId, callId, receiptId, intentId, detail } = claimed;
  const call = { sessionId, callId, receiptId, intentId, detail };
  return underLock(places.lock, workspace.busyMs, () => {
    finishJournals(workspace, store, completeRecord, recorder);
    const judge = changeJudge({ workspace, tables: store, intents, policy, own: intentId });
    const byproducts = (names: readonly Buffer[]) => inIgnoredFolders(root, names);
    const sorted = sortChanges(changes, { root, judge, beganNs, byproducts });
    const refused = tooMany(sorted) ?? sorted.refused;
    if (refused.length > 0 || !layer) {
      const contained = { deltas: [], refused };
      store.transact((tx) => recordRun(tx, workspace, { call, ok: false }, contained, recorder));
      return { text: containedText(refused, refused[0]?.remedy ?? ''), refused: true };
    }
    const deltas = contentsOf(sorted.recorded, root, layer.upper);
    const record = { call, ok, deltas } as unknown as JsonValue;
    const journal = journalOf({ id: run.id, run: run.folder, record }, layer, sorted.kept);
    const hasSteps = journal.steps.length > 0;
    if (hasSteps) writeJournal(places.commits, journal);
    const contained = { deltas, refused: [] };
    store.transact((tx) => recordRun(tx, workspace, { call, ok }, contained, recorder));
    const beside = keepBeside(workspace, conflictsOf(sorted.conflicts, layer.upper));
    const late = hasSteps ? carryOut(workspace, journal) : [];
    const told = tellConflicts([...beside, ...late]);
    return { text: told.length === 0 ? null : told.join('\n'), refused: false };
  });
}

/** Records that a command could not be started: it has changed nothing. */
export async function settleUnrun(workspace: Workspace, store: Store, claimed: Claimed): Promise<void> {
  const recorder = await recorderFor(workspace, store);
  const contained = { deltas: [], refused: [] };
  store.transact((tx) => recordRun(tx, workspace, { call: claimed, ok: false }, contained, recorder));
}

function tooMany({ recorded }: Sorted): Sorted['refused'] | null {
  if (recorded.length <= MAX_RECORDED) return null;
  const why = `${recorded.length} files inside the scope were changed, more than can be recorded`;
  const remedy = `Change at most ${MAX_RECORDED} files with one command.`;
  return [{ path: 'the workspace', why, kind: 'breadth', kept: null, remedy }];
}
