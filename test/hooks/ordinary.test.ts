import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileScope } from '../../src/core/breadth.ts';
import { digestOf } from '../../src/core/digest.ts';
import { judgeScope } from '../../src/core/rules/scope.ts';
import { commandFacts } from '../../src/hooks/attempt/command-facts.ts';
import { resolveTarget } from '../../src/security/resolve-target.ts';
import { TestWorkspace } from '../support/workspace.ts';

/** Commands that people and agents type in real projects: one a line, `\n` for a line break. */
const ORDINARY = readFileSync(new URL('./ordinary.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.replaceAll('\\n', '\n'));

let place: TestWorkspace;
const SCOPE = [
  ...['src/a/**', 'test/a/**', 'docs/a/**', 'dist/*', 'dist/a/**', 'dist', 'build/*', 'build', 'coverage'],
  ...['package.json', 'package-lock.json', 'package.json.new', 'node_modules', 'README.md', 'out.txt'],
  ...['build.log', 'run.log', 'test.log'],
];

beforeAll(() => {
  place = new TestWorkspace(
    [{ id: 'INT-001' }],
    [
      'src/a/one.ts',
      'src/a/two.ts',
      'src/a/old.js',
      'dist/main.js',
      'build/x.o',
      'README.md',
      'package.json',
      'test/a/one.test.ts',
    ],
  );
});
afterAll(() => place[Symbol.dispose]());

/** Why a command would be refused for its words: null when it would not. */
async function objection(command: string): Promise<string | null> {
  const { ground } = place.workspace;
  const call = {
    ...{ callId: 'c', sessionId: 's', tool: 'shell', hostTool: 'Bash', kind: 'execute' as const },
    ...{ mutating: true, declared: true, targets: [], args: { command }, command, cwd: place.root },
    identity: digestOf({ command }),
  };
  const facts = (await commandFacts(call, ground))!;
  const { shell } = facts;
  if (!shell.understood) return `not understood: ${shell.problems.join()}`;
  if (shell.background) return 'background';
  if (shell.touchesProtected !== null) return `protected: ${shell.touchesProtected}`;
  if (shell.adminCommand !== null) return `administrative: ${shell.adminCommand}`;
  const scope = { globs: SCOPE.flatMap((glob) => [...compileScope([glob]).globs]), fault: null };
  const intent = { id: 'INT-001', ownedScope: SCOPE, scope } as never;
  for (const target of facts.targets) {
    const resolved = resolveTarget(target, place.root, ground, []);
    const refusal =
      resolved &&
      (judgeScope(resolved, intent) ?? (resolved.protectedAs ? { sentence: resolved.protectedAs } : null));
    if (refusal) return refusal.sentence;
  }
  return null;
}

describe('ordinary commands of a project, with an intent that covers the work', () => {
  test.each(ORDINARY)('%s', async (command) => expect(await objection(command)).toBeNull());
});
