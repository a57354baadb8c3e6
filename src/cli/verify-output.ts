import path from 'node:path';
import type { ChainCheck } from '../ledger/read.ts';
import { paint, say, sayJson, tell } from './output.ts';
import { EXIT } from './run.ts';

/** Tells whether a chain holds, and sets the exit code (R-24, Q-19: positions count from 1). */
export function sayChain(check: ChainCheck, file: string, unit: 'receipt' | 'record', json: boolean): void {
  const shown = path.relative(process.cwd(), file);
  const bad = check.bad ?? lostAsBad(check);
  if (bad) process.exitCode = EXIT.failed;
  if (json) {
    sayJson({
      valid: bad === null,
      records: check.lines,
      writers: check.heads.size,
      bad: bad && { position: bad.line, file: shown, line: bad.line, why: bad.why },
      unfinished_bytes: check.torn?.length ?? 0,
    });
    return;
  }
  if (bad) {
    say(paint.red(`invalid chain at ${unit} ${bad.line}`));
    say(`${shown}:${bad.line}: line ${bad.why}`);
    say(
      'What comes after it proves nothing. `pactclaw fsck` shows all, `pactclaw fsck --repair` sets it aside.',
    );
    return;
  }
  say(paint.green(`valid: ${check.lines} records, ${check.heads.size} writers`));
  if (check.torn)
    tell(
      `${check.torn.length} bytes at the end are an append that is under way or never finished; the next event sets them aside`,
    );
}

function lostAsBad({ lost, lines }: ChainCheck): { line: number; why: string } | null {
  if (!lost) return null;
  return {
    line: lines + 1,
    why: `is missing: seq ${lost.seq} of writer ${lost.writer} was acknowledged and is not there`,
  };
}
