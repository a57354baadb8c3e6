import { compileScope } from '../core/breadth.ts';
import { covers } from '../core/scope.ts';
import { type IntentStatus, MAX_SCOPE_FILES } from '../core/words.ts';
import { ASIDE, constraintsOf, criteriaOf } from './project-habits.ts';

/** A first intent for a human to adapt, in the words of `active_intents.yaml` (H-42). */
export interface ProposedIntent {
  readonly id: string;
  readonly name: string;
  readonly status: IntentStatus;
  readonly ownedScope: readonly string[];
  readonly constraints: readonly string[];
  readonly acceptanceCriteria: readonly string[];
}

/** What else is known of a project. */
export interface SeenProject {
  /** Names of the scripts in its package.json. */
  readonly scripts?: readonly string[];
  /** Name files one by one: a folder turned out to hold more than the list says. */
  readonly namedFiles?: boolean;
}

const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|go|rs|java|kts?|swift|rb|php|cs|fs|c|h|cc|cpp|hpp|m|scala|ex|exs|erl|hs|ml|clj|dart|lua|r|jl|zig|sol|sql|sh|html|css|scss)$/i;
/** A scope that is full lets nobody add a file: with one more it could not be selected any longer. */
export const MOST_PROPOSED = MAX_SCOPE_FILES - 5;

/** Names that a glob takes literally; all others cannot be named in a scope. */
const LITERAL = /^[\p{L}\p{N}_. /-]+$/u;
const HOME = /^(?:src|lib|app|apps|packages|internal|pkg|cmd|server|client|core|crates|source)(?:\/|$)/i;

interface Folder {
  readonly path: string;
  all: number;
  sources: number;
  readonly children: Set<string>;
}

/** How likely work is to begin in a folder: much source, a usual place for it, room for a few more files. */
function weight({ path, all, sources }: Folder): number {
  const room = all > 15 ? 4 : 0;
  return sources * 2 - (all - sources) + (HOME.test(path) ? 8 : 0) - (ASIDE.test(path) ? 60 : 0) - room;
}

function foldersOf(files: readonly string[]): Folder[] {
  const folders = new Map<string, Folder>();
  for (const file of files) {
    const parts = file.split('/');
    const source = SOURCE.test(file) ? 1 : 0;
    for (let depth = 1; depth < parts.length; depth += 1) {
      const path = parts.slice(0, depth).join('/');
      const folder = folders.get(path) ?? { path, all: 0, sources: 0, children: new Set<string>() };
      folder.all += 1;
      folder.sources += source;
      if (depth < parts.length - 1) folder.children.add(parts[depth] as string);
      folders.set(path, folder);
    }
  }
  return [...folders.values()];
}

/** Globs for a whole folder. A top-level one has no `**` of its own, which would be broad (H-53). */
function globsOf({ path, children }: Folder): string[] {
  if (path.includes('/')) return [`${path}/**`];
  return [`${path}/*`, ...[...children].sort().map((child) => `${path}/${child}/**`)];
}

/** Whether a scope would be accepted, and leaves room for new files (H-51, H-52). */
function isNarrow(globs: readonly string[], files: readonly string[]): boolean {
  const scope = compileScope(globs);
  if (scope.fault) return false;
  let count = 0;
  for (const file of files) if (covers(scope, file)) count += 1;
  return count >= 1 && count <= MOST_PROPOSED;
}

function byWeightThenName(a: Folder, b: Folder): number {
  return weight(b) - weight(a) || (a.path < b.path ? -1 : 1);
}

function folderScope(files: readonly string[]): string[] | null {
  const fit = foldersOf(files)
    .filter(({ path, all, sources }) => all <= MOST_PROPOSED && sources >= 2 && LITERAL.test(path))
    .filter(({ path }) => !/(?:^|\/)\./.test(path) && !/(?:^| )(?:\/|$)/.test(path))
    .sort(byWeightThenName);
  for (const folder of fit.slice(0, 10)) {
    const globs = globsOf(folder);
    const literal = globs.every((glob) => LITERAL.test(glob.replaceAll('*', '')));
    if (literal && weight(folder) > -40 && isNarrow(globs, files)) return globs;
  }
  return null;
}

/** Up to twenty files by name: sources first, usual places first. */
function fileScope(files: readonly string[]): string[] | null {
  const rank = (file: string) =>
    (SOURCE.test(file) ? 0 : 2) + (ASIDE.test(file) ? 1 : 0) + (HOME.test(file) ? 0 : 0.5);
  const named = files
    .filter(
      (file) => LITERAL.test(file) && !/(?:^|\/)\.|^ | $/.test(file) && compileScope([file]).fault === null,
    )
    .map((file) => ({ file, rank: rank(file) }))
    .sort((a, b) => a.rank - b.rank || (a.file < b.file ? -1 : 1))
    .slice(0, MOST_PROPOSED)
    .map(({ file }) => file);
  return named.length > 0 && isNarrow(named, files) ? named : null;
}

/** A folder that holds nothing yet, for a workspace in which no existing file can be named. */
function newFolder(files: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const folder = number === 1 ? 'src/app' : `src/app-${number}`;
    if (!files.some((file) => file.startsWith(`${folder}/`) || file === folder)) return folder;
  }
}

/**
 * Proposes the first intent of a workspace from its files (workspace-relative with `/`): a narrow scope that is
 * accepted as it stands, and constraints and criteria that fit what is seen (H-42, H-51, H-52, H-103). Pure.
 */
export function proposeIntent(files: readonly string[], seen: SeenProject = {}): ProposedIntent {
  const found = (seen.namedFiles ? null : folderScope(files)) ?? fileScope(files);
  const scope = found ?? [`${newFolder(files)}/**`];
  const first = (scope[0] as string).replace(/\/\*+$/, '');
  const others =
    found && !(scope[0] as string).endsWith('*') && scope.length > 1 ? ` and ${scope.length - 1} more` : '';
  return {
    id: 'INT-001',
    name: found ? `First task in ${first}${others}` : `Build the first part in ${first}`,
    status: 'PENDING',
    ownedScope: scope,
    constraints: constraintsOf(files),
    acceptanceCriteria: criteriaOf(files, seen.scripts ?? []),
  };
}
