import type { Base, Place } from '../core/footprints/footprint.ts';
import { GIT_NAME, GIT_PLACES, GIT_SETTINGS } from '../core/footprints/git.ts';
import { FOOTPRINTS } from '../core/footprints/index.ts';
import { under } from '../core/under.ts';
import { SIDECAR } from '../core/words.ts';
import { escapeRegex } from './escape-regex.ts';
import { fold } from './fold.ts';

/** A host's folder or file that a variable has put elsewhere. */
export interface MovedPlace {
  /** Relative to the home folder. */
  readonly from: string;
  /** Absolute. */
  readonly to: string;
}

/** Places that decide what is out of every agent's reach. All absolute. */
export interface Ground {
  readonly root: string;
  readonly home: string;
  /** Folder that PactClaw itself is installed in. */
  readonly install: string;
  /** What the environment puts elsewhere than in the home folder: hosts' folders and files, by where they would be. */
  readonly moved?: readonly MovedPlace[];
}

const OF_HOST = "an agent host's configuration";
const OF_GIT = "version control's own files";

/** Names that govern an agent wherever they stand. */
const NAMES: Readonly<Record<string, string>> = Object.fromEntries([
  ...FOOTPRINTS.flatMap(({ names }) => names.map((name) => [name, OF_HOST])),
  [SIDECAR, 'governance state'],
  [GIT_NAME, OF_GIT],
  ['.pactclaw', "PactClaw's user folder"],
]);

const PLACES: readonly Place[] = FOOTPRINTS.flatMap(({ places }) => places);
const SCRATCH = PLACES.filter(({ is }) => is === 'scratch');
/** Places that no name gives away. */
const UNNAMED: readonly (Place & { readonly what: string })[] = [
  ...PLACES.map((place) => ({ ...place, what: OF_HOST })),
  ...[...GIT_PLACES, ...GIT_SETTINGS].map((place) => ({ ...place, what: OF_GIT })),
].filter(({ path }) => !path.split('/').some((part) => Object.hasOwn(NAMES, part)));

/** Folders of a workspace whose files an agent host obeys: watched even where git ignores them. */
export const OBEYED_FOLDERS: readonly string[] = [
  ...new Set(
    PLACES.filter(({ folder, at, is }) => folder && at.includes('project') && is !== 'scratch').map(
      ({ path }) => path,
    ),
  ),
];

function baseOf(base: Base, ground: Ground): string {
  return base === 'project' ? ground.root : ground.home;
}

/** Files, and folders with all that is in them; folded. */
class Realm {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  add(path: string, isFolder: boolean): this {
    (isFolder ? this.#folders : this.#files).add(fold(path));
    return this;
  }

  /** Adds a place at each of its bases. */
  addPlace({ at, path, folder }: Place, ground: Ground): void {
    for (const base of at) this.add(`${baseOf(base, ground)}/${path}`, folder === true);
  }

