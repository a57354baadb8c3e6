import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Argument, type Command } from 'commander';
import { findWorkspace } from '../../hooks/workspace.ts';
import { findClient } from '../../hosts/claude-code/install/client.ts';
import { claudePlaces } from '../../hosts/claude-code/install/installer.ts';
import type { Check } from '../../hosts/claude-code/install/verify/check.ts';
import { HOLES } from '../../hosts/claude-code/install/verify/holes.ts';
import { type Verification, verifyInstallation } from '../../hosts/claude-code/install/verify/verify.ts';
import { realFolder } from '../../platform/files.ts';
import { example, reporting } from '../command.ts';
import { columns, paint, say, sayJson } from '../output.ts';
import { machineFor } from './install.ts';

interface Options {
  readonly client?: string;
  readonly all?: boolean;
  readonly json?: boolean;
  readonly workspace?: string;
}

const MARK: Readonly<Record<Check['status'], string>> = {
  passed: paint.green('passed'),
  failed: paint.red('FAILED'),
  warning: paint.yellow('warning'),
  skipped: paint.dim('skipped'),
};

function print({ grades, checks }: Verification, all: boolean): void {
  say(
    columns(
      grades.map(({ grade, summary, passed, tried }) => [
        grade === 'failed' ? paint.red(grade) : paint.green(grade),
        summary,
        `${passed} of ${tried}`,
      ]),
    ),
  );
  const shown = checks.filter(({ status }) => all || status !== 'passed');
  if (shown.length > 0)
    say(`\n${columns(shown.map(({ status, title, seen }) => [MARK[status], title, seen]))}`);
  say('\nnot enforceable with this host:');
  say(
    columns(
      HOLES.map(({ what, why }) => [what, why]),
      '  ',
    ),
  );
}

async function verify(options: Options): Promise<void> {
  const start =
    options.workspace ?? process.env.PACTCLAW_WORKSPACE ?? findWorkspace(process.cwd()) ?? process.cwd();
  const project = realFolder(path.resolve(start));
  const scratch = realFolder(fs.mkdtempSync(path.join(os.tmpdir(), 'pactclaw-verify-')));
  try {
    const asked = options.client === undefined ? undefined : path.resolve(options.client);
    const client = await findClient(asked);
    const places = claudePlaces(machineFor(project));
    const result = await verifyInstallation({
      places,
      client,
      asked,
      cwd: realFolder(process.cwd()),
      scratch,
    });
    if (options.json)
      sayJson({ host: 'claude-code', workspace: project, client, ...result, notEnforceable: HOLES });
    else print(result, options.all ?? false);
    if (!result.ok) process.exitCode = 1;
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** `pactclaw verify`: proves an installation by using it. */
export function register(program: Command): void {
  const command = program
    .command('verify')
    .description('fire known-good and known-bad calls through what is installed, and say what is proven')
    .addArgument(new Argument('<host>', 'the agent host').choices(['claude-code']))
    .option('--client <path>', 'the client whose version counts (default: `claude` on PATH)')
    .option('--all', 'list the checks that passed too');
  reporting(command)
    .addHelpText(
      'after',
      `
Everything happens in a folder of its own that is removed afterwards; your workspace records nothing.
adapter-verified  what is registered gave the right answer to every call tried
failed            it did not: see the checks below the table
Exit code 0 when nothing failed, else 1.`,
    )
    .action(async (_host: string, options: Options) => verify(options));
  example(command, 'pactclaw verify claude-code --all');
}
