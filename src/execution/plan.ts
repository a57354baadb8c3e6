import { isUnder } from './under.ts';

/** A tree that a command sees as a copy-on-write view: what it writes lands in `upper`. */
export interface Layer {
  /** The real folder, absolute. */
  readonly folder: string;
  readonly upper: string;
  readonly work: string;
  /** Where the view is made before it is put over the real folder. */
  readonly merged: string;
}

/** What a container is planned from. Paths are absolute and real. */
export interface PlanFacts {
  /** Private folder of this run. */
  readonly run: string;
  /** Private folder with what stands for `/dev` and for places that are taken away; see `prepare.ts`. */
  readonly skeleton: string;
  readonly root: string;
  /** Folders for scratch that the command may write to as well. */
  readonly scratch: readonly string[];
  /** Caches of tools: written to as well, and what is written goes with the container. */
  readonly caches: readonly string[];
  /** Files and folders of the workspace that stay as they are, the outer before the inner. */
  readonly guarded: readonly string[];
  /** Folders whose content the command must not see. */
  readonly hiddenFolders: readonly string[];
  readonly hiddenFiles: readonly string[];
  /** Folders of `/run` that ordinary programs read. */
  readonly keptInRun: readonly string[];
  /** Files below `/proc` that root must not write. */
  readonly procPlaces: readonly string[];
  readonly mounts: readonly { readonly place: string; readonly writable: boolean }[];
  readonly uid: number;
}

export interface ContainerPlan {
  /** The workspace, and scratch. */
  readonly layers: readonly Layer[];
  /** All folders that the run's own folder must have. */
  readonly folders: readonly string[];
  /** Names and texts of the files that the set-up script reads. */
  readonly files: Readonly<Record<string, string>>;
}

/** A field of fstab(5). */
function field(text: string): string {
  return text.replace(/[\s\\#]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function line(from: string, to: string, type: string, options: string): string {
  return `${field(from)} ${field(to)} ${type} ${field(options)} 0 0\n`;
}

const bind = (from: string, to: string, more = ''): string => line(from, to, 'none', `bind${more}`);
const empty = (place: string, options: string): string => line('pactclaw', place, 'tmpfs', options);

/** Where mounts of their own are put over all that is there. */
const COVERED = ['/proc', '/dev', '/run'];

/** Mounts that are writable and stay in sight. */
function writablePlaces({ mounts, uid, scratch }: PlanFacts): string[] {
  const covered = [...COVERED, ...scratch, uid === 0 ? '/sys' : '/sys/fs/cgroup'];
  const places = mounts.filter(
    ({ writable, place }) => writable && !covered.some((one) => isUnder(place, one)),
  );
  return [...new Set(places.map(({ place }) => place))];
}

/** Why overlayfs cannot be told of a path in its options, or null. */
export function unspeakable(path: string): string | null {
  return /[,:"\\\n]/.test(path)
    ? `its path holds a character that an overlay cannot be told of: ${path}`
    : null;
}

function layerOf(run: string, folder: string, at: number): Layer {
  const place = `${run}/${at}`;
  return { folder, upper: `${place}/upper`, work: `${place}/work`, merged: `${place}/merged` };
}

/**
 * Plans the mounts of a container: the workspace and scratch as overlays, everything else read-only, governing files
 * read-only in the overlay too, sockets of the machine and private places out of sight. Mounted in three steps: views
 * and sources while all is in sight; then what covers; then, by root alone, what the new process namespace needs.
 */
export function planContainer(facts: PlanFacts): ContainerPlan {
  const { run, skeleton, uid } = facts;
  const layers = [facts.root, ...facts.scratch].map((folder, at) => layerOf(run, folder, at));
  const all = [...layers, ...facts.caches.map((folder, at) => layerOf(run, folder, layers.length + at))];
  const dev = `${skeleton}/dev`;
  const held = facts.keptInRun.map((place, at) => ({ place, hold: `${run}/hold/${at}` }));
  const first = [
    ...all.map(({ folder, upper, work, merged }) =>
      line(
        'pactclaw',
        merged,
        'overlay',
        `lowerdir=${folder},upperdir=${upper},workdir=${work},userxattr,volatile`,
      ),
    ),
    ...['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) =>
      bind(`/dev/${name}`, `${dev}/${name}`),
    ),
    ...held.map(({ place, hold }) => bind(place, hold)),
    ...(uid === 0 ? [bind('/sys', `${run}/hold/sys`)] : []),
  ];
  // Scratch first: the workspace may lie in it.
  const views = [...all.slice(1), ...all.slice(0, 1)];
  const second = [
    line(dev, '/dev', 'none', 'rbind'),
    line('pactclaw', '/dev/pts', 'devpts', 'newinstance,ptmxmode=0666,mode=620'),
    empty('/dev/shm', 'mode=1777'),
    empty('/run', 'mode=755'),
    empty(`/run/user/${uid}`, 'mode=700,X-mount.mkdir'),
    ...held.map(({ place, hold }) => bind(hold, place, ',ro,X-mount.mkdir')),
    // An ordinary user may own groups of processes. Root's script leaves out all that is mounted below `/sys`.
    ...(uid === 0 ? [] : [bind(`${skeleton}/empty`, '/sys/fs/cgroup')]),
    ...views.map(({ merged, folder }) => bind(merged, folder)),
    ...facts.guarded.map((place) => bind(place, place, ',ro')),
    ...facts.hiddenFiles.map((place) => bind(`${skeleton}/nothing`, place)),
    ...facts.hiddenFolders.map((place) => empty(place, 'mode=500,ro')),
  ];
  const third = [
    line('pactclaw', '/proc', 'proc', 'nosuid,nodev,noexec'),
    ...facts.procPlaces.map((place) => bind(place, place, ',ro')),
  ];
  return {
    layers,
    folders: all.flatMap(({ upper, work, merged }) => [upper, work, merged]),
    files: {
      'mounts.1': first.join(''),
      'mounts.2': second.join(''),
      'mounts.3': third.join(''),
      readonly: writablePlaces(facts)
        .map((place) => `${place}\n`)
        .join(''),
    },
  };
}
