import { PactError } from '../../core/errors.ts';
import { FOLDER_VARIABLES } from '../../core/footprints/index.ts';
import { ResidentEngines } from '../../hooks/resident.ts';
import { EVENT_BOUNDS } from '../../hooks/workspace.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { markOf, sameMark } from '../../platform/file-mark.ts';
import { removeFile } from '../../platform/files.ts';
import { listenHttp } from '../../platform/http-server.ts';
import { makePrivateFolder } from '../../platform/list-folder.ts';
import { holdLock } from '../../platform/lock.ts';
import { logNewsLater } from '../operator-log.ts';
import { residentService } from './handle.ts';
import { Keepers } from './keepers.ts';
import { Latency } from './latency.ts';
import { newSecrets, type RunFiles, readAddress, removeAddress, runFiles, writeAddress } from './places.ts';

declare const PACTCLAW_VERSION: string;

/** How long events that are under way may take when the engine is to end, in milliseconds. */
const GRACE_MS = 20_000;
const IDLE_LOOK_MS = 10_000;

/** How long an engine that is leaving may hold the lock, in milliseconds. */
const HANDOVER_MS = 3_000;

/** An engine that runs. */
export interface Running {
  readonly files: RunFiles;
  readonly port: number;
  /** Resolves when it has stopped, with the reason. */
  readonly ended: Promise<string>;
  stop(reason: string): void;
}

/**
 * Starts the resident engine of this installation. `idleMs` of quiet end it; 0 means never. Throws a CONFLICT when one
 * runs already.
 */
export async function startEngine(install: string, idleMs: number): Promise<Running> {
  const files = runFiles(install);
  makePrivateFolder(files.folder);
  // One that is leaving has taken its address away first.
  const lock = holdLock(files.lock, markOf(files.address) ? 0 : HANDOVER_MS);
  if (!lock)
    throw new PactError('CONFLICT', 'a resident engine runs already', 'See `pactclaw serve --status`.');
  // Left behind by a killed engine. Nobody else uses it, because this process holds the lock.
  removeAddress(files);
  // What the hooks have of these, they hand on.
  for (const name of FOLDER_VARIABLES) delete process.env[name];
  const program = `${install}/dist/cli.mjs`;
  const built = markOf(program);
  const startedAt = monotonicMs();
  let lastAt = startedAt;
  const latency = new Latency();
  const engines = new ResidentEngines(install, { ...EVENT_BOUNDS, told: logNewsLater });
  const keepers = new Keepers(install);
  let end: (reason: string) => void = () => undefined;
  const ending = new Promise<string>((resolve) => {
    end = resolve;
  });
  const { token, proof } = newSecrets();
  const server = await listenHttp(
    { host: '127.0.0.1', port: 0, token },
    residentService({
      proof,
      engineAt: (workspace) => engines.engineAt(workspace),
      outdated: () => {
        const now = markOf(program);
        return built !== null && (now === null || !sameMark(now, built));
      },
      status: () => ({
        version: PACTCLAW_VERSION,
        pid: process.pid,
        port: server.port,
        uptimeMs: Math.round(monotonicMs() - startedAt),
        ...latency.figures,
        memoryBytes: process.memoryUsage.rss(),
        ...engines.residence,
      }),
      stop: () => end('asked to stop'),
      answered: (ms, workspace) => {
        latency.add(ms);
        lastAt = monotonicMs();
        void keepers.keep(workspace);
      },
      now: monotonicMs,
    }),
  );
  writeAddress(files, { port: server.port, token, proof });
  removeFile(files.starting);
  const timer = setInterval(() => {
    if (readAddress(files)?.token !== token) end('its folder is gone');
    if (idleMs > 0 && monotonicMs() - lastAt > idleMs) end('nothing to do');
  }, IDLE_LOOK_MS);
  const ended = ending.then(async (reason) => {
    clearInterval(timer);
    // First out of sight, then gone: no client may find the door of an engine that is leaving.
    if (readAddress(files)?.token === token) removeAddress(files);
    await server.close(GRACE_MS);
    await keepers.close();
    await engines.prove();
    engines.close();
    removeFile(files.starting);
    lock.close();
    return reason;
  });
  return { files, port: server.port, ended, stop: end };
}
