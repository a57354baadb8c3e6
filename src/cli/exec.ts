import path from 'node:path';
import { messageOf, PactError } from '../core/errors.ts';
import { FOOTPRINTS } from '../core/footprints/index.ts';
import { type PreparedRun, prepareRun } from '../execution/prepare.ts';
import { forgetProbe, wordsFor } from '../execution/probe.ts';
import { sweepRuns, writeOwner } from '../execution/runs.ts';
import { type Claimed, claimCommand, isWatchedCommand } from '../hooks/contained/claim.ts';
import { recoverCommits } from '../hooks/contained/recover.ts';
import { keepScratch } from '../hooks/contained/scratch.ts';
import { containerScript, seamProgram, settingOf } from '../hooks/contained/setting.ts';
import { changesOf, settleContained, settleUnrun } from '../hooks/contained/settle.ts';
import { loadSettings } from '../hooks/settings/settings.ts';
import { EVENT_BOUNDS, findWorkspace, type Workspace, workspaceAt } from '../hooks/workspace.ts';
import { type PrefixLine, readPrefixLine } from '../hosts/claude-code/prefix-line.ts';
import { Store } from '../ledger/store.ts';
import { beganAt, killContainer, startContainer } from '../platform/container.ts';
import { isDirectory, readRegular, removeClosed } from '../platform/files.ts';
import { writePlain } from '../platform/plain-files.ts';
import { onSignals, runThrough } from '../platform/run-through.ts';
import { writeAll } from '../platform/stdio.ts';
import { every } from '../platform/timers.ts';
import { entryAt } from '../platform/tree.ts';
import { readEstop } from '../security/estop.ts';

/** The command could not be run (POSIX: found, and not executable). */
const NOT_RUN = 126;
/** The exit code of a shell for a command that was killed. */
const KILLED = 137;
/** How often a command that runs looks for the emergency stop, which must end it within a second. */
const ESTOP_MS = 300;

function workspaceOf(install: string): Workspace {
  const named = process.env.PACTCLAW_WORKSPACE ?? process.env.CLAUDE_PROJECT_DIR;
  const start = named !== undefined && path.isAbsolute(named) ? named : process.cwd();
  const root = findWorkspace(start);
  if (root === null)
    throw new PactError(
      'NOT_FOUND',
      'no workspace here',
      'Name it with PACTCLAW_WORKSPACE in the host’s settings.',
    );
  return workspaceAt(root, install, { ...EVENT_BOUNDS });
}

/** The shell that the host would have used: a line of bash is not one of zsh. */
function shellFor(line: string): string {
  if (/\/snapshot-zsh-/.test(line)) return 'zsh';
  if (/\/snapshot-bash-/.test(line)) return 'bash';
  return process.env.SHELL ?? 'bash';
}

/** Lets the host follow `cd`: its file is written in the container's own temporary folder. */
function reportFolder(seenRoot: string, file: string | null): void {
  if (file === null) return;
  const text = readRegular(`${seenRoot}${file}`, 8192);
  if (text !== null && isDirectory(text.toString().trim()) && isDirectory(path.dirname(file)))
    writePlain(file, text.toString());
}

interface Job {
  readonly workspace: Workspace;
  readonly store: Store;
  readonly run: PreparedRun;
  readonly line: string;
  readonly parsed: PrefixLine | null;
  readonly claimed: Claimed | null;
}

/** Tells the agent that nothing of a command was kept, because no open call is its own. */
function tellUnknown(wrote: number): void {
  if (wrote > 0)
    writeAll(
      2,
      'Governance Violation: this command belongs to no tool call that was allowed, so nothing that it wrote was kept.\n',
    );
}

/** What the agent reads when there is nothing that could be judged. */
function unkeptText({ failure, ran }: { readonly failure: string; readonly ran: boolean }): string {
  if (readEstop() !== null)
    return 'Emergency Stop: all tools are stopped\nThe command was ended, and nothing that it wrote was kept.';
  return ran
    ? 'Fail-Safe Default: the command was killed together with its container, so nothing that it wrote was kept.'
    : `Fail-Safe Default: no container could be made: ${wordsFor(failure)}. Nothing was run; try again.`;
}

