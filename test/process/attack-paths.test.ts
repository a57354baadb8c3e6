import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GovernedProject, INTENTS } from '../e2e/support/governed.ts';
import { FakeHost } from './support/host.ts';

/** Other spellings of places outside the scope, for tools that name a file and for tools that nobody declared. */
let project: GovernedProject;
let host: FakeHost;

beforeAll(() => {
  // One session makes every call here, and calls without a response that is seen count as turns after a while.
  const budget = '    budget: { max_turns: 1000 }\n    x-team:';
  project = new GovernedProject({ intents: INTENTS.replace('    x-team:', budget) });
  host = new FakeHost(project);
  host.select();
  const at = (name: string) => project.path(`src/components/${name}`);
  fs.symlinkSync('../secret.ts', at('link'));
  fs.symlinkSync('link', at('chain'));
  fs.symlinkSync('loop', at('loop'));
  fs.symlinkSync('../new.ts', at('dangling'));
  fs.symlinkSync('/proc/self/cwd/src', at('proc'));
  fs.symlinkSync('..', at('up'));
  fs.linkSync(project.path('src/secret.ts'), at('hard'));
});
afterAll(() => project.remove());

/** Refused, on record, and no file changed. */
function refused(tool: string, input: Record<string, unknown>): void {
  const violations = project.violations().length;
  const { before } = host.call(tool, { content: 'EVIL', n: violations, ...input });
  expect(before).toMatchObject({ denied: true, code: 2 });
  expect(project.violations().length).toBe(violations + 1);
}

describe('a file is named so that it seems to be inside', () => {
  it.each([
    ['up and out', 'R/src/components/../secret.ts'],
    ['up through the root', 'R/src/components/../../../project/src/secret.ts'],
    ['dots and slashes', 'R/./src//components/.././/secret.ts'],
    ['relative', '../src/secret.ts'],
    ['a link', 'R/src/components/link'],
    ['a chain of links', 'R/src/components/chain'],
    ['a loop of links', 'R/src/components/loop'],
    ['a link to nothing yet', 'R/src/components/dangling'],
    ['a link upwards', 'R/src/components/up/secret.ts'],
    ['up after a link', 'R/src/components/up/../x.ts'],
    ['a hard link', 'R/src/components/hard'],
    ['a link through /proc', 'R/src/components/proc/components/x.ts'],
    ['/proc', '/proc/self/cwd/src/components/x.ts'],
    ['/proc of a process', `/proc/${process.pid}/root/x`],
    ['/dev/fd', '/dev/fd/1'],
    ['a NUL', 'R/src/components/x\0/../../secret.ts'],
    ['a newline', 'R/src/components/x\n.ts'],
    ['an escape', 'R/src/components/\u001b[2Kx.ts'],
    ['half a character', 'R/src/components/\ud800.ts'],
    ['a very long name', `R/src/components/${'a/'.repeat(3000)}x`],
    ['a name too long for the disk', `R/src/components/${'a'.repeat(300)}/../../secret.ts`],
    ['another case', 'R/SRC/components/x.ts'],
    ['a composed letter', 'R/src/compone\u0301nts/x.ts'],
    ['full-width letters', 'R/src/ｃomponents/x.ts'],
    ['full-width dots', 'R/src/components/．．/secret.ts/../../../x'],
    ['a blank before', ' R/src/components/x.ts'],
    ['the home folder', '~/src/components/x.ts'],
    ['a folder as a prefix', 'R/src/components2/x.ts'],
    ['a dot file', 'R/src/components/.npmrc'],
    ['a host of its own', 'R/src/components/.claude/settings.json'],
    ['the state, folded', 'R/.ORCHESTRATION/config.yaml'],
    ['the state, in compatible letters', 'R/.ｏrchestration/config.yaml'],
    ['the house rules', 'R/CLAUDE.md'],
  ])('%s', (_name, spelled) => {
    const file = spelled.replace('R/', `${project.root}/`);
    refused('Write', { file_path: file });
    refused('Edit', { file_path: file, old_string: 'a', new_string: 'b' });
    expect(project.text('src/secret.ts')).toContain('untouched');
  });

  it.each([
    ['a list', ['x']],
    ['an object', { a: 1 }],
    ['a number', 1],
    ['nothing', null],
  ])('%s is no path', (_name, value) => {
    const { before } = host.call('Write', { file_path: value, content: '' });
    expect(before).toMatchObject({ denied: true, code: 2 });
  });
});

describe('a tool that nobody declared names a file', () => {
  const secret = () => project.path('src/secret.ts');
  it.each<[string, (file: string) => Record<string, unknown>]>([
    ['under a usual key', (path) => ({ path })],
    ['in other letters', (path) => ({ FilePath: path })],
    ['with a dash', (path) => ({ 'file-path': path })],
    ['in a list', (path) => ({ paths: ['src/components/a.ts', path] })],
    ['nested', (path) => ({ edits: [{ at: { file: path } }] })],
    ['as an address', (path) => ({ uri: `file://${path}` })],
    ['as an encoded address', (path) => ({ uri: `FILE://localhost${path.replace('secret', '%73ecret')}` })],
    ['as a source', (path) => ({ source: path, destination: 'src/components/a.ts' })],
  ])('%s', (_name, input) => {
    refused('mcp__files__change', input(secret()));
    refused('SomeNewTool', input(secret()));
  });

  it('under a key that tells nothing: found afterwards and undone', () => {
    const { after } = host.call('mcp__files__change', { x: 'secret' }, () =>
      project.put('src/secret.ts', 'EVIL'),
    );
    expect(after?.text).toContain('undone');
    expect(project.text('src/secret.ts')).toContain('untouched');
    project.edit(/BLOCKED.*(\n.*blocked_reason:.*)?/, 'IN_PROGRESS');
    host.fire('UserPromptSubmit', { prompt: 'go on' });
    host.select();
  });
});

it('a link that is swapped in before the write lands is found, and the intent is blocked', () => {
  const file = project.path('src/components/swap.ts');
  const { before, after } = host.call('Write', { file_path: file, content: 'EVIL' }, () => {
    fs.symlinkSync('../elsewhere.ts', file);
    fs.writeFileSync(file, 'EVIL');
  });
  expect(before.denied).toBe(false);
  expect(after?.text).toContain('src/elsewhere.ts');
  expect(project.text('.orchestration/active_intents.yaml')).toMatch(/INT-001[^-]*status: BLOCKED/);
});
