import fs from 'node:fs';
import { Argument, type Command } from 'commander';
import { PactError } from '../../core/errors.ts';
import { applyPlans } from '../../hosts/claude-code/install/apply.ts';
import { SCOPES, type Scope } from '../../hosts/claude-code/install/places.ts';
import { planUninstall } from '../../hosts/claude-code/install/plan.ts';
import { readNotes } from '../../hosts/claude-code/install/record.ts';
import { isDirectory, listNames, realFolder } from '../../platform/files.ts';
import { userFolder } from '../../platform/home.ts';
import { example, reporting } from '../command.ts';
import { workspaceRoot } from '../context.ts';
import { assertHuman } from '../humans-only.ts';
import { columns, say, sayJson } from '../output.ts';
import { claudePlaces, DONE } from './install.ts';

interface Options {
  readonly user?: boolean;
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

function uninstall(options: Options): void {
  assertHuman('`pactclaw uninstall`');
  const asked = SCOPES.filter((scope: Scope) => options[scope]);
  const scopes = asked.length === 0 ? SCOPES : asked;
  const places = claudePlaces(projectOf(options.workspace));
  const plans = planUninstall(places, scopes, readNotes(userFolder()));
  for (const folder of applyPlans(plans, userFolder()))
    if (isDirectory(folder) && listNames(folder).length === 0) fs.rmdirSync(folder);
  const touched = plans.filter(({ action }) => action !== 'none');
  if (options.json) {
    sayJson({ host: 'claude-code', scopes, files: touched.map(({ file, action }) => ({ file, action })) });
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
    .addArgument(new Argument('<host>', 'the agent host').choices(['claude-code']))
    .option('--project', 'only .claude/settings.json and .mcp.json of the project')
    .option('--local', 'only what --local installed')
    .option('--user', 'only what --user installed');
  reporting(command)
    .addHelpText('after', '\nWithout --project, --local and --user all three are cleaned.')
    .action((_host: string, options: Options) => uninstall(options));
  example(command, 'pactclaw uninstall claude-code');
}
