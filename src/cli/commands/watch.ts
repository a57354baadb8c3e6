import path from 'node:path';
import type { Command } from 'commander';
import { PactError } from '../../core/errors.ts';
import { findWorkspace } from '../../hooks/workspace.ts';
import { realFolder } from '../../platform/files.ts';
import { type CommonOptions, example, reporting, usageError } from '../command.ts';
import { workspaceRoot } from '../context.ts';
import { watch } from '../watch/run.ts';

interface Options extends CommonOptions {
  readonly once?: boolean;
  readonly bell?: boolean;
  readonly notify?: boolean;
  readonly onTrip?: string;
}

const MAX_WORKSPACES = 32;

/** The workspace that a folder lies in. */
function rootAt(folder: string): string {
  const found = findWorkspace(path.resolve(folder));
  if (found !== null) return realFolder(found);
  throw new PactError(
    'NOT_FOUND',
    `no workspace at ${folder}: neither it nor a folder above it has .orchestration`,
    'Run `pactclaw init` in the project.',
  );
}

async function run(folders: readonly string[], options: Options): Promise<void> {
  const named = options.workspace === undefined ? folders : [...folders, options.workspace];
  const roots = [...new Set((named.length === 0 ? [workspaceRoot(undefined)] : named).map(rootAt))];
  if (roots.length > MAX_WORKSPACES) throw usageError(`more than ${MAX_WORKSPACES} workspaces at once`);
  if (options.once && options.onTrip !== undefined)
    throw usageError('--on-trip has nothing to wait for with --once');
  await watch({
    roots,
    once: options.once === true,
    json: options.json === true,
    bell: options.bell === true,
    notify: options.notify === true,
    onTrip: options.onTrip ?? null,
  });
}

/** `pactclaw watch`: sessions, intents, budgets and refusals as they change. */
export function register(program: Command): void {
  const command = reporting(program.command('watch'))
    .argument('[dirs...]', 'workspaces to watch (default: the nearest one)')
    .description('watch sessions, intents, budgets and refusals as they change; be told when something trips')
    .option('--once', 'print the view once and end')
    .option('--bell', 'ring the terminal when something trips')
    .option('--notify', 'ask the terminal for a desktop notification when something trips (OSC 9 or 777)')
    .option(
      '--on-trip <command>',
      'run this shell command for each trip, with its facts as JSON on standard input',
    )
    .addHelpText(
      'after',
      `
On a terminal it is a screen (q ends it); elsewhere the view once, then a line for each change. With --json each line
is JSON. A trip is the circuit breaker, a spent budget, a change that was undone, the emergency stop, or fail-safe.
It only reads: no agent ever waits for it.`,
    )
    .action(run);
  example(
    command,
    'pactclaw watch',
    'pactclaw watch ~/one ~/two --bell',
    `pactclaw watch --json --on-trip 'cat >> trips.jsonl'`,
  );
}
