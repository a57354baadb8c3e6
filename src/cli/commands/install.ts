import { Argument, type Command, Option } from 'commander';
import { compilePolicy, readPolicySources } from '../../config/load-policy.ts';
import { PactError } from '../../core/errors.ts';
import { layoutOf } from '../../core/layout.ts';
import { HOST_NAMES } from '../../hosts/index.ts';
import { applyPlans } from '../../hosts/shared/install/apply.ts';
import { partsFor } from '../../hosts/shared/install/exclude-part.ts';
import {
  type HostInstaller,
  isEverywhere,
  type Machine,
  SCOPES,
  type Scope,
} from '../../hosts/shared/install/installer.ts';
import { type FilePlan, planInstall } from '../../hosts/shared/install/plan.ts';
import { assertProgram, makeCodeCache } from '../../hosts/shared/install/program.ts';
import { readNotes } from '../../hosts/shared/install/record.ts';
import { isDirectory, realFolder } from '../../platform/files.ts';
import { homeFolder, userFolder } from '../../platform/home.ts';
import { example, reporting } from '../command.ts';
import { installFolder, workspaceRoot } from '../context.ts';
import { assertHuman } from '../humans-only.ts';
import { installerOf } from '../installers.ts';
import { columns, say, sayJson, tell } from '../output.ts';
import { trackedFiles } from '../workspace-files.ts';

interface Options {
  readonly user?: boolean;
  readonly managed?: boolean;
  readonly local?: boolean;
  readonly shared?: boolean;
  readonly print?: boolean;
  readonly json?: boolean;
  readonly workspace?: string;
}

/** This machine and person, as an installer must know them. */
export function machineFor(project: string | null): Machine {
  return { project, home: homeFolder(), platform: process.platform, env: (name) => process.env[name] };
}

/** The argument that names a host. */
export function hostArgument(): Argument {
  return new Argument('<host>', 'the agent host').choices(HOST_NAMES);
}

function projectOf(option: string | undefined): string {
  const root = workspaceRoot(option);
  if (!isDirectory(root))
    throw new PactError('NOT_FOUND', 'the workspace folder is missing', 'Name one that exists.', {
      file: root,
    });
  if (isDirectory(layoutOf(root).sidecar)) return realFolder(root);
  throw new PactError(
    'NOT_FOUND',
    'this folder is no workspace, so that every call in it would be refused',
    'Run `pactclaw init` there first.',
    { file: root },
  );
}

function printPlans(plans: readonly FilePlan[]): void {
  for (const { file, action, entries } of plans) {
    say(`${file} (${action === 'none' ? 'is up to date' : `would ${action}`})`);
    for (const { path, value } of entries)
      if (path.length === 0 && typeof value === 'string') say(value.trimEnd().replace(/^/gm, '  '));
      else say(`  ${path.filter((step) => step !== '-').join('.')}: ${JSON.stringify(value)}`);
  }
}

/** Words for what happened to a file. */
export const DONE = { create: 'created', change: 'changed', remove: 'removed', none: 'unchanged' } as const;

/** The scope that the options ask for; the host's first one when they ask for none. */
function scopeOf(installer: HostInstaller, options: Options): Scope {
  if (options.shared && !installer.scopes.includes('local'))
    throw new PactError(
      'INVALID_INPUT',
      `the files of ${installer.host} name paths of this machine and cannot be shared`,
      'Let each person run `pactclaw install` in a clone of their own.',
    );
  const asked = SCOPES.find((scope) => options[scope === 'project' ? 'shared' : scope]) ?? null;
  const scope = asked ?? installer.scopes[0] ?? 'project';
  if (installer.scopes.includes(scope)) return scope;
  throw new PactError(
    'INVALID_INPUT',
    `${installer.host} has no settings for --${scope}`,
    `It can be installed for: ${installer.scopes.join(', ')}.`,
  );
}

