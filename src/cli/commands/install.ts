import { Argument, type Command, Option } from 'commander';
import { PactError } from '../../core/errors.ts';
import { layoutOf } from '../../core/layout.ts';
import { applyPlans } from '../../hosts/claude-code/install/apply.ts';
import { findClient } from '../../hosts/claude-code/install/client.ts';
import {
  assertInstallable,
  isAtLeast,
  settingsWarnings,
  VERSION_FLOOR,
} from '../../hosts/claude-code/install/guards.ts';
import { type Places, placesOf, readSettings, type Scope } from '../../hosts/claude-code/install/places.ts';
import { type FilePlan, planInstall } from '../../hosts/claude-code/install/plan.ts';
import { assertProgram, makeCodeCache } from '../../hosts/claude-code/install/program.ts';
import { readNotes } from '../../hosts/claude-code/install/record.ts';
import { isDirectory, realFolder } from '../../platform/files.ts';
import { homeFolder, userFolder } from '../../platform/home.ts';
import { example, reporting } from '../command.ts';
import { installFolder, workspaceRoot } from '../context.ts';
import { assertHuman } from '../humans-only.ts';
import { columns, say, sayJson, tell } from '../output.ts';

interface Options {
  readonly user?: boolean;
  readonly local?: boolean;
  readonly print?: boolean;
  readonly json?: boolean;
  readonly workspace?: string;
}

/** Where this person's host keeps its settings. */
export function claudePlaces(project: string | null): Places {
  return placesOf(project, homeFolder(), process.env.CLAUDE_CONFIG_DIR, process.platform);
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

async function clientWarnings(): Promise<string[]> {
  const client = await findClient(undefined);
  if (client === null) return ['no `claude` is on PATH; its version was not checked'];
  if (client.version !== null && isAtLeast(client.version, VERSION_FLOOR)) return [];
  return [
    `DANGER: ${client.file} is version ${client.version ?? 'unknown'}. Before ${VERSION_FLOOR} the host runs a call whose hook failed. Update it.`,
  ];
}

function scopeNotes(scope: Scope): string[] {
  if (scope === 'user')
    return [
      'Every project of yours is governed now. In one without .orchestration every tool call is refused.',
    ];
  const start =
    'Start the client in the workspace folder itself: from a subfolder it loads no project hooks.';
  if (scope === 'local') return [start];
  return [
    start,
    'The files name paths of this machine; where others share the repository, use --local instead.',
  ];
}

function printPlans(plans: readonly FilePlan[]): void {
  for (const { file, action, entries } of plans) {
    say(`${file} (${action === 'none' ? 'is up to date' : `would ${action}`})`);
    for (const { path, value } of entries)
      say(`  ${path.filter((step) => step !== '-').join('.')}: ${JSON.stringify(value)}`);
  }
}

/** Words for what happened to a file. */
export const DONE = { create: 'created', change: 'changed', remove: 'removed', none: 'unchanged' } as const;

async function install(options: Options): Promise<void> {
  if (!options.print) assertHuman('`pactclaw install`');
  const scope: Scope = options.user ? 'user' : options.local ? 'local' : 'project';
  const project = scope === 'user' ? null : projectOf(options.workspace);
  const places = claudePlaces(project);
  const settings = readSettings(places);
  const wiring = { node: process.execPath, install: installFolder(), workspace: project };
  assertProgram(wiring.install);
  assertInstallable(settings, scope);
  const plans = planInstall(places, scope, wiring, readNotes(userFolder()));
  const warnings = [...settingsWarnings(settings), ...(await clientWarnings())];
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
  const notes = scopeNotes(scope);
  for (const warning of warnings) tell(`warning: ${warning}`);
  if (options.json) {
    const files = plans.map(({ file, action, entries }) => ({ file, action, entries }));
    sayJson({
      host: 'claude-code',
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
  if (!options.print) say('Prove it: pactclaw verify claude-code');
}

/** `pactclaw install`: registers the hooks and the handshake server with an agent host. */
export function register(program: Command): void {
  const command = program
    .command('install')
    .description('register PactClaw with an agent host, so that every tool call passes it')
    .addArgument(new Argument('<host>', 'the agent host').choices(['claude-code']))
    .addOption(
      new Option('--user', 'all projects of this user (~/.claude/settings.json, ~/.claude.json)').conflicts(
        'local',
      ),
    )
    .option('--local', 'this project, for you alone (.claude/settings.local.json, ~/.claude.json)')
    .option('--print', 'show what would be written, and write nothing');
  reporting(command).action(async (_host: string, options: Options) => install(options));
  example(command, 'pactclaw install claude-code', 'pactclaw install claude-code --local --print');
}
