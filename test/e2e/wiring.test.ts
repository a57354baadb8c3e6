/** The wiring of a real Claude Code holds against what agents, scripts and ordinary git do to it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bash, GovernedProject, select } from './support/governed.ts';

let project: GovernedProject;
beforeEach(() => {
  project = new GovernedProject();
});
afterEach(() => project.remove());

test('F-1: a command that outlives its timeout is ended, not moved to the background', async () => {
  project.put(
    'src/components/s.py',
    "import time\ntime.sleep(12)\nopen('src/secret.ts', 'w').write('leaked')\n",
  );
  const run = await project.claude([
    select(),
    { calls: [{ name: 'Bash', input: { command: 'python3 src/components/s.py', timeout: 2000 } }] },
    bash('sleep 13'),
    { text: 'Done.' },
  ]);
  expect(run.shown).not.toContain('moved to the background');
  expect(run.shown).not.toContain('task-notification');
  expect(project.text('src/secret.ts')).toBe("export const secret = 'untouched';\n");
});
