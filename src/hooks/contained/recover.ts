import {
  applyJournal,
  type Conflict,
  closeJournal,
  dropTorn,
  hasUnfinished,
  type Journal,
  openJournals,
} from '../../execution/commit.ts';
import { executionPlaces } from '../../execution/places.ts';
import type { Store } from '../../ledger/store.ts';
import { newUuid } from '../../platform/clock.ts';
import { makePrivateFolder } from '../../platform/files.ts';
import { underLock } from '../../platform/lock.ts';
import { putInPlace } from '../../platform/put-in-place.ts';
import type { Workspace } from '../workspace.ts';
import type { Recorder } from './record-run.ts';

/** Keeps the command's version of files that somebody else changed meanwhile. Returns where each is. */
export function keepBeside(workspace: Workspace, conflicts: readonly Conflict[]): string[] {
  const { quarantine, root } = workspace.layout;
  return conflicts.map(({ name, ours }) => {
    if (ours === null) return `${name} (the command had deleted it)`;
    const id = newUuid();
    const kept = `${quarantine}/conflict-${id}`;
    makePrivateFolder(quarantine);
    putInPlace(ours, Buffer.from(kept), `passing-${id}`);
    return `${name} (its version is kept in ${kept.slice(root.length + 1)})`;
  });
}

/** Carries out what is recorded, and forgets it. */
export function carryOut(workspace: Workspace, journal: Journal): string[] {
  const kept = keepBeside(workspace, applyJournal(journal));
  closeJournal(executionPlaces(workspace.ground.root).commits, journal);
  return kept;
}

type Complete = typeof import('./record-run.ts').completeRecord;

/** Finishes commits while nobody else commits; the caller holds the lock. */
export function finishJournals(
  workspace: Workspace,
  store: Store,
  complete: Complete,
  recorder: Recorder,
): void {
  const { commits } = executionPlaces(workspace.ground.root);
  dropTorn(commits);
  for (const journal of openJournals(commits)) {
    store.transact((tx) => complete(tx, workspace, journal.record, recorder));
    carryOut(workspace, journal);
  }
}

/**
 * Finishes commits that a process began and did not end, because it was killed: what has a journal is recorded and carried
 * out, and nothing else has happened. Throws when the tree or the logs cannot be written; then nothing else may happen
 * either.
 */
export async function recoverCommits(workspace: Workspace, store: Store): Promise<void> {
  const places = executionPlaces(workspace.ground.root);
  if (!hasUnfinished(places.commits)) return;
  const { completeRecord, recorderFor } = await import('./record-run.ts');
  const recorder = await recorderFor(workspace, store);
  underLock(places.lock, workspace.busyMs, () => finishJournals(workspace, store, completeRecord, recorder));
}
