import type { Command } from 'commander';
import { PactError } from '../core/errors.ts';
import type { ListFilter } from '../ledger/read.ts';
import { exists } from '../platform/files.ts';
import { type CommonOptions, reporting, toCount, toMoment } from './command.ts';
import { tell } from './output.ts';

export interface ListOptions extends CommonOptions {
  readonly intent?: string;
  readonly session?: string;
  readonly limit: number;
  readonly since?: number;
}

/** Adds the filters that every listing of a log has. */
export function listing(command: Command, what: string): Command {
  return reporting(command)
    .option('--intent <id>', 'only of this intent')
    .option('--session <id>', 'only of this session')
    .option('--since <time>', 'only from this ISO time on, or of the last 30m, 2h, 7d', (text) =>
      toMoment(text),
    )
    .option('--limit <n>', `the newest n ${what}`, toCount, 50);
}

export function toFilter({ intent, session, since, limit }: ListOptions): ListFilter {
  return {
    limit,
    ...(intent === undefined ? {} : { intent }),
    ...(session === undefined ? {} : { session }),
    ...(since === undefined ? {} : { since }),
  };
}

/** Throws unless a log is there. */
export function needLog(file: string): void {
  if (exists(file)) return;
  throw new PactError('NOT_FOUND', 'there is no such log', 'Restore it from git, or run `pactclaw init`.', {
    file,
  });
}

/** Says which lines of a log could not be read. */
export function sayDamage(command: string, lines: readonly number[]): void {
  if (lines.length === 0) return;
  const some = lines.slice(0, 5).join(', ');
  tell(
    `pactclaw: ${lines.length} damaged (line ${some}${lines.length > 5 ? ', …' : ''}); see \`pactclaw ${command} verify\``,
  );
}
