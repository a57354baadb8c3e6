import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installFolder } from '../context.ts';
import { isAgentMark } from '../humans-only.ts';

/** A repository and a home folder of their own, so that the demonstration touches nothing else. */
export interface Scratch {
  readonly folder: string;
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly install: string;
}

const INTENTS = `# The demonstration's intents. This file belongs to the human.
active_intents:
  - id: INT-001          # greeting, agreed on Monday
    name: Greet people by name
    status: PENDING
    owned_scope:
      - src/greeting/**
    constraints:
      - Greetings stay polite
      - No network access
    acceptance_criteria:
      - hello("Ada") returns "Good day, Ada"
    budget:
      max_turns: 40
`;

const FILES: Readonly<Record<string, string>> = {
  'src/greeting/readme.md': '# Greeting\n',
  'src/secret.ts': "export const secret = 'do not touch';\n",
  '.orchestration/active_intents.yaml': INTENTS,
};

/** Runs a program in the scratch repository; its output is returned, whatever its exit code. */
export function run(
  scratch: Scratch,
  program: string,
  args: readonly string[],
  input = '',
): { code: number; stdout: string; stderr: string } {
  const result = spawnSync(program, args, {
    cwd: scratch.root,
    env: scratch.environment,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (result.error) throw result.error;
  return { code: result.status ?? 1, stdout: result.stdout, stderr: result.stderr };
}

/** Runs `pactclaw` itself, as a human would. */
export function pactclaw(
  scratch: Scratch,
  args: readonly string[],
): { code: number; stdout: string; stderr: string } {
  return run(scratch, process.execPath, [path.join(scratch.install, 'bin/pactclaw'), ...args]);
}

/** Makes the scratch repository and initialises it with the real command. */
export function makeScratch(): Scratch {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'pactclaw-demo-')));
  const root = path.join(folder, 'greeter');
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    PACTCLAW_SERVE: 'off',
    HOME: path.join(folder, 'home'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    NO_COLOR: '1',
  };
  for (const name of Object.keys(environment))
    if (isAgentMark(name) || name === 'PACTCLAW_WORKSPACE' || name === 'CLAUDE_PROJECT_DIR')
      delete environment[name];
  const scratch = { folder, root, environment, install: installFolder() };
  fs.mkdirSync(path.join(folder, 'home'));
  for (const [name, text] of Object.entries(FILES)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }
  spawnSync('git', ['init', '--quiet'], { cwd: root, env: environment });
  return scratch;
}

export function removeScratch(scratch: Scratch): void {
  fs.rmSync(scratch.folder, { recursive: true, force: true });
}
