import { readShell, type ShellReading } from '../../../src/security/shell/index.ts';

export const CTX = { cwd: '/ws', home: '/home/u' };

/** A reading in the short form that the tables are written in. */
export interface Summary {
  readonly targets: readonly string[];
  readonly unread: readonly string[];
  /** The names before the colon. */
  readonly opaque: readonly string[];
  readonly background: boolean;
}

/** `delete src/a R` for a recursive delete of /ws/src/a; `?dir` and `?file` for what depends on the disk. */
export function summaryOf(reading: ShellReading): Summary {
  const short = (path: string) => (path.startsWith('/ws/') ? path.slice(4) : path);
  const targets = reading.targets.map((target) => {
    const condition = target.onlyIf === undefined ? '' : target.onlyIf.isFolder ? ' ?dir' : ' ?file';
    return `${target.role} ${short(target.path)}${target.recursive ? ' R' : ''}${condition}`;
  });
  const unread = reading.unread.map(
    (entry) =>
      `${entry.role} ${short(entry.pattern)}${entry.recursive ? ' R' : ''}${entry.glob ? '' : ' any'}`,
  );
  return {
    targets: [...new Set(targets)].sort(),
    unread: [...new Set(unread)].sort(),
    opaque: [...new Set(reading.opaque.map((entry) => entry.replace(/: .*$/s, '')))].sort(),
    background: reading.background,
  };
}

export function read(command: string): ShellReading {
  return readShell(command, CTX);
}