async function runContained({ workspace, store, run, line, parsed, claimed }: Job): Promise<number> {
  const hidden = FOOTPRINTS.flatMap(({ seam }) => seam?.hidden ?? []);
  const container = startContainer({
    script: containerScript(workspace.ground.install),
    plan: run.folder,
    cwd: process.cwd(),
    command: [shellFor(line), '-c', line],
    hidden,
  });
  const own = { pid: process.pid, began: beganAt(process.pid) ?? '' };
  writeOwner(run.folder, { ...own, container: container.pid, containerBegan: beganAt(container.pid) ?? '' });
  const stop = onSignals((name) => container.signal(name));
  const eye = every(ESTOP_MS, () => {
    if (readEstop() !== null) killContainer(container.pid);
  });
  const end = await container.ended;
  // What was killed may have told of its end; while the stop is set nothing becomes real.
  const ended = readEstop() === null ? end : { failure: 'the emergency stop is set', ran: true };
  eye.cancel();
  stop();
  if ('failure' in ended) {
    if (!ended.ran) forgetProbe(workspace.ground.root);
    if (claimed) await settleUnrun(workspace, store, claimed);
    writeAll(2, `${unkeptText(ended)}\n`);
    return ended.ran ? KILLED : NOT_RUN;
  }
  const { code } = ended;
  const seenRoot = `/proc/${container.pid}/root`;
  const beganNs = entryAt(Buffer.from(`${run.folder}/mounts.1`))?.changedNs ?? 0n;
  const finished = { run, seenRoot, beganNs, ok: code === 0 };
  try {
    if (claimed === null) {
      tellUnknown(changesOf(finished).length);
      return code;
    }
    // Before the run's folder goes with its journal.
    keepScratch(workspace, run.layers.slice(1));
    const { text, refused } = await settleContained(workspace, store, claimed, finished);
    if (text !== null) writeAll(2, `${text}\n`);
    return refused && code === 0 ? 1 : code;
  } finally {
    reportFolder(seenRoot, parsed?.cwdReport ?? null);
    container.release();
  }
}

/**
 * Runs one line of an agent host's shell in a container: the program of the host's seam. Returns the exit code, which is
 * the command's own unless nothing of it was kept.
 */
export async function runExec(args: readonly string[], install: string): Promise<number> {
  const [line] = args;
  try {
    if (line === undefined || args.length !== 1)
      throw new PactError(
        'INVALID_INPUT',
        'one argument is wanted: the line to run',
        'An agent host starts this program.',
      );
    const seam = FOOTPRINTS.find(
      ({ seam }) => seam && process.env[seam.variable] === seamProgram(install),
    )?.seam;
    const workspace = workspaceOf(install);
    using store = Store.open(workspace.layout, { busyMs: workspace.busyMs });
    const settings = await loadSettings(workspace, store);
    const parsed = readPrefixLine(line);
    const session = seam ? process.env[seam.session] : undefined;
    const { execution } = settings.policy;
    if (execution === 'watched' || (parsed && session && isWatchedCommand(store, session, parsed.command)))
      return await runThrough(shellFor(line), ['-c', line]);
    sweepRuns(workspace.ground.root);
    await recoverCommits(workspace, store);
    const run = prepareRun(settingOf(workspace, settings.policy));
    try {
      const runner = { run: run.id, pid: process.pid, began: beganAt(process.pid) ?? '' };
      const claimed = parsed && session ? claimCommand(store, session, parsed.command, runner) : null;
      return await runContained({ workspace, store, run, line, parsed, claimed });
    } finally {
      removeClosed(run.folder);
    }
  } catch (error) {
    const remedy =
      error instanceof PactError ? error.remedy : 'A human can find out more with `pactclaw fsck`.';
    writeAll(2, `Fail-Safe Default: the command could not be contained: ${messageOf(error)}\n${remedy}\n`);
    return NOT_RUN;
  }
}
