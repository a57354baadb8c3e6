import { canonicalJson, isObject } from '../core/json.ts';
import { beganAt, killContainer } from '../platform/container.ts';
import { listNames, readIfThere, removeClosed } from '../platform/files.ts';
import { writePlain } from '../platform/plain-files.ts';
import { openJournals } from './commit.ts';
import { executionPlaces } from './places.ts';

/** Processes of a run, each with the time that it began. */
export interface RunOwner {
  readonly pid: number;
  readonly began: string;
  /** Process that holds the container's mounts. */
  readonly container: number;
  readonly containerBegan: string;
}

export function writeOwner(run: string, owner: RunOwner): void {
  writePlain(`${run}/owner`, canonicalJson({ ...owner }));
}

function ownerOf(run: string): RunOwner | null {
  const bytes = readIfThere(`${run}/owner`);
  try {
    const value: unknown = bytes === null ? null : JSON.parse(bytes.toString('utf8'));
    return isObject(value) ? (value as unknown as RunOwner) : null;
  } catch {
    return null;
  }
}

/** Ends what is left of runs whose program was killed: their processes, and what they wrote and nobody has taken over. */
export function sweepRuns(root: string): void {
  const { runs, commits } = executionPlaces(root);
  const names = listNames(runs);
  if (names.length === 0) return;
  const needed = new Set(openJournals(commits).map(({ run }) => run));
  for (const name of names) {
    const run = `${runs}/${name}`;
    const owner = ownerOf(run);
    // Without a word on its owner it is being made.
    if (owner === null || needed.has(run) || beganAt(owner.pid) === owner.began) continue;
    if (beganAt(owner.container) === owner.containerBegan) killContainer(owner.container);
    removeClosed(run);
  }
}
