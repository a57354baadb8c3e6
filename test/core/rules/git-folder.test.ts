import { describe, expect, test } from 'vitest';
import { judgeGitChange } from '../../../src/core/rules/git-folder.ts';

describe('changes below .git', () => {
  test.each([
    'objects/ab/cdef',
    'objects/pack/pack-1.idx',
    'refs/heads/feature/x',
    'refs/tags/v1',
    'refs/remotes/origin/main',
    'refs/stash',
    'logs/HEAD',
    'logs/refs/heads/main',
    'HEAD',
    'ORIG_HEAD',
    'MERGE_MSG',
    'index',
    'packed-refs',
    'rebase-merge/git-rebase-todo',
    'COMMIT_EDITMSG',
  ])('%s is kept', (path) => expect(judgeGitChange(path)).toBe('keep'));

  test.each([
    'config',
    'config.worktree',
    'hooks/pre-commit',
    'info/exclude',
    'info/attributes',
    'objects/info/alternates',
    'worktrees/other/HEAD',
    'modules/sub/config',
    'refs/pactclaw/ledger',
    'logs/refs/pactclaw/ledger',
    'refs/replace/1',
    'commondir',
    'Config',
  ])('%s is refused', (path) => expect(judgeGitChange(path)).toBe('refuse'));

  test.each(['index.lock', 'refs/heads/main.lock', 'config.lock', 'objects/ab/tmp_obj_x1', 'gc.pid'])(
    '%s, left behind by a command that was ended, goes with it',
    (path) => expect(judgeGitChange(path)).toBe('drop'),
  );
});
