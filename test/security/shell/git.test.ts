// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text is full of ${…}
import { describe, expect, it } from 'vitest';
import { read, type Summary, summaryOf } from './support.ts';

/**
 * Commands and what is read off them. Paths below /ws are given relative to it; `R` is recursive, `?dir` and
 * `?file` depend on what the destination is, `any` marks patterns whose `*` may hold slashes.
 */
type Row = readonly [command: string, expected: Partial<Summary>];

function check(rows: readonly Row[]): void {
  it.each(rows)('%s', (command, expected) => {
    const reading = read(command);
    expect(reading.problems).toEqual([]);
    expect(summaryOf(reading)).toEqual({
      targets: [],
      unread: [],
      opaque: [],
      background: false,
      ...expected,
    });
  });
}

describe('git', () => {
  check([
    ['git status', {}],
    ['git add .', {}],
    ['git commit -m "rm a"', {}],
    ['git push', {}],
    ['git checkout -- a', { targets: ['write a R'] }],
    ['git checkout HEAD -- src a', { targets: ['write a R', 'write src R'] }],
    ['git checkout main', { opaque: ['git'] }],
    ['git checkout -b x', {}],
    ['git switch main', { opaque: ['git'] }],
    ['git restore a', { targets: ['write a R'] }],
    ['git restore --staged a', {}],
    ['git restore -SW a', { targets: ['write a R'] }],
    ['git rm a', { targets: ['delete a R'] }],
    ['git rm -r src', { targets: ['delete src R'] }],
    ['git rm --cached a', {}],
    ['git mv a b', { targets: ['move-from a R', 'move-to b R', 'move-to b/a R ?dir'] }],
    ['git clean -fd', { targets: ['delete /ws R'] }],
    ['git clean -n', {}],
    ['git clean -fdx src', { targets: ['delete src R'] }],
    ['git reset a', {}],
    ['git checkout .', { targets: ['write /ws'], opaque: ['git'] }],
    ['git checkout -f main', { targets: ['write /ws'], opaque: ['git'] }],
    ['git reset --hard', { targets: ['write /ws'] }],
    ['git reset --keep x', { opaque: ['git'] }],
    ['git stash', { targets: ['write /ws'] }],
    ['git stash -u', { targets: ['write /ws'] }],
    ['git stash push -m note -- a', { targets: ['write a R'] }],
    ['git stash pop', { opaque: ['git'] }],
    ['git stash list', {}],
    ['git apply p', { opaque: ['git'] }],
    ['git apply --check p', {}],
    ['git merge x', { opaque: ['git'] }],
    ['git pull', { opaque: ['git'] }],
    ['git rebase x', { opaque: ['git'] }],
    ['git cherry-pick x', { opaque: ['git'] }],
    ['git worktree add ../w', { targets: ['write ../w R'] }],
    ['git worktree remove w', { targets: ['delete w R'] }],
    ['git init', { targets: ['write .git R'] }],
    ['git init d', { targets: ['write d/.git R'] }],
    ['git clone https://h/r.git', { targets: ['write r R'] }],
    ['git clone git@h:o/r.git d', { targets: ['write d R'] }],
    ['git clone -b x u/r', { targets: ['write r R'] }],
    ['git config user.name x', { targets: ['write .git/config'] }],
    ['git config --global user.name x', { targets: ['write /home/u/.gitconfig'] }],
    ['git config --get x', {}],
    ['git config -f c x y', { targets: ['write c'] }],
    ['git diff --output=a', { targets: ['write a'] }],
    ['git diff', {}],
    ['git archive -o a.tar HEAD', { targets: ['write a.tar'] }],
    ['git format-patch -o d HEAD~1', { unread: ['write d/*'] }],
    ['git -c alias.x="!rm a" x', { opaque: ['git'] }],
    ['git -c color.ui=never diff', {}],
    ['git --git-dir=x status', { opaque: ['git'] }],
    ['git --work-tree=w checkout -- a', { targets: ['write w/a R'] }],
    ['git -C src checkout -- a', { targets: ['write src/a R'] }],
    ['git restore "*.ts"', { unread: ['write *.ts R'] }],
    ['git restore :/', { unread: ['write * R any'] }],
    ['git restore $X', { unread: ['write * R any'] }],
    ['git x', { opaque: ['git'] }],
    ['git submodule update', { opaque: ['git'] }],
    ['git log --oneline | head', {}],
  ]);
});