  /** `folders`: the path itself and every folder above it. */
  holds(path: string, folders: readonly string[]): boolean {
    return this.#files.has(path) || folders.some((folder) => this.#folders.has(folder));
  }
}

/** What a ground protects at fixed paths, in the order in which it is asked. */
interface Protection {
  readonly scratch: Realm;
  readonly realms: readonly (readonly [realm: Realm, what: string])[];
}

function protectionOf(ground: Ground): Protection {
  const [scratch, brain, host, git, elsewhere, program] = Array.from({ length: 6 }, () => new Realm()) as [
    ...[Realm, Realm, Realm, Realm, Realm, Realm],
  ];
  for (const place of SCRATCH) {
    scratch.addPlace(place, ground);
    for (const folder of movedTo(place, ground)) scratch.add(folder, true);
  }
  brain.add(`${ground.root}/AGENT.md`, false);
  for (const place of UNNAMED) (place.what === OF_HOST ? host : git).addPlace(place, ground);
  for (const { to } of ground.moved ?? []) elsewhere.add(to, true);
  for (const folder of FOOTPRINTS.flatMap(({ system }) => system)) elsewhere.add(folder, true);
  if (ground.install !== '')
    for (const name of ['bin', 'dist', 'node_modules']) program.add(`${ground.install}/${name}`, true);
  return {
    scratch,
    realms: [
      [brain, 'the shared brain'],
      [host, OF_HOST],
      [git, OF_GIT],
      [elsewhere, OF_HOST],
      [program, "PactClaw's own program"],
    ],
  };
}

const MAX_KEPT = 64;
const kept = new Map<string, Protection>();

/** The protection of a ground, which follows from the ground alone and is made once for each. */
function protectionFor(ground: Ground): Protection {
  const { root, home, install, moved = [] } = ground;
  const key = JSON.stringify([root, home, install, ...moved.flatMap(({ from, to }) => [from, to])]);
  const known = kept.get(key);
  if (known) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const made = protectionOf(ground);
  kept.set(key, made);
  return made;
}

function foldersOver(path: string): string[] {
  const folders = [path];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}

/** Where a place of the home folder lies besides, as the environment has it. */
export function movedTo({ path, at }: Place, { moved = [] }: Ground): string[] {
  if (!at.includes('home')) return [];
  return moved.flatMap(({ from, to }) => (under(path, from) ? [to + path.slice(from.length)] : []));
}

function isScratchIn({ scratch }: Protection, path: string, folders: readonly string[]): boolean {
  return !path.includes('/../') && scratch.holds(path, folders);
}

/** Whether a real path lies in a folder that a host keeps for what its agents write down, and that holds no power. */
export function isScratch(absolute: string, ground: Ground): boolean {
  const path = fold(absolute);
  return isScratchIn(protectionFor(ground), path, foldersOver(path));
}

/**
 * What a real path belongs to when no agent may change it, or null (H-48).
 * Names are compared folded, so that `.Orchestration` is no way around on any file system.
 */
export function protectedAs(absolute: string, ground: Ground): string | null {
  const path = fold(absolute);
  const folders = foldersOver(path);
  const protection = protectionFor(ground);
  if (isScratchIn(protection, path, folders)) return null;
  const root = fold(ground.root);
  // A work tree may lie below a host's folder (`.claude/worktrees/x`): names above it say nothing about its files.
  const parts = (under(path, root) ? path.slice(root.lastIndexOf('/')) : path).split('/');
  for (const part of parts) if (Object.hasOwn(NAMES, part)) return NAMES[part] ?? null;
  return protection.realms.find(([realm]) => realm.holds(path, folders))?.[1] ?? null;
}

/** Protected things of a workspace as paths, to hold against a pattern that cannot be read off. */
export function protectedSamples(ground: Ground): readonly string[] {
  const sidecar = `${ground.root}/${SIDECAR}`;
  // Of names that others use too there are no samples: a pattern for `*.json` or `.env` would be refused everywhere.
  const isOwn = (path: string) => path.startsWith('.') && !path.endsWith('.env');
  const wiring = PLACES.filter(({ is, folder, path }) => is !== 'instructs' && !folder && isOwn(path));
  const names = new Set(FOOTPRINTS.flatMap((host) => host.names.filter(isOwn)));
  const own = ['', '/config.toml', '/ESTOP'].map((name) => `${ground.home}/.pactclaw${name}`);
  const state = ['active_intents.yaml', 'agent_trace.jsonl', 'tool_receipts.log', 'state.db', 'config.yaml'];
  return [
    sidecar,
    ...state.map((name) => `${sidecar}/${name}`),
    ...own,
    `${ground.root}/${GIT_NAME}`,
    `${ground.root}/${GIT_NAME}/hooks/pre-commit`,
    ...[...names].map((name) => `${ground.root}/${name}`),
    ...wiring.flatMap(({ at, path }) => at.map((base) => `${baseOf(base, ground)}/${path}`)),
  ];
}

const MENTION = new RegExp(
  `(${Object.keys(NAMES)
    .filter((name) => name !== GIT_NAME)
    .map(escapeRegex)
    .join('|')})`,
);

/** Folders that a command may name because agents work with what lies there. */
const USED = new RegExp(
  `(?:${PLACES.filter(({ used }) => used)
    .map(({ path }) => escapeRegex(path))
    .join('|')})/`,
  'g',
);

/** The same for a word of a command that runs a program: the script of a skill may be run. */
export function mentionsWiring(word: string, root: string): string | null {
  return mentionsProtected(word.includes('..') ? word : fold(word).replace(USED, '/'), root);
}

/** The protected name that a piece of text mentions, or null. Names of the folders that `root` lies in do not count. */
export function mentionsProtected(text: string, root: string): string | null {
  const folded = fold(text);
  // With a way up again, the folder that is left would be the one that counts.
  const plain = folded.includes('..') ? folded : folded.replaceAll(`${fold(root)}/`, '/');
  return MENTION.exec(plain)?.[0] ?? null;
}
