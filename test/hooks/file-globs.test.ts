import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

let place: TestWorkspace;
let agent: Agent;
beforeEach(async () => {
  place = new TestWorkspace(
    [{ id: 'INT-001', scope: ['src/a/**'] }],
    ['src/a/one.tmp', 'src/a/two.tmp', 'src/b/other.tmp', 'src/b/kept.ts', 'README.md'],
  );
  agent = place.agent('s1');
  await agent.begin('INT-001');
});
afterEach(() => place[Symbol.dispose]());

const verdict = async (command: string) => (await agent.shell(command, () => undefined)).decision;

describe('file patterns in commands', () => {
  test.each([
    'rm src/a/*.tmp',
    'rm -f src/a/*.missing',
    "sed -i 's/before/after/' src/a/*.tmp",
    'touch src/a/[xy].ts',
    'mktemp -d',
    'cd src/a && split -l 1 one.tmp',
    'cd src/a && wget https://example.org/y',
    'chmod u+x src/a/*',
    'cp src/b/* src/a/',
  ])('U-1: %s is allowed in scope', async (command) => {
    expect(await verdict(command)).toMatchObject({ verdict: 'allow' });
  });

  test.each([
    ['rm src/b/*.tmp', 'src/b/other.tmp is outside'],
    ['rm src/*/*.tmp', 'src/b/other.tmp is outside'],
    ['mv src/b/*.ts src/a/', 'src/b/kept.ts is outside'],
    ['rm -rf ../*', 'is outside'],
    ['rm -rf *', 'is outside'],
    ['rm -rf .o*', 'protected'],
    ['shopt -s dotglob; rm -rf *', 'protected'],
    ['rm -rf .orchestra?ion/*', 'protected'],
    ['rm -f .orchestration/st*', 'protected'],
    ['rm ~/.pact*/ESTOP', 'protected'],
  ])('U-1: %s is refused', async (command, why) => {
    const { verdict: word, refusal } = await verdict(command);
    expect([word, refusal?.sentence]).toEqual(['deny', expect.stringContaining(why)]);
  });
});

describe('F-15: deletions of what a program finds count as touching what is found', () => {
  test.each([
    ['env - rm README.md', 'README.md is outside'],
    ['env - -u X rm README.md', 'README.md is outside'],
    ['find src -execdir rm -rf {} +', 'is outside'],
    ['find src/b -name "*.ts" -delete', 'src/b/kept.ts is outside'],
    ['find . -name "*.ts" -type f -delete', 'src/b/kept.ts is outside'],
    ['find src/a -delete -name x; find src -name "*.nope" -o -delete', 'is outside'],
    ['find src -type f ! -name "*.tmp" -exec rm {} +', 'is outside'],
    ['parallel rm -rf ::: src/b', 'src/b is outside'],
    ['find src -print0 | parallel -0 rm -rf', 'src is outside'],
    ['find . -print0 | xargs -0 rm -rf', 'protected'],
    ['find src -print0 | xargs -0 rm -rf', 'src is outside'],
    ['find src -name "*.ts" | grep -v spec | xargs rm', 'src/b/kept.ts is outside'],
    ['rm -rf $(find src -name "*.ts")', 'src/b/kept.ts is outside'],
    ['find src | while read -r f; do rm -rf "$f"; done', 'src is outside'],
  ])('F-15: %s is refused', async (command, why) => {
    const { verdict: word, refusal } = await verdict(command);
    expect([word, refusal?.sentence]).toEqual(['deny', expect.stringContaining(why)]);
  });

  test.each([
    'env - touch src/a/x.ts',
    'find src/a -type f -delete',
    'find . -name "*.orig" -delete',
    'find src -name one.tmp -exec rm {} +',
    'find src/a -name "*.tmp" -print0 | xargs -0 rm -f',
    'find src/a -type f -execdir rm {} +',
    'parallel rm ::: src/a/one.tmp src/a/two.tmp',
    "find . -name '*.ts' | xargs grep -n before",
    "find src -name '*.ts' -exec sed -i 's/x/y/' {} +",
  ])('F-15: %s is allowed', async (command) => {
    expect(await verdict(command)).toMatchObject({ verdict: 'allow' });
  });
});
