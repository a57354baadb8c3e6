/** What a command changed in the folder of its repository, named relative to `.git` (gitrepository-layout(5)). */
export type GitWord = 'keep' | 'drop' | 'refuse';

/** Files that git keeps of a work in progress, and the ends of branches. */
const STATE =
  /^(?:HEAD|index|packed-refs|shallow|COMMIT_EDITMSG|description|(?:ORIG|FETCH|MERGE|CHERRY_PICK|REVERT|REBASE|BISECT)_[A-Z_]+|AUTO_MERGE|SQUASH_MSG|MERGE_(?:MSG|MODE|RR|AUTOSTASH)|gc\.log)$/;

/** Folders that ordinary commands write to. */
const FOLDERS =
  /^(?:objects|refs\/(?:heads|tags|remotes|notes|bisect)|logs|rebase-merge|rebase-apply|sequencer|rr-cache)(?:\/|$)/;

/** Left behind by a command that was ended; in the real repository they would lock it. */
const LEFT = /(?:^|\/)(?:[^/]*\.lock|tmp_obj_[^/]*|gc\.pid)$/;

/** Lines that lead git to objects of another repository. */
const LEADS_ELSEWHERE = /^objects\/info\/(?:alternates|http-alternates)$/;

/**
 * Judges one change below `.git`. Objects, branches, tags and what git remembers of its own work are kept; settings, hooks,
 * other work trees and the refs that PactClaw keeps are no agent's, whatever its scope.
 */
export function judgeGitChange(path: string): GitWord {
  if (LEFT.test(path)) return 'drop';
  if (LEADS_ELSEWHERE.test(path) || /^logs\/refs\/pactclaw(?:\/|$)/.test(path)) return 'refuse';
  if (path === 'refs' || path === 'refs/stash' || STATE.test(path) || FOLDERS.test(path)) return 'keep';
  return 'refuse';
}
