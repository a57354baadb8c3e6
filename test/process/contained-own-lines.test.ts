import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { guardedLine } from '../../src/hosts/shared/install/guarded-line.ts';
import { shellLine } from '../../src/hosts/shared/install/shell-line.ts';
import { ContainedWorkspace, INSTALL } from '../support/contained.ts';
import { describeContained } from '../support/containers.ts';

let place: ContainedWorkspace;
const temporary = process.env.TMPDIR;
beforeEach(() => {
  process.env.TMPDIR = '/var/tmp';
  place = new ContainedWorkspace([{ id: 'INT-001' }]);
});
afterEach(() => {
  place[Symbol.dispose]();
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
});

/** What the host's prefix gives for a line of the host's own. */
function passed(line: string, agent = 'claude-code_2-1-329_harness') {
  const env = { ...process.env, AI_AGENT: agent, PACTCLAW_WORKSPACE: place.root, SHELL: '/bin/bash' };
  const input = JSON.stringify({
    session_id: 's',
    cwd: place.root,
    hook_event_name: 'PreToolUse',
    tool_name: 'Read',
    tool_input: { file_path: `${place.root}/x` },
    tool_use_id: 't',
  });
  return spawnSync(`${INSTALL}/bin/pactclaw-exec`, [line], { cwd: place.root, env, input, encoding: 'utf8' });
}
const words = () => [
  `${INSTALL}/bin/pactclaw-hook`,
  process.execPath,
  'claude-code',
  '--workspace',
  place.root,
  '--event',
  'PreToolUse',
];

describeContained('the program of the seam', () => {
  test('passes the lines of our own hooks, guarded or not: they write the real state', () => {
    for (const line of [guardedLine(words()), shellLine(words())]) {
      const { stdout } = passed(line);
      expect(stdout).toContain('State Violation: Reasoning Intercept Required');
    }
    expect(place.receipts().filter(({ status }) => status === 'denied').length).toBeGreaterThan(0);
  });

  test.each([
    ['more than our line', () => `${guardedLine(words())}; touch made`],
    ['another program with our words', () => `touch made; ${shellLine(words())}`],
    ['a guard that does more', () => `/bin/sh -c 'touch made' ${shellLine(words())}`],
    ['another program before our server', () => `/bin/touch made ${INSTALL}/bin/pactclaw mcp serve`],
    ['our line with a substitution', () => `${shellLine(words())} $(touch made)`],
  ])('contains %s', (_, line) => {
    passed(line());
    expect(existsSync(`${place.root}/made`)).toBe(false);
  });

  test('contains our own line when the agent runs it', () => {
    const before = place.receipts().length;
    passed(shellLine(words()), 'claude-code_2-1-329_agent');
    expect(place.receipts()).toHaveLength(before);
  });
});
