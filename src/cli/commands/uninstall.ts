import type { Command } from 'commander';
import { PactError } from '../../core/errors.ts';
import { applyPlans } from '../../hosts/shared/install/apply.ts';
import { partsFor } from '../../hosts/shared/install/exclude-part.ts';
import { SCOPES, type Scope } from '../../hosts/shared/install/installer.ts';
import { planUninstall } from '../../hosts/shared/install/plan.ts';
import { readNotes } from '../../hosts/shared/install/record.ts';
import { isDirectory, realFolder, removeIfEmpty } from '../../platform/files.ts';
import { userFolder } from '../../platform/home.ts';
import { example, reporting } from '../command.ts';
import { installFolder, workspaceRoot } from '../context.ts';
import { assertHuman } from '../humans-only.ts';
import { installerOf } from '../installers.ts';
import { columns, say, sayJson, tell } from '../output.ts';
import { assertAdministrator, DONE, hostArgument, machineFor } from './install.ts';

interface Options {
  readonly user?: boolean;
  readonly managed?: boolean;
  readonly local?: boolean;
  readonly project?: boolean;
  readonly json?: boolean;
  readonly workspace?: string;
}

/** The project meant; one whose .orchestration is gone must still be freed of its hooks. */
function projectOf(option: string | undefined): string {
  let root: string;
  try {
    root = workspaceRoot(option);
  } catch (error) {
    if (!(error instanceof PactError && error.code === 'NOT_FOUND')) throw error;
    root = process.cwd();
  }
  return isDirectory(root) ? realFolder(root) : root;
}

/** Scopes that an uninstallation means: those asked for, else all that this user can write. */
function scopesOf(options: Options): readonly Scope[] {
  const asked = SCOPES.filter((scope) => options[scope]);
  for (const scope of asked) assertAdministrator(scope);
  return asked.length > 0 ? asked : SCOPES.filter((scope) => scope !== 'managed' || process.getuid?.() === 0);
}

function uninstall(host: string, options: Options): void {
  assertHuman('`pactclaw uninstall`');
  const installer = installerOf(host);
  const scopes = scopesOf(options).filter((scope) => installer.scopes.includes(scope));
  const workspace = projectOf(options.workspace);
  const machine = machineFor(workspace);
  const wiring = { node: process.execPath, install: installFolder(), workspace };
  const parts = scopes.flatMap((scope) => partsFor(installer, machine, scope, wiring));
  const plans = planUninstall(parts, readNotes(userFolder()));
  applyPlans(plans, userFolder()).forEach(removeIfEmpty);
  const [managed] = installer.scopes.includes('managed') ? installer.parts(machine, 'managed', wiring) : [];
  if (managed && planUninstall([managed], {})[0]?.action !== 'none')
    tell(`warning: ${managed.file} still has hooks; root can run: pactclaw uninstall ${host} --managed`);
  const touched = plans.filter(({ action }) => action !== 'none');
  if (options.json) {
    sayJson({ host, scopes, files: touched.map(({ file, action }) => ({ file, action })) });
    return;
  }
  if (touched.length === 0) say('Nothing of PactClaw was registered there.');
  else say(columns(touched.map(({ file, action }) => [DONE[action], file])));
}

/** `pactclaw uninstall`: takes PactClaw's entries out of an agent host's settings, and nothing else. */
export function register(program: Command): void {
  const command = program
    .command('uninstall')
    .description('take PactClaw out of an agent host: its agents are no longer governed')
    .addArgument(hostArgument())
    .option('--project', "only the project's own files")
    .option('--local', 'only what --local installed')
    .option('--user', 'only what --user installed')
    .option('--managed', 'only what --managed installed');
  reporting(command)
    .addHelpText('after', '\nWithout any of these all are cleaned; the managed settings by root alone.')
    .action((host: string, options: Options) => uninstall(host, options));
  example(command, 'pactclaw uninstall claude-code');
}
