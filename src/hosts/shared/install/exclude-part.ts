import { gitExclude } from '../../../platform/git-exclude.ts';
import { type HostInstaller, isEverywhere, type Machine, type Scope, type Wiring } from './installer.ts';
import type { Part } from './part.ts';

/** Noted if the file did not end with a line break: uninstalling removes the one that was added. */
const NO_BREAK = 'no line break';

/** The pattern that matches this path and no other (gitignore(5)). */
function patternFor(path: string): string {
  return `/${path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ')}`;
}

/**
 * A block in a list of what git leaves alone; everything else in it keeps its bytes. `owner` tells it from the blocks of
 * other hosts, and of other workspaces that share the list.
 */
export function excludePart(file: string, owner: string, patterns: readonly string[]): Part {
  const [first, last] = [`# Begin of pactclaw ${owner}`, `# End of pactclaw ${owner}`];
  const block = `${[first, ...patterns, last].join('\n')}\n`;
  const strip = (text: string, addedBreak: boolean) => {
    const start = `\n${text}`.indexOf(`\n${first}\n`);
    const end = text.indexOf(`${last}\n`, start);
    if (start < 0 || end < 0) return text;
    const before = text.slice(0, start);
    const after = text.slice(end + last.length + 1);
    return (addedBreak && after === '' ? before.replace(/\n$/, '') : before) + after;
  };
  return {
    file,
    key: `${file}#${owner}`,
    blank: '',
    entries: [{ path: [], value: block }],
    add(text, note) {
      const known = note?.kept.includes(NO_BREAK) ?? false;
      const clean = strip(text, known);
      const breaks = clean !== '' && !clean.endsWith('\n');
      const next = `${clean}${breaks ? '\n' : ''}${block}`;
      return next === text || text.includes(block) ? null : { text: next, kept: breaks ? [NO_BREAK] : [] };
    },
    strip: (text, note) => strip(text, note?.kept.includes(NO_BREAK) ?? false),
  };
}

/**
 * The files of an installation. What it leaves in a project is entered into git's list of what this clone leaves alone,
 * so that neither a commit takes it along nor a checkout takes it away (F-4, U-10). Not so for the project scope of a
 * host that has a local one: that is what a human asks for to share it.
 */
export function partsFor(installer: HostInstaller, machine: Machine, scope: Scope, wiring: Wiring): Part[] {
  const parts = installer.parts(machine, scope, wiring);
  const { project } = machine;
  const isShared = scope === 'project' && installer.scopes.includes('local');
  const git = project === null || isEverywhere(scope) || isShared ? null : gitExclude(project);
  if (git === null || project === null) return parts;
  const files = parts.map(({ file }) => file).filter((file) => file.startsWith(`${project}/`));
  const patterns = [...new Set(files)].map((file) => patternFor(file.slice(git.top.length + 1)));
  return patterns.length === 0
    ? parts
    : [...parts, excludePart(git.file, `${installer.host} ${scope} ${JSON.stringify(project)}`, patterns)];
}
