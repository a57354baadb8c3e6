import { sha256 } from '../../core/digest.ts';
import type { Base, Place } from '../../core/footprints/footprint.ts';
import { GIT_NAME, GIT_PLACES, GIT_SETTINGS } from '../../core/footprints/git.ts';
import { FOOTPRINTS } from '../../core/footprints/index.ts';
import type { Preimage } from '../../ledger/port.ts';
import { replaceFile } from '../../platform/durable-files.ts';
import { markOfAny } from '../../platform/file-mark.ts';
import {
  isDirectory,
  isLink,
  listNames,
  makeDirectory,
  readRegular,
  realPlace,
  removeAll,
} from '../../platform/files.ts';
import { gitFolders } from '../../platform/git-head.ts';
import { type Ground, movedTo } from '../../security/protected.ts';
import type { Workspace } from '../workspace.ts';
import { membersOf, withMembers } from './members.ts';

/** Largest governing file that is kept for putting back; larger ones are compared by hash alone. */
const MAX_BYTES = 1 << 20;
/** Largest file that a host keeps its bookkeeping in. */
const MAX_BOOKKEEPING = 32 << 20;
/** Largest such file that is kept as a whole; of a larger one only what matters is kept. */
const MAX_KEPT_WHOLE = 64 << 10;

/** Most files of one folder that are kept; a host's folders hold few, and each is read before every command. */
const MAX_IN_FOLDER = 100;

/** A governing file, with what the table of footprints says of it. */
export interface GoverningFile {
  readonly path: string;
  readonly place: Place | null;
}

function filesIn(base: Base, path: string, place: Place): GoverningFile[] {
  if (!place.folder) return [{ path, place }];
  // Snapshots of the work tree already hold the files that a host obeys but does not run.
  if (base === 'project' && place.is === 'instructs') return [];
  return (
    listNames(path)
      .filter((name) => !name.endsWith('.sample'))
      .map((name) => ({ path: `${path}/${name}`, place }))
      // Folders in it are in the snapshots too; of those in the home only a new one shows.
      .filter((file) => base === 'home' || !isDirectory(file.path))
      .slice(0, MAX_IN_FOLDER)
  );
}

/** Files of a place in the project, which starts at `root`, and in the home folder. */
function filesAt(place: Place, root: string, ground: Ground): GoverningFile[] {
  if (place.is === 'scratch') return [];
  const homes = place.at.includes('home') ? [`${ground.home}/${place.path}`, ...movedTo(place, ground)] : [];
  return [
    ...(place.at.includes('project') ? filesIn('project', `${root}/${place.path}`, place) : []),
    ...homes.flatMap((path) => filesIn('home', path, place)),
  ];
}

/** The same for git, whose folder lies elsewhere in a linked work tree and in a submodule. */
function gitFilesAt(place: Place, root: string, ground: Ground): GoverningFile[] {
  if (!place.at.includes('project')) return filesAt(place, root, ground);
  const common = gitFolders(root)?.common ?? `${root}/${GIT_NAME}`;
  return filesIn('project', common + place.path.slice(GIT_NAME.length), place);
}

/** Files of the sidecar that the engine writes while commands run; all others are a human's. */
const ENGINE_FILES =
  /^(?:agent_trace\.jsonl|tool_receipts\.log|intent_map\.md|state\.db.*|shadow|quarantine|\..*\.tmp)$/;

/** Files that govern the agent and that no snapshot of the work tree holds. */
function governingFiles({ layout, ground }: Workspace): GoverningFile[] {
  const gitFile = `${layout.root}/${GIT_NAME}`;
  const own = [
    ...new Set([
      ...[layout.intents, layout.config, layout.mcpPins, layout.constitution, layout.soul, layout.brain],
      layout.writer,
      ...listNames(layout.sidecar)
        .filter((name) => !ENGINE_FILES.test(name))
        .map((name) => `${layout.sidecar}/${name}`),
    ]),
    ...['config.toml', 'ESTOP', 'installed.json'].map((name) => `${ground.home}/.pactclaw/${name}`),
  ];
  return [
    ...own.map((path) => ({ path, place: null })),
    ...FOOTPRINTS.flatMap(({ places }) => places).flatMap((place) => filesAt(place, layout.root, ground)),
    ...[...GIT_PLACES, ...GIT_SETTINGS].flatMap((place) => gitFilesAt(place, layout.root, ground)),
    // A file in a linked work tree and in a submodule: it says which repository this is.
    ...(isDirectory(gitFile) ? [] : [{ path: gitFile, place: null }]),
  ];
}

