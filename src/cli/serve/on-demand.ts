import { cachedPolicy, compilePolicy, readPolicySources } from '../../config/load-policy.ts';
import { layoutOf } from '../../core/layout.ts';
import { wallMs } from '../../platform/clock.ts';
import { createFile } from '../../platform/durable-files.ts';
import { markOf } from '../../platform/file-mark.ts';
import { removeFile } from '../../platform/files.ts';
import { homeFolder } from '../../platform/home.ts';
import { makePrivateFolder } from '../../platform/list-folder.ts';
import { holdLock } from '../../platform/lock.ts';
import { startDetached } from '../../platform/start-detached.ts';
import { type RunFiles, runFiles } from './places.ts';

/** Minutes without an event after which an engine that a hook has started ends. */
const IDLE_MINUTES = 10;
/**
 * How long nobody else tries when a hook has tried to start one, in milliseconds. An engine that runs ends it sooner.
 */
const AGAIN_MS = 10 * 60_000;

/**
 * Where the engine's programs come from. Not the hook's own PATH: whoever starts a hook could steer by it what every
 * later event is decided with.
 */
const SYSTEM_PATH = [
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/opt/homebrew/bin',
  '/opt/local/bin',
  '/run/current-system/sw/bin',
];

/** True for the one hook that is to start it, of however many ask. */
function isFirst(file: string): boolean {
  const mark = markOf(file);
  if (mark !== null && Math.abs(wallMs() - Number(BigInt(mark.changedNs) / 1_000_000n)) < AGAIN_MS)
    return false;
  if (mark !== null) removeFile(file);
  return createFile(file, '', 0o600);
}

/**
 * Whether an engine has begun since the hook looked for one. Only an address whose owner holds the lock counts: a killed
 * engine leaves its address behind, and one that is leaving has taken its own away.
 */
function runsNow(files: RunFiles): boolean {
  if (markOf(files.address) === null) return false;
  const lock = holdLock(files.lock, 0);
  lock?.close();
  return lock === null;
}

async function isWanted(root: string): Promise<boolean> {
  const sources = readPolicySources(layoutOf(root));
  const known = cachedPolicy(sources, { compiled: () => null });
  return (known ?? (await compilePolicy(sources))).serve === 'auto';
}

/**
 * Starts the resident engine for the events to come, unless the settings or `PACTCLAW_SERVE=off` say not to, or a hook
 * has just tried. Never throws: hooks work without the engine too.
 */
export async function startOnDemand(root: string, install: string): Promise<void> {
  try {
    if (process.env.PACTCLAW_SERVE === 'off') return;
    const files = runFiles(install);
    // Where git is elsewhere the engine would decide otherwise than a process that finds it.
    if (!SYSTEM_PATH.some((folder) => markOf(`${folder}/git`) !== null)) return;
    makePrivateFolder(files.folder);
    if (!isFirst(files.starting)) return;
    // The engine takes the claim away when it has left its address, so a late hook may get a claim of its own.
    if (runsNow(files)) return removeFile(files.starting);
    if (!(await isWanted(root))) return;
    const args = [`${install}/bin/pactclaw`, 'serve', '--idle', String(IDLE_MINUTES)];
    startDetached(process.execPath, args, { HOME: homeFolder(), PATH: SYSTEM_PATH.join(':') });
  } catch {
    // A home folder that cannot be written to, or settings that are wrong: those are told of by the decision.
  }
}
