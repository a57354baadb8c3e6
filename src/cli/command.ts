import { type Command, CommanderError, InvalidArgumentError } from 'commander';

/** Options that every command takes which looks at a workspace. */
export interface CommonOptions {
  readonly workspace?: string;
  readonly json?: boolean;
}

/** Adds `--workspace` and `--json`. */
export function reporting(command: Command): Command {
  return command
    .option('--workspace <dir>', 'workspace folder (default: the nearest one with .orchestration)')
    .option('--json', 'print JSON');
}

/** Adds an example at the end of a command's help. */
export function example(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText('after', `\nExample:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}

/** A wrong use of the command line: exit code 2 (R-29). */
export function usageError(message: string): CommanderError {
  return new CommanderError(2, 'pactclaw.usage', message);
}

/** Reads an option's whole number from 1 upwards. */
export function toCount(text: string): number {
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text) || value < 1)
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return value;
}

/** Gathers an option that may be given several times. */
export function gather(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** `src/a.ts:12` or `src/a.ts:12-18`, taken apart. */
export function toPlace(text: string): {
  readonly file: string;
  readonly start: number;
  readonly end: number;
} {
  const match = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(text);
  const [, file = '', from = '', to = from] = match ?? [];
  const [start, end] = [Number(from), Number(to)];
  if (!match || start < 1 || end < start) throw usageError(`${text} is not FILE:LINE or FILE:LINE-LINE`);
  return { file, start, end };
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5 };

/** A moment as ISO 8601, or as an age like `30m`, `2h`, `7d`; in milliseconds. */
export function toMoment(text: string, nowMs = Date.now()): number {
  const age = /^(\d{1,9})([smhd])$/.exec(text);
  const moment = age ? nowMs - Number(age[1]) * (UNIT_MS[age[2] as string] as number) : Date.parse(text);
  if (Number.isNaN(moment))
    throw new InvalidArgumentError('Give an ISO 8601 time, or an age like 30m, 2h or 7d.');
  return moment;
}
