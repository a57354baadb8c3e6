import path from 'node:path';
import type { Command } from 'commander';
import { messageOf, PactError } from '../../core/errors.ts';
import { type Workspace, workspaceAt } from '../../hooks/workspace.ts';
import { Store } from '../../ledger/store.ts';
import { initWorkspace } from '../../orchestration/init.ts';
import { nowIso } from '../../platform/clock.ts';
import { makeDirectory } from '../../platform/files.ts';
import { userFolder } from '../../platform/home.ts';
import { Snapshots } from '../../security/snapshot.ts';
import { type CommonOptions, example, reporting } from '../command.ts';
import { installFolder } from '../context.ts';
import { logEvent } from '../operator-log.ts';
import { paint, say, sayJson, tell } from '../output.ts';
import { EXIT, toReport } from '../run.ts';
import { withSlowNotice } from '../slow-notice.ts';
import { workspaceFiles } from '../workspace-files.ts';

/** Something that is still wrong after init. */
interface Trouble {
  readonly message: string;
  readonly remedy: string;
}

function troubleOf(error: unknown, remedy?: string): Trouble {
  const { message, file, line, remedy: own } = toReport(error);
  const place = file === null ? '' : ` (${file}${line === null ? '' : `:${line}`})`;
  return { message: `${message}${place}`, remedy: remedy ?? own ?? '' };
}

/** Opens the store once, so that state.db and this clone's writer id exist and both logs are verified. */
function openStore(workspace: Workspace): Trouble | null {
  try {
    using store = Store.open(workspace.layout, { busyMs: workspace.busyMs });
    store.transact(() => undefined);
    return null;
  } catch (error) {
    if (!(error instanceof PactError)) throw error;
    if (error.code === 'UNAVAILABLE') return troubleOf(error);
    return troubleOf(error, 'Restore the file from git, or set it aside with `pactclaw fsck --repair`.');
  }
}

/** Takes the first snapshot now, so that no agent's first command waits for it. */
function takeSnapshot(workspace: Workspace): Trouble | null {
  try {
    withSlowNotice('recording the work tree', () => new Snapshots(workspace.layout, 600_000).take());
    return null;
  } catch (error) {
    return {
      message: `the first snapshot was not taken: ${messageOf(error)}`,
      remedy: troubleOf(error).remedy,
    };
  }
}

function rootFor(option: string | undefined): string {
  const root = path.resolve(option ?? process.env.PACTCLAW_WORKSPACE ?? process.cwd());
  if (option !== undefined) makeDirectory(root);
  return root;
}

function init(options: CommonOptions): void {
  const workspace = workspaceAt(rootFor(options.workspace), installFolder());
  const { root } = workspace.layout;
  const files = workspaceFiles(root);
  const report = initWorkspace(workspace.layout, { userFolder: userFolder(), files, now: nowIso() });
  const troubles = [openStore(workspace), takeSnapshot(workspace)].filter((one) => one !== null);
  logEvent('info', 'workspace_path', { path: root });
  if (troubles.length > 0) process.exitCode = EXIT.failed;
  if (options.json) {
    sayJson({ workspace: root, ...report, troubles });
    return;
  }
  say(`${paint.bold('PactClaw workspace')} ${root}`);
  for (const name of report.created) say(`  ${paint.green('made')}      ${name}`);
  for (const name of report.repaired) say(`  ${paint.yellow('repaired')}  ${name}`);
  if (report.kept.length > 0) say(`  kept      ${report.kept.join(', ')}`);
  for (const note of report.notes) say(`  note      ${note}`);
  for (const { message, remedy } of troubles)
    tell(`${paint.red('failed')}    ${message}\n          ${remedy}`);
  if (troubles.length > 0) return;
  say('\nNext:');
  say('  1. pactclaw install claude-code              wires the agent host to this workspace');
  say('  2. edit .orchestration/active_intents.yaml   says what may be done, where, under which rules');
  say(
    '  3. start the agent                           its first act is the handshake; `pactclaw status` shows it',
  );
}

/** `pactclaw init` (R-9, H-103). */
export function register(program: Command): void {
  const command = reporting(program.command('init'))
    .description(
      'put the current repository under governance: make what .orchestration lacks, overwrite nothing',
    )
    .action(init);
  example(command, 'cd my-project && pactclaw init');
}
