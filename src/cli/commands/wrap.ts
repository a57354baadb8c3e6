import type { Command } from 'commander';
import { PactError } from '../../core/errors.ts';
import { layoutOf } from '../../core/layout.ts';
import { workspaceAt } from '../../hooks/workspace.ts';
import { HOST_NAMES } from '../../hosts/index.ts';
import { assertProgram, makeCodeCache } from '../../hosts/shared/install/program.ts';
import { markOf } from '../../platform/file-mark.ts';
import { isDirectory, realFolder } from '../../platform/files.ts';
import { example, usageError } from '../command.ts';
import { installFolder, workspaceRoot } from '../context.ts';
import { assertHuman } from '../humans-only.ts';
import { installerOf } from '../installers.ts';
import { type RunningDoor, startLlmDoor } from '../llm/start.ts';
import { paint, tell } from '../output.ts';
import { EXIT } from '../run.ts';
import { keepWiring } from '../wiring/keeper.ts';
import { hostOf, MODEL_VARIABLE } from '../wrap/clients.ts';
import { runChild } from '../wrap/run-child.ts';
import { beginRun, endRun } from '../wrap/runs.ts';
import { scopeFor } from '../wrap/temporary-install.ts';
import { startWatcher, watchRun } from '../wrap/watcher.ts';
import { machineFor } from './install.ts';

interface Options {
  readonly workspace?: string;
  readonly host?: string;
  readonly llm?: boolean;
  readonly quiet?: boolean;
  readonly requireGoverned?: boolean;
  readonly watchRun?: string;
}

/** Default addresses of the two providers' models. */
const PROVIDERS = {
  ANTHROPIC_BASE_URL: 'https://api.anthropic.com',
  OPENAI_BASE_URL: 'https://api.openai.com/v1',
} as const;
type ModelVariable = keyof typeof PROVIDERS;

function projectOf(option: string | undefined): string {
  const root = workspaceRoot(option);
  if (isDirectory(root) && isDirectory(layoutOf(root).sidecar)) return realFolder(root);
  throw new PactError(
    'NOT_FOUND',
    'this folder is no workspace, so that every call in it would be refused',
    'Run `pactclaw init` there first.',
    { file: root },
  );
}

/** A door in front of the model that a variable names, and the variable's new value. */
async function modelDoor(
  variable: ModelVariable,
  project: string,
  host: string,
): Promise<{ door: RunningDoor; env: Record<string, string> }> {
  const door = await startLlmDoor({
    upstream: process.env[variable] || PROVIDERS[variable],
    place: { host: '127.0.0.1', port: 0 },
    workspace: workspaceAt(project, installFolder()),
    host,
    allowProviderTools: [],
    contextTokens: null,
    passPaths: [],
    hideTools: false,
    requireTools: false,
    // The terminal is the agent's.
    tell: () => {},
  });
  const url = variable === 'OPENAI_BASE_URL' ? `${door.url}/v1` : door.url;
  return {
    door,
    env: { [variable]: url, ...(variable === 'OPENAI_BASE_URL' ? { OPENAI_API_BASE: url } : {}) },
  };
}

/** What stands between the agent and the world for this run. */
interface Wrapping {
  readonly env: Record<string, string>;
  /** Name of the noted run; null where nothing was registered for it. */
  readonly run: string | null;
  readonly doors: readonly RunningDoor[];
  readonly words: readonly string[];
}

async function wrapHost(host: string, project: string, withModel: boolean): Promise<Wrapping> {
  const installer = installerOf(host);
  assertProgram(installFolder());
  const words: string[] = [];
  const variable = MODEL_VARIABLE[host];
  if (withModel && variable === undefined)
    throw usageError(
      `${host} takes its model's address from no variable: point it at \`pactclaw llm proxy\` by hand`,
    );
  const model = withModel && variable ? await modelDoor(variable, project, host) : null;
  const { execPath: file, version, arch } = process;
  const slow = await makeCodeCache(installFolder(), { file, version, arch });
  if (slow !== null) words.push(`warning: ${slow}`);
  const warnings = (await installer.warnings?.(machineFor(project), scopeFor(host))) ?? [];
  const run = beginRun({ host, project }, process.pid);
  words.push(...warnings.map((warning) => `warning: ${warning}`));
  words.push(
    run === null
      ? `${host} is governed: PactClaw is registered there already, and stays so`
      : `${host} is governed by its own hooks until it ends`,
  );
  if (run !== null && scopeFor(host) === 'user')
    words.push('its settings hold for all projects: until it ends its other sessions are governed too');
  if (model) words.push(`its model is reached through ${model.door.url}`);
  return { env: model?.env ?? {}, run, doors: model ? [model.door] : [], words };
}

