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
