import type { Preimage } from '../../ledger/port.ts';
import { git } from '../../platform/git.ts';
import type { Workspace } from '../workspace.ts';

/**
 * Settings that name a program which git runs, or that lead it to other files, servers or work trees (git-config(1)).
 * Names are as `git config --list` prints them. `git branch -u`, `git remote add`, `git config user.name` and the like
 * write none of them.
 */
const GUARDED: readonly RegExp[] = [
  /^core\.(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass|attributesfile|excludesfile|worktree|gitproxy|alternaterefscommand)$/,
  /^(?:alias|browser|credential|difftool|filter|gpg|guitool|include|includeif|instaweb|interactive|man|mergetool|pager|protocol|sendemail|sequence|tar|trailer|uploadpack|url)\./,
  /^diff\.(?:external|.*\.(?:command|textconv))$/,
  /^merge\..*\.driver$/,
  /^remote\..*\.(?:uploadpack|receivepack|vcs|proxy)$/,
  /^http\.(?:.*\.)?(?:proxy|sslverify|sslcainfo|sslcapath|cookiefile)$/,
  /^init\.templatedir$/,
];
/** What well-known installers write though it is guarded: Git LFS, husky. A submodule's way to update may be a command. */
const KNOWN =
  /^(?:filter\.lfs\.(?:clean|smudge|process)\ngit-lfs [\w %-]+|filter\.lfs\.required\ntrue|core\.hookspath\n\.husky(?:\/_)?)$/;
const COMMAND_TO_UPDATE = /^submodule\..*\.update\n!/s;

function guardedIn({ layout, snapshotMs }: Workspace, content: Buffer | null): string {
  if (content === null) return '';
  const place = { gitDir: layout.shadow, workTree: layout.root, timeoutMs: snapshotMs };
  return git(place, ['config', '--file', '-', '--list', '-z'], content)
    .toString('latin1')
    .split('\0')
    .filter((entry) => {
      const [name = ''] = entry.split('\n', 1);
      if (COMMAND_TO_UPDATE.test(entry)) return true;
      return GUARDED.some((pattern) => pattern.test(name)) && !KNOWN.test(entry);
    })
    .join('\0');
}

/** Comments alone say nothing to git: `git init` lays down such a list of what is ignored. */
export function saysNothing({ hash, content }: Preimage): boolean {
  if (content === null) return hash === null;
  return content
    .toString('latin1')
    .split('\n')
    .every((line) => /^\s*(?:#|$)/.test(line));
}

/** Whether a changed file of git's settings says the same as before about what git runs. False if git cannot read it. */
export function changesNoGuarded(workspace: Workspace, before: Preimage, now: Preimage): boolean {
  if (now.content === null || (before.content === null && before.hash !== null)) return false;
  try {
    return guardedIn(workspace, before.content) === guardedIn(workspace, now.content);
  } catch {
    return false;
  }
}
