import { shellWordAt } from '../shared/install/shell-line.ts';

/** What the host hands to the program of its seam for one command of its agent. */
export interface PrefixLine {
  /** The agent's command, as the hook was given it. */
  readonly command: string;
  /** File that the shell writes its working directory to at the end, by which the host follows `cd`; or null. */
  readonly cwdReport: string | null;
}

const BEGIN = ' && eval ';
const END = /^(?: < \/dev\/null)?(?: && pwd -P >\| )?/;

/**
 * Reads a line of Claude Code (seen with 2.1.329): `source SNAPSHOT … && eval 'COMMAND' < /dev/null && pwd -P >| FILE`. What
 * stands before `eval` is the host's own. Null for any other line.
 */
export function readPrefixLine(line: string): PrefixLine | null {
  const begin = line.startsWith('eval ') ? 'eval '.length : line.indexOf(BEGIN) + BEGIN.length;
  if (begin < BEGIN.length && !line.startsWith('eval ')) return null;
  const found = shellWordAt(line, begin);
  if (found === null) return null;
  const at = found.end + (END.exec(line.slice(found.end))?.[0].length ?? 0);
  if (at === line.length) return { command: found.word, cwdReport: null };
  const report = shellWordAt(line, at);
  if (report === null || report.end !== line.length || !report.word.startsWith('/')) return null;
  return { command: found.word, cwdReport: report.word };
}
