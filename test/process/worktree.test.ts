import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GovernedProject, PACKAGE } from '../e2e/support/governed.ts';
import { python } from './support/attack.ts';
import { FakeHost } from './support/host.ts';

/** Work trees whose `.git` is a file: they work like any other, behind the real hook program. */
let project: GovernedProject;
beforeEach(() => {
  project = new GovernedProject();
});
afterEach(() => project.remove());

function gitIn(folder: string, ...args: string[]): void {
  const all = ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', '-c', 'protocol.file.allow=always'];
  const { status, stderr } = spawnSync('git', [...all, ...args], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** A host at work in another work tree of the project, which was initialised there. */
class HostIn extends FakeHost {
  constructor(
    project: GovernedProject,
    readonly root: string,
  ) {
    super(project);
    this.cli('init');
  }

  override args(event: string): string[] {
    return [process.execPath, 'claude-code', '--workspace', this.root, '--event', event];
  }

  override payload(event: string, more: Record<string, unknown>): string {
    return super.payload(event, { ...more, cwd: this.root });
  }

  override bash(command: string): ReturnType<FakeHost['bash']> {
    return this.call('Bash', { command }, () =>
      spawnSync('bash', ['-c', command], { cwd: this.root, env: this.environment }),
    );
  }

  override write(file: string, text: string): ReturnType<FakeHost['write']> {
    const target = path.join(this.root, file);
    return this.call('Write', { file_path: target, content: text }, () => fs.writeFileSync(target, text));
  }

  cli(...args: string[]): string {
    const run = spawnSync(process.execPath, [path.join(PACKAGE, 'bin/pactclaw'), ...args], {
      cwd: this.root,
      env: { ...this.environment, NO_COLOR: '1' },
      encoding: 'utf8',
    });
    expect(run.status, run.stderr).toBe(0);
    return run.stdout;
  }
}

/** What a person expects there: looking, testing, editing, asking why; and the bounds hold as elsewhere. */
function expectGoverned(host: HostIn): void {
  const file = path.join(host.root, 'src/components/button.ts');
  expect(host.select().before.denied).toBe(false);
  for (const command of ['ls', 'npm test', 'git status --short']) {
    const { before, after } = host.bash(command);
    expect(before.text).not.toContain('Violation');
    expect(after?.text ?? '').not.toContain('Violation');
  }
  const edit = host.write('src/components/button.ts', 'export const button = 2;\n');
  expect(edit.before.text).not.toContain('Violation');
  expect(edit.after).not.toBeNull();
  expect(host.cli('why', 'src/components/button.ts:1')).toContain('INT-001');
  expect(host.cli('check', '--tool', 'Bash', '--input', '{"command":"ls"}', '--intent', 'INT-001')).toMatch(
    /allow/i,
  );
  expect(fs.readFileSync(file, 'utf8')).toContain('2');
  const { before, after } = host.bash(python(`open('src/sec'+'ret.ts','w').write('EVIL')`));
  expect(before.denied).toBe(false);
  expect(after?.text).toMatch(/^Governance Violation/);
  expect(fs.readFileSync(path.join(host.root, 'src/secret.ts'), 'utf8')).toContain('untouched');
}

describe('U-2: `.git` is a file', () => {
  it.each(['tree', 'project/.claude/worktrees/x'])('in a linked work tree at %s', (place) => {
    const root = path.join(project.folder, place);
    gitIn(project.root, 'worktree', 'add', '-q', root);
    expectGoverned(new HostIn(project, root));
  });

  it('in a submodule', () => {
    const outer = path.join(project.folder, 'outer');
    fs.mkdirSync(outer);
    gitIn(outer, 'init', '-q');
    gitIn(outer, 'submodule', '--quiet', 'add', project.root, 'sub');
    expectGoverned(new HostIn(project, path.join(outer, 'sub')));
  });

  it('a hook that a command lays for all work trees is taken away, and so is another `.git`', () => {
    const root = path.join(project.folder, 'tree');
    gitIn(project.root, 'worktree', 'add', '-q', root);
    const host = new HostIn(project, root);
    host.select();
    const link = fs.readFileSync(path.join(root, '.git'), 'utf8');
    const { before, after } = host.bash(
      python(
        `d='.g'+'it'\nopen('../project/'+d+'/ho'+'oks/pre-commit','w').write('x')\nopen(d,'w').write('gitdir: elsewhere')`,
      ),
    );
    expect(before.denied).toBe(false);
    expect(after?.text).toMatch(/^Governance Violation/);
    expect(project.has('.git/hooks/pre-commit')).toBe(false);
    expect(fs.readFileSync(path.join(root, '.git'), 'utf8')).toBe(link);
  });
});
