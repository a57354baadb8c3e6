import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyPlans } from '../../src/hosts/shared/install/apply.ts';
import { excludePart, partsFor } from '../../src/hosts/shared/install/exclude-part.ts';
import { planInstall, planUninstall } from '../../src/hosts/shared/install/plan.ts';
import { readNotes } from '../../src/hosts/shared/install/record.ts';
import { gitExclude } from '../../src/platform/git-exclude.ts';
import { INSTALLERS } from './support/all-hosts.ts';

let base: string;
let project: string;
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
    cwd,
    encoding: 'utf8',
  });

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'pactclaw-exclude-')));
  project = path.join(base, 'p r[o]ject');
  fs.mkdirSync(project);
  git(project, 'init', '-q');
  fs.writeFileSync(path.join(project, 'README.md'), 'x\n');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'start');
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

/** Installs every host that keeps files in a project, each as it is by default. */
function installed(folder: string) {
  return INSTALLERS.flatMap((installer) => {
    const scope = installer.scopes[0]!;
    if (scope === 'user') return [];
    const machine = { project: folder, home: `${base}/home`, platform: 'linux', env: () => undefined };
    const wiring = { node: '/usr/bin/node', install: '/opt/pactclaw', workspace: folder };
    return [() => partsFor(installer, machine, scope, wiring)];
  });
}

const NOTES = () => `${base}/notes`;

test('F-4, U-10: what any host leaves in a project is out of reach of git, and git is as before afterwards', () => {
  const exclude = path.join(project, '.git/info/exclude');
  const before = fs.readFileSync(exclude);
  const hosts = installed(project);
  expect(hosts.length).toBeGreaterThan(10);
  for (const parts of hosts) applyPlans(planInstall(parts(), readNotes(NOTES())), NOTES());
  expect(git(project, 'status', '--porcelain', '--untracked-files=all')).toBe('');
  git(project, 'add', '-A');
  expect(git(project, 'ls-files')).toBe('README.md\n');
  const once = fs.readFileSync(exclude, 'utf8');
  for (const parts of hosts) applyPlans(planInstall(parts(), readNotes(NOTES())), NOTES());
  expect(fs.readFileSync(exclude, 'utf8')).toBe(once);
  for (const parts of hosts) applyPlans(planUninstall(parts(), readNotes(NOTES())), NOTES());
  expect(fs.readFileSync(exclude).equals(before)).toBe(true);
});

describe('the list of a clone', () => {
  test('is found from a subfolder, a linked work tree and a submodule', () => {
    const main = path.join(project, '.git/info/exclude');
    fs.mkdirSync(path.join(project, 'packages/a'), { recursive: true });
    expect(gitExclude(path.join(project, 'packages/a'))).toEqual({ file: main, top: project });
    const tree = path.join(base, 'tree');
    git(project, 'worktree', 'add', '-q', tree);
    expect(gitExclude(tree)).toEqual({ file: main, top: tree });
    git(project, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', project, 'sub');
    const sub = path.join(project, 'sub');
    expect(gitExclude(sub)).toEqual({
      file: path.join(project, '.git/modules/sub/info/exclude'),
      top: sub,
    });
  });

  test('is none outside a repository', () => {
    expect(gitExclude(base)).toBeNull();
    for (const parts of installed(base))
      expect(parts().some(({ file }) => file.endsWith('/info/exclude'))).toBe(false);
  });

  test('a workspace below the top of its repository is meant by its own path', () => {
    const below = path.join(project, 'packages/a');
    fs.mkdirSync(below, { recursive: true });
    for (const parts of installed(below)) applyPlans(planInstall(parts(), readNotes(NOTES())), NOTES());
    expect(git(project, 'status', '--porcelain', '--untracked-files=all')).toBe('');
  });
});

test('a block goes again to the byte, whatever the list held', () => {
  const line = fc.oneof(fc.constantFrom('# x', '*.log', '', '# End of pactclaw a'), fc.string());
  fc.assert(
    fc.property(fc.array(line), fc.boolean(), (lines, ends) => {
      const before = lines.join('\n') + (ends && lines.length > 0 ? '\n' : '');
      const [a, b] = ['a', 'b'].map((owner) => excludePart('/x', owner, [`/${owner}`]));
      let text = before;
      const kept = [a!, b!].map((part) => {
        const added = part.add(text, null)!;
        text = added.text;
        return { created: false, madeFolders: 0, kept: added.kept };
      });
      expect(a!.add(text, kept[0]!)).toBeNull();
      expect(a!.strip(b!.strip(text, kept[1]!), kept[0]!)).toBe(before);
    }),
  );
});
