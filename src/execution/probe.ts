import { isObject } from '../core/json.ts';
import { killContainer, startContainer, systemName } from '../platform/container.ts';
import { readIfThere, removeClosed, removeFile } from '../platform/files.ts';
import { writePlain } from '../platform/plain-files.ts';
import { executionPlaces } from './places.ts';
import { obstacleOf, prepareRun, type Setting } from './prepare.ts';

/** Words for what a system that has no containers says, by what util-linux and the kernel print. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/apparmor|restrict_unprivileged_userns/i, "this system's AppArmor rule closes user namespaces"],
  [
    /unshare failed: (?:Operation not permitted|Permission denied)/,
    'user namespaces are closed here (a container, or a setting of the system)',
  ],
  [/unshare failed: No space left on device/, 'no user namespaces are allowed (user.max_user_namespaces)'],
  [
    /uid_map|gid_map/,
    'user namespaces are closed here: this user cannot be mapped (a sandbox of the client, or an AppArmor rule)',
  ],
  [/unknown filesystem type 'overlay'|No such device/, 'the kernel has no overlay file system'],
  [/wrong fs type, bad option/, 'an overlay cannot be mounted over this file system'],
  [/spawn \S*unshare ENOENT/, 'unshare(1) of util-linux is not installed'],
];

/** Why a container could not be made, for people. */
export function wordsFor(failure: string): string {
  return WORDS.find(([pattern]) => pattern.test(failure))?.[1] ?? failure.slice(0, 300);
}

function probeFile(root: string): string {
  return `${executionPlaces(root).state}/probe`;
}

/** Forgets what is known, so that the next command finds out anew. */
export function forgetProbe(root: string): void {
  removeFile(probeFile(root));
}

async function tryOut(setting: Setting, script: string): Promise<string | null> {
  const run = prepareRun(setting);
  const container = startContainer({
    script,
    plan: run.folder,
    cwd: setting.root,
    command: ['true'],
    hidden: [],
    mute: true,
  });
  const ended = await container.ended;
  container.release();
  killContainer(container.pid);
  removeClosed(run.folder);
  if ('failure' in ended) return wordsFor(ended.failure);
  return ended.code === 0 ? null : `a command in a container ended with code ${ended.code}`;
}

/**
 * Why commands of a workspace cannot be contained here, or null when they can. Tried once in earnest for each kernel and
 * kept beside the workspace's runs.
 */
export async function whyNotContained(setting: Setting, script: string): Promise<string | null> {
  const system = systemName();
  if (!system.startsWith('linux ')) return 'containers are made on Linux only';
  const obstacle = obstacleOf(setting);
  if (obstacle !== null) return obstacle;
  const file = probeFile(setting.root);
  const bytes = readIfThere(file);
  const known: unknown = bytes === null ? null : JSON.parse(bytes.toString('utf8'));
  if (isObject(known) && known.system === system && known.uid === setting.uid)
    return typeof known.why === 'string' ? known.why : null;
  const why = await tryOut(setting, script);
  writePlain(file, JSON.stringify({ system, uid: setting.uid, why }));
  return why;
}
