import { StateError } from '../core/errors.ts';
import { FOOTPRINTS } from '../core/footprints/index.ts';
import { type Layout, layoutOf } from '../core/layout.ts';
import { SIDECAR } from '../core/words.ts';
import type { News } from '../ledger/news.ts';
import type { PendingCall } from '../ledger/port.ts';
import type { Store } from '../ledger/store.ts';
import { isDirectory, isLink, realFolder } from '../platform/files.ts';
import { homeFolder, namedFolder } from '../platform/home.ts';
import type { Ground, MovedPlace } from '../security/protected.ts';
import type { WarmTree } from '../security/warm-tree.ts';
import type { PostToolRequest } from './requests.ts';

/** A call whose end rests on the word of the watch. */
export interface Owed {
  readonly request: PostToolRequest;
  readonly pending: PendingCall;
}

/** A tree that is watched, and the calls that are owed a walk for it. */
export interface ProofKeeper {
  readonly tree: Pick<WarmTree, 'take'>;
  owe(call: Owed): void;
}

/** A workspace that is to be governed, and the bounds on how long governing it may take. */
export interface Workspace {
  readonly layout: Layout;
  readonly ground: Ground;
  /** Longest wait for other processes' locks, in milliseconds. */
  readonly busyMs: number;
  /** Longest time for a snapshot of the work tree, in milliseconds. */
  readonly snapshotMs: number;
  /** The process judges one event and ends. */
  readonly oneShot?: boolean;
  /** Another process got the event and did not answer. Its records, if any, count. */
  readonly again?: boolean;
  /** Is called with what was recorded, once that is durable. Must be fast and must not throw. */
  readonly told?: (news: readonly News[]) => void;
  /** Spares snapshots their walk in a process that stays; each snapshot walks the tree when absent. */
  readonly proofs?: () => ProofKeeper;
  /** Hands out a store that is kept open between events; each event opens its own when absent. */
  readonly store?: () => Store;
  /** Longest log, in bytes, that is read in full if it changed since the last event; no limit if absent. */
  readonly readLimit?: number;
}

/**
 * Bounds of one event that a call waits for: below what hosts wait for a hook, and less than 0.1 s for a log that is
 * read from its beginning.
 */
export const EVENT_BOUNDS = { busyMs: 12_000, snapshotMs: 15_000, readLimit: 4 << 20 } as const;

/** The workspace at a folder. A folder that does not exist is a StateError: nothing can be governed there. */
export function workspaceAt(
  root: string,
  install: string,
  bounds: Omit<Workspace, 'layout' | 'ground'> = { busyMs: 5_000, snapshotMs: 60_000 },
): Workspace {
  if (!isDirectory(root))
    throw new StateError(
      'the workspace folder is missing',
      { file: root },
      'Start the agent in a folder that exists.',
    );
  const real = realFolder(root).replace(/\/$/, '');
  // Behind a link the governing files would lie at a place that no rule protects.
  const layout = layoutOf(real);
  for (const file of [layout.sidecar, layout.trace, layout.receipts, layout.state])
    if (isLink(file))
      throw new StateError(
        'orchestration state is a symbolic link',
        { file },
        'Put what it leads to in its place.',
      );
  return { layout, ground: { root: real, home: realHome(), install, moved: movedPlaces(real) }, ...bounds };
}

/** What the environment puts elsewhere. A folder that holds the workspace itself would leave nothing to work on. */
function movedPlaces(root: string): MovedPlace[] {
  return FOOTPRINTS.flatMap(({ moved = [] }) => moved).flatMap(({ variable, from, below }) => {
    const named = namedFolder(variable);
    if (named === null || !named.startsWith('/')) return [];
    const folder = isDirectory(named) ? realFolder(named) : named;
    const to = below === undefined ? folder : `${folder}/${below}`;
    return `${root}/`.startsWith(`${to}/`) ? [] : [{ from, to }];
  });
}

function realHome(): string {
  const home = homeFolder();
  return isDirectory(home) ? realFolder(home) : home;
}

/**
 * The nearest folder from `start` upwards that holds a sidecar, or null (C-8). One that lies in a sidecar itself does
 * not count: quarantine keeps whole folders, and those that an agent made must not govern it.
 */
export function findWorkspace(start: string): string | null {
  for (let folder = start; ; folder = folder.slice(0, folder.lastIndexOf('/'))) {
    if (!folder.split('/').includes(SIDECAR) && isDirectory(layoutOf(folder).sidecar))
      return folder === '' ? '/' : folder;
    if (folder === '') return null;
  }
}
