import { GIT_NAME, GIT_PLACES, GIT_SETTINGS } from '../core/footprints/git.ts';
import { FOOTPRINTS } from '../core/footprints/index.ts';
import { SIDECAR } from '../core/words.ts';
import { newUuid } from '../platform/clock.ts';
import { mountsHere } from '../platform/container.ts';
import {
  exists,
  isDirectory,
  isLink,
  makeDirectory,
  makePrivateFolder,
  realPlace,
} from '../platform/files.ts';
import { writeOnce, writePlain } from '../platform/plain-files.ts';
import { executionFolder, executionPlaces } from './places.ts';
import { type ContainerPlan, planContainer, unspeakable } from './plan.ts';
import { isUnder } from './under.ts';

/** What the container of a command is made for. */
export interface Setting {
  readonly root: string;
  readonly home: string;
  readonly uid: number;
  /** Folder for scratch that the environment names, or null. */
  readonly temporary: string | null;
  /** Places that may not even be read. Absolute. */
  readonly forbidden: readonly string[];
}

/** A run that can begin. */
export interface PreparedRun extends ContainerPlan {
  readonly id: string;
  /** Its private folder. */
  readonly folder: string;
}

/** Folders for scratch by their usual names. */
const SCRATCH = ['/tmp', '/var/tmp'];
/** Folders of the home in which tools keep what they can get again. The first two are made where they are missing. */
const CACHES = [
  ...['.cache', '.npm', '.yarn', '.bun/install/cache', '.local/share/pnpm/store'],
  ...['.cargo/registry', '.cargo/git', 'go/pkg', '.gradle', '.m2/repository', '.nuget/packages'],
];
const MADE_CACHES = 2;
/** Places that name servers are read from. */
const KEPT_IN_RUN = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager', '/run/current-system'];
/** Places below `/proc` through which root changes the machine. */
const PROC_PLACES = [
  '/proc/sys',
  '/proc/sysrq-trigger',
  '/proc/irq',
  '/proc/bus',
  '/proc/fs',
  '/proc/acpi',
  '/proc/scsi',
];
/** Places that no system works without, whatever the policy forbids. */
const NEEDED = ['/', '/etc', '/sys', '/proc', '/dev', '/run', '/usr', '/bin', '/lib', '/var'];

/** Existing files and folders of the workspace that no command may change, each but once and none below another. */
export function guardedPlaces(root: string): string[] {
  const places = [...FOOTPRINTS.flatMap((host) => host.places), ...GIT_PLACES, ...GIT_SETTINGS]
    .filter(({ at, is }) => at.includes('project') && is !== 'scratch')
    .map(({ path }) => path);
  const names = FOOTPRINTS.flatMap((host) => host.names);
  const all = [SIDECAR, 'AGENT.md', ...names, `${GIT_NAME}/info`, ...places].map((path) => `${root}/${path}`);
  const there = [...new Set(all)].filter((path) => exists(path) && !isLink(path) && realPlace(path) === path);
  return there.filter((path) => !there.some((one) => one !== path && isUnder(path, one)));
}

/** What stands for `/dev`, and for a file or folder that is taken away. Made once, and used by all runs. */
function skeletonAt(folder: string): string {
  const dev = `${folder}/dev`;
  if (exists(`${folder}/ready`)) return folder;
  for (const name of ['empty', 'dev/pts', 'dev/shm']) makeDirectory(`${folder}/${name}`);
  for (const name of ['null', 'zero', 'full', 'random', 'urandom', 'tty']) writeOnce(`${dev}/${name}`, '');
  writeOnce(`${folder}/nothing`, '');
  const links = { fd: '/proc/self/fd', stdin: 'fd/0', stdout: 'fd/1', stderr: 'fd/2', ptmx: 'pts/ptmx' };
  for (const [name, target] of Object.entries(links)) writeOnce(`${dev}/${name}`, { link: target });
  writeOnce(`${folder}/ready`, '');
  return folder;
}

/** Why the workspace cannot be contained, whatever the kernel can do; null when nothing stands against it. */
export function obstacleOf({ root, home }: Pick<Setting, 'root' | 'home'>): string | null {
  const state = executionFolder();
  if (isUnder(state, root)) return 'the home folder lies in the workspace';
  if (exists(`${root}/${GIT_NAME}`) && !isDirectory(`${root}/${GIT_NAME}`))
    return 'this is a linked work tree or a submodule: its repository lies elsewhere';
  return unspeakable(root) ?? unspeakable(home);
}

/** Makes the folder and the plan of one run. */
export function prepareRun(setting: Setting): PreparedRun {
  const { root, home, uid, temporary, forbidden } = setting;
  const state = executionFolder();
  makePrivateFolder(state);
  const skeleton = skeletonAt(`${state}/skeleton`);
  const id = newUuid();
  const run = `${executionPlaces(root).runs}/${id}`;
  const scratch = [...new Set([...SCRATCH, ...(temporary === null ? [] : [temporary])])].filter(
    (folder) =>
      isDirectory(folder) &&
      realPlace(folder) === folder &&
      !isUnder(state, folder) &&
      !isUnder(folder, root) &&
      unspeakable(folder) === null,
  );
  for (const name of CACHES.slice(0, MADE_CACHES)) makeDirectory(`${home}/${name}`);
  const caches = CACHES.map((name) => `${home}/${name}`).filter(
    (folder) =>
      isDirectory(folder) &&
      realPlace(folder) === folder &&
      !isUnder(folder, root) &&
      !isUnder(root, folder) &&
      !scratch.some((one) => isUnder(folder, one)),
  );
  const hidden = forbidden.filter(
    (place) => exists(place) && ![root, home, ...NEEDED].some((needed) => isUnder(needed, place)),
  );
  const plan = planContainer({
    run,
    skeleton,
    root,
    scratch,
    caches,
    guarded: guardedPlaces(root),
    hiddenFolders: [...hidden.filter(isDirectory), `${home}/.pactclaw`],
    hiddenFiles: hidden.filter((place) => !isDirectory(place)),
    keptInRun: KEPT_IN_RUN.filter(isDirectory),
    procPlaces: PROC_PLACES.filter(exists),
    mounts: mountsHere(),
    uid,
  });
  for (const folder of plan.folders) makeDirectory(folder);
  for (const at of [...KEPT_IN_RUN.keys(), 'sys']) makeDirectory(`${run}/hold/${at}`);
  for (const [name, text] of Object.entries(plan.files)) writePlain(`${run}/${name}`, text);
  return { ...plan, id, folder: run };
}