/** What the governing files hold now. */
export function governingImages(workspace: Workspace): Preimage[] {
  return governingFiles(workspace)
    .map((file) => imageAt(file, workspace))
    .filter(({ hash }) => hash !== null);
}

function imageAt({ path, place }: GoverningFile, { layout }: Workspace): Preimage {
  if (!place?.only) return imageOf(path);
  const whole = readRegular(path, MAX_BOOKKEEPING);
  const members = membersOf(whole, place.only, layout.root);
  const content = whole !== null && whole.length <= MAX_KEPT_WHOLE ? whole : members;
  return { path, hash: sha256(members), content };
}

/**
 * A governing file as it is compared: its bytes and where they lie. The place counts, because behind a link into the
 * scope the same bytes could become others by a judged write. What is no file of a readable size is told by its
 * mark, so that a pipe, a folder or an overlong file is not taken for a missing one.
 */
export function imageOf(path: string): Preimage {
  const mark = markOfAny(path);
  if (mark === '') return { path, hash: null, content: null };
  const content = readRegular(path, MAX_BYTES);
  // A folder's own mark changes with every file in it.
  const what = sha256(content ?? (isDirectory(path) && !isLink(path) ? 'folder' : mark));
  const place = realPlace(path);
  return { path, hash: place === path ? what : sha256(`${place}\n${what}`), content };
}

/** A governing file that changed while a command ran. */
export interface Tampering {
  readonly before: Preimage;
  readonly now: Preimage;
  readonly place: Place | null;
}

/** Governing files that are not as they were: changed, added to a folder, or gone from it. */
export function findTampering(workspace: Workspace, before: readonly Preimage[]): Tampering[] {
  const known = new Map(before.map((image) => [image.path, image]));
  const files = new Map(governingFiles(workspace).map((file) => [file.path, file]));
  for (const path of known.keys()) if (!files.has(path)) files.set(path, { path, place: null });
  return [...files.values()].flatMap((file) => {
    const now = imageAt(file, workspace);
    const then = known.get(file.path) ?? { path: file.path, hash: null, content: null };
    return then.hash === now.hash ? [] : [{ before: then, now, place: file.place }];
  });
}

/** The file lies elsewhere than before: its bytes may be the same, but a link now decides what they are. */
export function isDisplaced({ before, now }: Tampering): boolean {
  const atHome = (image: Preimage) => image.content === null || image.hash === sha256(image.content);
  return atHome(before) && !atHome(now);
}

/** Puts a governing file back; what the command left there is kept at `kept` so that nothing is lost. */
export function undoTampering({ before, now, place }: Tampering, root: string, kept: string): void {
  if (now.content) {
    makeDirectory(kept.slice(0, kept.lastIndexOf('/')));
    replaceFile(kept, now.content, { durable: false });
  }
  if (place?.only) {
    const whole = withMembers(readRegular(before.path, MAX_BOOKKEEPING), place.only, root, before.content);
    replaceFile(before.path, whole, { durable: true });
  } else if (before.content) {
    const folder = before.path.slice(0, before.path.lastIndexOf('/'));
    // It lay at its own place before: a link that now leads elsewhere goes, not what it leads to.
    if (before.hash === sha256(before.content) && isLink(folder)) removeAll(folder);
    makeDirectory(folder);
    if (isDirectory(before.path)) removeAll(before.path);
    replaceFile(before.path, before.content, { durable: true });
  } else if (before.hash === null) removeAll(before.path);
}
