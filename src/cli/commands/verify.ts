import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Argument, type Command } from 'commander';
import { findWorkspace } from '../../hooks/workspace.ts';
import { HOST_NAMES, loadVerifier } from '../../hosts/index.ts';
import { findClient } from '../../hosts/shared/install/client.ts';
import type { Check } from '../../hosts/shared/verify/check.ts';
import type { Hole } from '../../hosts/shared/verify/verifier.ts';
import { type Verification, verifyInstallation } from '../../hosts/shared/verify/verify.ts';
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

const GRADE = {
  'host-verified': paint.green,
  'adapter-verified': paint.green,
  'not-tried': paint.dim,
  failed: paint.red,
} as const;

function print({ grades, checks }: Verification, holes: readonly Hole[], all: boolean): void {
  say(
    columns(
      grades.map(({ grade, summary, passed, tried }) => [
        GRADE[grade](grade),
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
      holes.map(({ what, why }) => [what, why]),
      '  ',
    ),
  );
}

async function verify(host: string, options: Options): Promise<void> {
  const verifier = await loadVerifier(host);
  const start =
    options.workspace ?? process.env.PACTCLAW_WORKSPACE ?? findWorkspace(process.cwd()) ?? process.cwd();
  const project = realFolder(path.resolve(start));
  const scratch = realFolder(fs.mkdtempSync(path.join(os.tmpdir(), 'pactclaw-verify-')));
  try {
    const asked = options.client === undefined ? undefined : path.resolve(options.client);
    const client = await findClient(verifier.clients, asked);
    const result = await verifyInstallation({
      verifier,
      machine: machineFor(project),
      client,
      asked,
      cwd: realFolder(process.cwd()),
      scratch,
    });
    const { holes } = verifier;
    if (options.json) sayJson({ host, workspace: project, client, ...result, notEnforceable: holes });
    else print(result, holes, options.all ?? false);
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
    .addArgument(new Argument('<host>', 'the agent host').choices(HOST_NAMES))
    .option('--client <path>', "the client whose version counts (default: the host's own on PATH)")
    .option('--all', 'list the checks that passed too');
  reporting(command)
    .addHelpText(
      'after',
      `
Everything happens in a folder of its own that is removed afterwards; your workspace records nothing.
host-verified     the same, and end-to-end runs of this very client version, on record, obeyed such answers
adapter-verified  what is registered gave the right answer to every call tried
not-tried         this host has nothing of the kind, or it could not be tried here
failed            a wrong answer, or none: see the checks below the table
Exit code 0 when nothing failed, else 1.`,
    )
    .action(async (host: string, options: Options) => verify(host, options));
  example(command, 'pactclaw verify claude-code --all');
}
