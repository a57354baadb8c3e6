import path from 'node:path';
import { type Command, CommanderError } from 'commander';
import { messageOf, PactError } from '../core/errors.ts';
import { writeAll } from '../platform/stdio.ts';
import { logEvent, openLog } from './operator-log.ts';

/** Exit codes: done, failed, wrong use (R-29), refused by a rule, a fault of ours (sysexits EX_SOFTWARE). */
export const EXIT = { ok: 0, failed: 1, usage: 2, refused: 3, fault: 70 } as const;

/** An error as a user reads it. */
interface Report {
  readonly exit: number;
  readonly code: string;
  readonly message: string;
  readonly remedy: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

function shownPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative === '' || relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}

/** Puts any error into words that a user can act on; nothing of ours throws past this. */
export function toReport(error: unknown): Report {
  const none = { file: null, line: null };
  if (error instanceof PactError) {
    const { file, line } = error.place;
    return {
      exit: EXIT.failed,
      code: error.code,
      message: error.message,
      remedy: error.remedy,
      file: file === undefined ? null : shownPath(file),
      line: line ?? null,
    };
  }
  if (error instanceof CommanderError) {
    const needsMore = error.code === 'commander.help';
    const message = needsMore ? 'a sub-command is missing' : error.message.replace(/^error: /, '');
    return { exit: EXIT.usage, code: 'INVALID_INPUT', message, remedy: null, ...none };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^E[A-Z]+$/.test(code)) {
    const remedy = 'Check that the path is there and may be read and written, and that the disk is not full.';
    return { exit: EXIT.failed, code: 'UNAVAILABLE', message: firstLine(error), remedy, ...none };
  }
  const remedy = 'Set PACTCLAW_LOG=debug for details.';
  return {
    exit: EXIT.fault,
    code: 'INTERNAL',
    message: `unexpected failure: ${firstLine(error)}`,
    remedy,
    ...none,
  };
}

/** Tells of an error on standard error, and with `--json` on standard output too. Returns the exit code. */
export function reportError(error: unknown, json: boolean): number {
  const { exit, code, message, remedy, file, line } = toReport(error);
  const place = file === null ? '' : ` (${file}${line === null ? '' : `:${line}`})`;
  // Commander has printed its own errors already, with the usage of the command.
  const told = error instanceof CommanderError && error.code.startsWith('commander.');
  if (!told) writeAll(2, `pactclaw: ${message}${place}\n${remedy === null ? '' : `${remedy}\n`}`);
  if (json) writeAll(1, `${JSON.stringify({ error: { code, message, remedy, file, line } }, null, 2)}\n`);
  const stack = error instanceof Error ? (error.stack ?? null) : null;
  logEvent('debug', 'command_failed', { code, message, stack });
  return exit;
}

/** Exits quietly if the reader has closed the pipe. Prints any other uncaught error in one line. */
function guardProcess(json: boolean): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) =>
      process.exit(error.code === 'EPIPE' ? 0 : EXIT.fault),
    );
  const fail = (error: unknown) => process.exit(reportError(error, json));
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
}

/** Runs the command line and returns the exit code. No stack trace ever reaches a user. */
export async function runProgram(program: Command, args: readonly string[]): Promise<number> {
  const end = args.indexOf('--');
  const json = (end < 0 ? args : args.slice(0, end)).includes('--json');
  guardProcess(json);
  await openLog();
  logEvent('info', 'startup', { args: args.slice(0, 2).filter((arg) => !arg.startsWith('-')) });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    return reportError(error, json);
  }
  return Number(process.exitCode ?? EXIT.ok);
}