async function wrapUnknown(project: string): Promise<Wrapping> {
  const wrapped = [];
  for (const variable of Object.keys(PROVIDERS) as ModelVariable[])
    wrapped.push(await modelDoor(variable, project, 'llm'));
  const proxy = `${installFolder()}/bin/pactclaw mcp proxy --workspace ${project} --`;
  return {
    env: { ...Object.assign({}, ...wrapped.map(({ env }) => env)), PACTCLAW_MCP_PROXY: proxy },
    run: null,
    doors: wrapped.map(({ door }) => door),
    words: [
      'this agent is NOT KNOWN and has no hooks of ours: whether it is governed is up to it',
      'governed: what its model asks for, if it takes ANTHROPIC_BASE_URL or OPENAI_BASE_URL from the environment',
      'governed: tools of an MCP server that it starts as $PACTCLAW_MCP_PROXY SERVER …',
      'not governed: what it does of its own accord, other models, other servers',
      'when it has ended, a last line says whether anything passed PactClaw at all',
    ],
  };
}

function begin(command: readonly string[], project: string, options: Options): Promise<Wrapping> {
  const host = options.host ?? hostOf(command);
  if (host === null) return wrapUnknown(project);
  if (!HOST_NAMES.includes(host)) throw usageError(`--host ${host} is no host that is known`);
  return wrapHost(host, project, options.llm === true);
}

async function wrap(command: readonly string[], options: Options): Promise<void> {
  if (options.watchRun !== undefined) return watchRun(options.watchRun);
  assertHuman('`pactclaw wrap`');
  if (command.length === 0) throw usageError('no command: pactclaw wrap -- COMMAND …');
  const project = projectOf(options.workspace);
  const { env, run, doors, words } = await begin(command, project, options);
  if (!options.quiet) for (const word of words) tell(`${paint.dim('pactclaw:')} ${word}`);
  const watcher = run === null ? null : startWatcher(run);
  const passedBefore = receiptBytes(project);
  const keeper = await keepWiring(workspaceAt(project, installFolder()));
  try {
    process.exitCode = await runChild(command, {
      cwd: project,
      env: { ...process.env, ...env },
      started: (pid) => watcher?.watch(pid),
    });
  } finally {
    await keeper.close();
    if (run !== null) endRun(run);
    watcher?.dismiss();
    await Promise.allSettled(doors.map((door) => door.close()));
  }
  if (receiptBytes(project) > passedBefore) return;
  tell(
    paint.yellow('pactclaw: NOTHING of this run passed PactClaw: no tool call was judged, none is recorded'),
  );
  if (options.requireGoverned) process.exitCode = EXIT.failed;
}

/** How much has been recorded in a workspace: every event that passes PactClaw leaves a receipt. */
function receiptBytes(project: string): number {
  return markOf(layoutOf(project).receipts)?.size ?? 0;
}

/** `pactclaw wrap`: an agent governed for one run. */
export function register(program: Command): void {
  const command = program
    .command('wrap')
    .description('start an agent governed, without changing its settings for good')
    .argument('[command...]', 'the agent, after `--`')
    .option('--workspace <dir>', 'workspace folder (default: the nearest one with .orchestration)')
    .option('--host <name>', `which agent it is, where its name does not tell: ${HOST_NAMES.join(', ')}`)
    .option('--llm', "stand in front of its model too, where its model's address can be given by a variable")
    .option('--quiet', 'say nothing of what is governed and what is not at the start')
    .option('--require-governed', 'end with 1 if nothing of the run has passed PactClaw')
    .addHelpText(
      'after',
      `
Hooks and the handshake's server are registered for the run and taken out again when it ends, however it ends; where
they are registered already nothing changes. An agent that PactClaw does not know gets a door in front of its model.
The agent starts in the workspace folder, and the exit code is the agent's. Where nothing of the run has passed
PactClaw the last line says so.`,
    );
  command.addOption(command.createOption('--watch-run <name>', 'tidy up after a run').hideHelp());
  command.action(async (words: string[], options: Options) => wrap(words, options));
  example(
    command,
    'pactclaw wrap -- claude -p "Tidy the button"',
    'pactclaw wrap --host codex -- npx @openai/codex',
  );
}