/** Files of the wiring that git tracks: the list of what it leaves alone does not hold for them. */
function trackedWarnings(project: string, plans: readonly FilePlan[]): string[] {
  const inside = plans.map(({ file }) => file).filter((file) => file.startsWith(`${project}/`));
  return trackedFiles(project, inside).map(
    (file) =>
      `git tracks ${file}: a commit takes this machine's paths along, and a checkout can take PactClaw out; stop tracking it, or install with --user`,
  );
}

/** Refuses the settings of all users to anybody but root, who alone can write them. */
export function assertAdministrator(scope: Scope, uid = process.getuid?.()): void {
  if (scope !== 'managed' || uid === undefined || uid === 0) return;
  throw new PactError(
    'PERMISSION_DENIED',
    'managed settings hold for everybody on this machine, and only root can write them',
    'Run the same command with sudo, or choose another scope.',
  );
}

/** Whether commands of a workspace are to run in containers. */
async function wantsContainers(project: string): Promise<boolean> {
  const { execution } = await compilePolicy(readPolicySources(layoutOf(project)));
  return execution !== 'watched';
}

async function install(host: string, options: Options): Promise<void> {
  if (!options.print) assertHuman('`pactclaw install`');
  const installer = installerOf(host);
  const scope = scopeOf(installer, options);
  if (!options.print) assertAdministrator(scope);
  // Everybody's client reads these, whatever root's own umask says.
  if (scope === 'managed') process.umask(0o022);
  const project = isEverywhere(scope) ? null : projectOf(options.workspace);
  const machine = machineFor(project);
  const contained = project !== null && (await wantsContainers(project));
  const wiring = { node: process.execPath, install: installFolder(), workspace: project, contained };
  assertProgram(wiring.install);
  installer.assertInstallable?.(machine, scope);
  const plans = planInstall(partsFor(installer, machine, scope, wiring), readNotes(userFolder()));
  const warnings = (await installer.warnings?.(machine, scope)) ?? [];
  if (project !== null && !options.shared) warnings.push(...trackedWarnings(project, plans));
  if (/\/_npx\//.test(wiring.install))
    warnings.push(
      'PactClaw runs from the cache of npx, which npm may empty: install it, then run this again',
    );
  if (!options.print) {
    applyPlans(plans, userFolder());
    const slow = await makeCodeCache(wiring.install, {
      file: process.execPath,
      version: process.version,
      arch: process.arch,
    });
    if (slow !== null) warnings.push(slow);
  }
  const notes = installer.notes(scope);
  for (const warning of warnings) tell(`warning: ${warning}`);
  if (options.json) {
    const files = plans.map(({ file, action, entries }) => ({ file, action, entries }));
    sayJson({
      host,
      scope,
      workspace: project,
      written: !options.print,
      files,
      warnings,
      notes,
    });
    return;
  }
  if (options.print) printPlans(plans);
  else say(columns(plans.map(({ file, action }) => [DONE[action], file])));
  for (const note of notes) say(note);
  if (!options.print) say(`Prove it: pactclaw verify ${host}`);
}

/** `pactclaw install`: registers the hooks and the handshake server with an agent host. */
export function register(program: Command): void {
  const command = program
    .command('install')
    .description('register PactClaw with an agent host, so that every tool call passes it')
    .addArgument(hostArgument())
    .addOption(
      new Option('--user', "all projects of this user: the host's files in your home folder").conflicts([
        'local',
        'shared',
      ]),
    )
    .addOption(
      new Option(
        '--managed',
        "all users of this machine: the administrator's settings, where the host has such",
      ).conflicts(['user', 'local', 'shared']),
    )
    .addOption(
      new Option('--local', 'this project, for you alone, where the host has such a place').conflicts(
        'shared',
      ),
    )
    .option('--shared', "this project, in files that git tracks, where the host's can be shared")
    .option('--print', 'show what would be written, and write nothing');
  reporting(command).action(async (host: string, options: Options) => install(host, options));
  example(command, 'pactclaw install claude-code', 'pactclaw install claude-code --local --print');
}
