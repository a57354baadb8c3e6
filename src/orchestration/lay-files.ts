import { messageOf } from '../core/errors.ts';
import { createFile, replaceFile } from '../platform/durable-files.ts';
import { markOf } from '../platform/file-mark.ts';
import { readIfThere } from '../platform/files.ts';
import { entryKind } from '../platform/list-folder.ts';

/** What `init` did, in names a human knows: workspace-relative, absolute for the user's file. */
export interface InitReport {
  readonly created: string[];
  readonly kept: string[];
  readonly repaired: string[];
  readonly notes: string[];
}

/** Lays a file down where there is none; what stands there is kept, whatever it is. True when it was made. */
export function lay(report: InitReport, file: string, name: string, content: string, mode = 0o644): boolean {
  if (entryKind(file) === null && createFile(file, content, mode)) {
    report.created.push(name);
    return true;
  }
  report.kept.push(name);
  try {
    if (markOf(file) === null) report.notes.push(`${name} is a link to nothing; it was left as it is`);
  } catch (error) {
    report.notes.push(`${messageOf(error)}; it was left as it is`);
  }
  return false;
}

/** Sees to it that a list file has our lines, leaving every line that it has. */
export function layLines(report: InitReport, file: string, name: string, wanted: readonly string[]): void {
  if (entryKind(file) !== 'file') {
    lay(report, file, name, `${wanted.join('\n')}\n`);
    return;
  }
  const old = readIfThere(file) ?? Buffer.alloc(0);
  const have = new Set(
    old
      .toString('utf8')
      .split(/\r?\n/)
      .map((line) => line.trim()),
  );
  const missing = wanted.filter((line) => !have.has(line));
  if (missing.length === 0) {
    report.kept.push(name);
    return;
  }
  const lead = old.length > 0 && old.at(-1) !== 0x0a ? '\n' : '';
  replaceFile(file, Buffer.concat([old, Buffer.from(`${lead}${missing.join('\n')}\n`)]), { durable: true });
  report.repaired.push(name);
}
