import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const REPO = path.resolve(import.meta.dirname, '../..');

/**
 * Builds PactClaw into `folder` as it is installed: `bin/`, `dist/` and the packages beside them. Needs no build in
 * the repository, and leaves the one that is there alone.
 */
export function makeInstall(folder: string): string {
  fs.mkdirSync(folder, { recursive: true });
  fs.cpSync(path.join(REPO, 'bin'), path.join(folder, 'bin'), { recursive: true });
  fs.copyFileSync(path.join(REPO, 'package.json'), path.join(folder, 'package.json'));
  fs.symlinkSync(path.join(REPO, 'node_modules'), path.join(folder, 'node_modules'));
  const build = ['--import', 'tsx', 'src/scripts/build.ts', '--out', path.join(folder, 'dist')];
  const built = spawnSync(process.execPath, build, { cwd: REPO, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the build failed:\n${built.stderr}`);
  return folder;
}

/** The floor of every Node hook: a process that does nothing. */
export function runEmptyNode(): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, ['-e', '0'], { input: '', encoding: 'utf8' });
}

/** One event through the launcher, in the way a host runs it. */
export function runHook(install: string, root: string, payload: object): SpawnSyncReturns<string> {
  const event = (payload as { hook_event_name?: string }).hook_event_name ?? 'PreToolUse';
  return spawnSync(
    path.join(install, 'bin/pactclaw-hook'),
    [process.execPath, 'claude-code', '--workspace', root, '--event', event],
    { input: JSON.stringify(payload), encoding: 'utf8' },
  );
}

/** Throws unless the hook ended as it should: 0 for an allow or an outcome, 2 for a refusal. */
export function expectCode(code: 0 | 2, says = ''): (result: unknown) => void {
  return (result) => {
    const { status, stdout, stderr } = result as SpawnSyncReturns<string>;
    if (status !== code || !stdout.includes(says))
      throw new Error(`the hook ended with ${status}, not ${code}: ${stdout} ${stderr}`);
  };
}
