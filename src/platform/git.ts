import { execFile, spawnSync } from 'node:child_process';
import { PactError } from '../core/errors.ts';

const MISSING = 'Install git; without it PactClaw cannot see what a command changed, so it refuses commands.';

/** What one git call gave. */
export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** How git is called: always with its own settings, never with what a workspace or an agent could configure. */
export interface GitPlace {
  readonly gitDir: string;
  readonly workTree: string;
  readonly index?: string;
  readonly alternates?: string;
  readonly timeoutMs: number;
  /** For a subcommand that refuses to be told that names are no patterns. */
  readonly patterns?: true;
}

const QUIET = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.untrackedCache=false',
  '-c',
  'gc.auto=0',
  '-c',
  'advice.addEmbeddedRepo=false',
  // Names that other systems read as `.git`: left alone by git otherwise, and so out of sight.
  '-c',
  'core.protectNTFS=false',
  '-c',
  'core.protectHFS=false',
];

function environment(place: GitPlace): NodeJS.ProcessEnv {
  const inherited: NodeJS.ProcessEnv = {};
  for (const name of ['PATH', 'HOME', 'LANG', 'TMPDIR', 'SystemRoot'])
    if (process.env[name] !== undefined) inherited[name] = process.env[name];
  return {
    ...inherited,
    GIT_DIR: place.gitDir,
    GIT_WORK_TREE: place.workTree,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // A replaced object would let a snapshot read as another one.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_ATTR_NOSYSTEM: '1',
    // A file may be called `:(exclude)…`; a name is never a pattern here.
    ...(place.patterns ? {} : { GIT_LITERAL_PATHSPECS: '1' }),
    LC_ALL: 'C',
    ...(place.index === undefined ? {} : { GIT_INDEX_FILE: place.index }),
    ...(place.alternates === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: place.alternates }),
  };
}

/** Runs git and returns what it said; throws a PactError when it is missing or does not answer in time. */
export function tryGit(place: GitPlace, args: readonly string[], input?: string | Buffer): GitResult {
  const run = spawnSync('git', [...QUIET, ...args], {
    cwd: place.workTree,
    env: environment(place),
    timeout: place.timeoutMs,
    maxBuffer: 1 << 30,
    windowsHide: true,
    ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] } : { input }),
  });
  if (run.error) {
    const code = 'code' in run.error ? String(run.error.code) : '';
    if (code === 'ENOENT') throw new PactError('UNAVAILABLE', 'git is not installed', MISSING);
    throw new PactError(
      code === 'ETIMEDOUT' ? 'TIMEOUT' : 'UNAVAILABLE',
      `git ${args[0]} did not answer (${code})`,
      'Try again; if it stays slow, exclude large folders in .gitignore.',
    );
  }
  return { code: run.status ?? 128, stdout: run.stdout, stderr: run.stderr.toString('utf8').trim() };
}

/** Like {@link tryGit}, but a failure throws. */
export function git(place: GitPlace, args: readonly string[], input?: string | Buffer): Buffer {
  const result = tryGit(place, args, input);
  if (result.code === 0) return result.stdout;
  throw new PactError(
    'UNAVAILABLE',
    `git ${args[0]} failed: ${result.stderr.split('\n')[0] ?? result.code}`,
    'See `git` itself; PactClaw keeps its snapshots in .orchestration/shadow, which may be deleted.',
  );
}

/** The same without waiting for it; null where git fails or is missing. */
export function gitLater(place: GitPlace, args: readonly string[]): Promise<Buffer | null> {
  const { workTree: cwd, timeoutMs: timeout } = place;
  const options = { cwd, env: environment(place), timeout, maxBuffer: 1 << 30, windowsHide: true };
  return new Promise((resolve) => {
    execFile('git', [...QUIET, ...args], { ...options, encoding: 'buffer' }, (error, stdout) =>
      resolve(error ? null : stdout),
    );
  });
}
