import { dirname, resolve } from 'node:path/posix';
import { exists, isDirectory, readIfThere } from './files.ts';

/** The file in which one clone lists what git leaves alone, and the folder that its patterns start from. */
export interface GitExclude {
  readonly file: string;
  /** Root of the work tree. */
  readonly top: string;
}

function line(file: string): string {
  return readIfThere(file)?.toString('utf8').trim() ?? '';
}

/**
 * Finds `info/exclude` for a folder, in the git folder that all linked work trees of a repository share (gitignore(5),
 * gitrepository-layout(5)). Null outside a repository. Reads git's files and starts no process.
 */
export function gitExclude(folder: string): GitExclude | null {
  for (let top = folder; ; top = dirname(top)) {
    const dot = `${top}/.git`;
    if (exists(dot)) {
      const link = isDirectory(dot) ? '.git' : /^gitdir: (.+)$/.exec(line(dot))?.[1];
      if (link === undefined) return null;
      const own = resolve(top, link);
      const common = resolve(own, line(`${own}/commondir`) || '.');
      return isDirectory(common) ? { file: `${common}/info/exclude`, top } : null;
    }
    if (top === '/' || top === '.') return null;
  }
}
