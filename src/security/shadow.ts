import { createFile } from '../platform/durable-files.ts';
import {
  closeToOthers,
  exists,
  makePrivateFolder,
  readRegular,
  removeAll,
  removeFile,
} from '../platform/files.ts';
import { type GitPlace, git } from '../platform/git.ts';

/** Every conversion off: a snapshot holds the bytes of the work tree, so that what is restored is what was. */
const ATTRIBUTES = '* -text -eol -filter -ident -working-tree-encoding -diff -merge\n';

const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tautocrlf = false
\tcompression = 0
\tsharedRepository = 0600
`;
/** Files of the private repository that decide what git sees. */
const OWN_FILES: readonly (readonly [string, string])[] = [
  ['HEAD', 'ref: refs/heads/main\n'],
  ['config', CONFIG],
  ['info/exclude', '/.orchestration/\n'],
  ['info/attributes', ATTRIBUTES],
];
/** What would have git look elsewhere, or past something. */
const FOREIGN_FILES = ['commondir', 'config.worktree', 'info/grafts', 'info/sparse-checkout', 'shallow'];

/**
 * Sees to it that the private repository of snapshots is there and says what it must: a command of the agent's could
 * have edited it so that git looks away from here on.
 */
export function prepareShadow(place: GitPlace): void {
  const shadow = place.gitDir;
  makePrivateFolder(shadow);
  if (!exists(`${shadow}/HEAD`)) {
    git(place, ['init', '--quiet', '--template=']);
    makePrivateFolder(`${shadow}/info`);
  }
  for (const [name, text] of OWN_FILES) {
    const file = `${shadow}/${name}`;
    if (readRegular(file, 4096)?.toString('utf8') === text) continue;
    removeAll(file);
    makePrivateFolder(file.slice(0, file.lastIndexOf('/')));
    createFile(file, text);
    closeToOthers(file);
    removeFile(`${shadow}/index`);
  }
  for (const name of ['objects', 'refs']) makePrivateFolder(`${shadow}/${name}`);
  for (const name of FOREIGN_FILES) removeFile(`${shadow}/${name}`);
}
