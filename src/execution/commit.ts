import { canonicalJson, type JsonValue } from '../core/json.ts';
import { replaceFile } from '../platform/durable-files.ts';
import { listNames, makePrivateFolder, readIfThere, removeClosed, removeFile } from '../platform/files.ts';
import { putInPlace } from '../platform/put-in-place.ts';
import { sameBytes } from '../platform/same-bytes.ts';
import { below, entryAt, makeFolder, removeEmpty, setMode, unlink } from '../platform/tree.ts';
import type { TreeChange } from './changes.ts';
import type { Layer } from './plan.ts';

/** One step of a commit. Doing it a second time changes nothing. Names and paths are base64, since they may be no text. */
type Step =
  | {
      readonly do: 'put';
      readonly name: string;
      readonly from: string;
      readonly expects: string | null;
      /** The overlay has marked the file, so that it is copied and not moved. */
      readonly anew?: true;
    }
  | { readonly do: 'remove'; readonly name: string; readonly expects: string }
  | { readonly do: 'mkdir' | 'mode'; readonly name: string; readonly mode: number }
  | { readonly do: 'rmdir'; readonly name: string };

/** What a commit will do to one tree, complete before the first step is taken. */
export interface Journal {
  readonly id: string;
  /** The real folder. */
  readonly folder: string;
  /** The run that it comes from; removed when all is done. */
  readonly run: string;
  readonly steps: readonly Step[];
  /** What is to be recorded, for whoever carries the journal out. */
  readonly record: JsonValue;
}

const coded = (bytes: Buffer): string => bytes.toString('base64');
const decoded = (text: string): Buffer => Buffer.from(text, 'base64');

/** Owner's rights that a folder needs while it is filled. */
const OPEN = 0o700;

/** The steps that bring changes into a tree. Rights of folders come last: they may forbid what is done in them. */
export function stepsOf(changes: readonly TreeChange[], upper: string): Step[] {
  const steps: Step[] = [];
  const modes: Step[] = [];
  for (const { name, what, before, after, madeFrom } of changes) {
    const named = coded(name);
    if (what === 'delete')
      steps.push(
        before?.kind === 'folder'
          ? { do: 'rmdir', name: named }
          : { do: 'remove', name: named, expects: before?.identity ?? '' },
      );
    else if (what === 'mode' && after) modes.unshift({ do: 'mode', name: named, mode: after.mode });
    else if (after?.kind === 'folder') {
      steps.push({ do: 'mkdir', name: named, mode: after.mode | OPEN });
      modes.unshift({ do: 'mode', name: named, mode: after.mode });
    } else if (after)
      steps.push({
        do: 'put',
        name: named,
        from: coded(below(Buffer.from(upper), name)),
        expects: before?.identity ?? null,
        ...(madeFrom === undefined ? {} : { anew: true }),
      });
  }
  return [...steps, ...modes];
}

function journalFile(commits: string, id: string): string {
  return `${commits}/${id}.json`;
}

/** Writes a journal so that it survives whatever happens to this process. */
export function writeJournal(commits: string, journal: Journal): void {
  makePrivateFolder(commits);
  replaceFile(journalFile(commits, journal.id), canonicalJson(journal as never), {
    durable: true,
    mode: 0o600,
  });
}

/** Whether a commit was begun that nobody has finished. */
export function hasUnfinished(commits: string): boolean {
  return listNames(commits).length > 0;
}

/** Removes journals that were not written to their end. Nobody may be writing one. */
export function dropTorn(commits: string): void {
  for (const name of listNames(commits)) if (name.startsWith('.')) removeFile(`${commits}/${name}`);
}

/** Journals that no process has finished. */
export function openJournals(commits: string): Journal[] {
  return listNames(commits)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .flatMap((name) => {
      const bytes = readIfThere(`${commits}/${name}`);
      return bytes === null ? [] : [JSON.parse(bytes.toString('utf8')) as Journal];
    });
}

/** A name at which something else stood than the commit was made for: it was left as it is. */
export interface Conflict {
  readonly name: Buffer;
  /** Where the command's own version is; null when it had deleted the name. */
  readonly ours: Buffer | null;
}

function take(folder: Buffer, step: Step, passing: string): Conflict | null {
  const name = decoded(step.name);
  const place = below(folder, name);
  const now = entryAt(place);
  if (step.do === 'put') {
    const from = decoded(step.from);
    const ours = entryAt(from);
    if (ours === null) return null;
    if ((now?.identity ?? null) === step.expects) putInPlace(from, place, passing, step.anew);
    // Killed between the copy and the end of the original: the step was taken.
    else if (now?.kind === 'file' && ours.kind === 'file' && now.size === ours.size && sameBytes(from, place))
      unlink(from);
    else return { name, ours: from };
  } else if (step.do === 'remove') {
    if (now !== null && now.identity !== step.expects) return { name, ours: null };
    unlink(place);
  } else if (step.do === 'rmdir') {
    if (now?.kind === 'folder' && !removeEmpty(place)) return { name, ours: null };
  } else if (step.do === 'mkdir') {
    if (now === null) makeFolder(place, step.mode);
    else if (now.kind !== 'folder') return { name, ours: null };
  } else if (now !== null && now.kind !== 'link') setMode(place, step.mode);
  return null;
}

/** Takes all steps of a journal; what was done before stays done. Throws when the tree cannot be written. */
export function applyJournal(journal: Journal): Conflict[] {
  const folder = Buffer.from(journal.folder);
  const passing = `.pactclaw-${journal.id}`;
  return journal.steps.flatMap((step) => take(folder, step, passing) ?? []);
}

/** Forgets a journal, and what its run has left. */
export function closeJournal(commits: string, { id, run }: Journal): void {
  removeClosed(run);
  removeFile(journalFile(commits, id));
}

/** The layer's tree as a journal of its accepted changes. */
export function journalOf(
  { id, run, record }: Pick<Journal, 'id' | 'run' | 'record'>,
  layer: Layer,
  changes: readonly TreeChange[],
): Journal {
  return { id, run, record, folder: layer.folder, steps: stepsOf(changes, layer.upper) };
}
