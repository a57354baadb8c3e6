import { afterEach, beforeEach, expect, it } from 'vitest';
import { GovernedProject } from '../e2e/support/governed.ts';
import { FakeHost, type HookAnswer } from './support/host.ts';

/** Two commands at once: what one of them changed must not pass for what stood there before the other. */
let project: GovernedProject;
let first: FakeHost;
let second: FakeHost;

beforeEach(() => {
  project = new GovernedProject();
  first = new FakeHost(project);
  second = new FakeHost(project, 'session-2');
  first.select();
  second.select('INT-002');
});
afterEach(() => project.remove());

const REGISTRY = '.orchestration/active_intents.yaml';

function command(id: string): Record<string, unknown> {
  return { tool_name: 'Bash', tool_input: { command: `sh src/components/${id}.sh` }, tool_use_id: id };
}

/** `attack` happens while the first command runs, and the second begins after it and ends last. */
function overlap(attack: () => void, meanwhile: () => void = () => {}): HookAnswer {
  expect(first.fire('PreToolUse', command('a')).denied).toBe(false);
  attack();
  expect(second.fire('PreToolUse', command('b')).denied).toBe(false);
  expect(first.fire('PostToolUse', { ...command('a'), tool_response: {} }).text).toContain('undone');
  meanwhile();
  return second.fire('PostToolUse', { ...command('b'), tool_response: {} });
}

it('a file that was put back stays put back', () => {
  const after = overlap(() => project.put('src/secret.ts', 'EVIL'));
  expect(project.text('src/secret.ts')).toContain('untouched');
  expect(after.text).toBe('');
});

it('a new file that was removed stays removed', () => {
  const after = overlap(() => project.put('src/evil.ts', 'EVIL'));
  expect(project.has('src/evil.ts')).toBe(false);
  expect(after.text).toBe('');
});

it('a registry that was put back stays put back', () => {
  const before = project.text(REGISTRY);
  const after = overlap(() => project.edit('src/components/**', 'src/**'));
  expect(project.text(REGISTRY)).not.toContain('"src/**"');
  expect(
    project.text(REGISTRY).replace(/BLOCKED.*(\n.*blocked_reason:.*)?/, 'IN_PROGRESS   # human word'),
  ).toContain(before.split('\n')[6] as string);
  expect(after.text).toBe('');
});

it('the second command answers for what it changes itself', () => {
  const after = overlap(
    () => project.put('src/secret.ts', 'EVIL'),
    () => project.put('src/secret.ts', 'EVIL again'),
  );
  expect(project.text('src/secret.ts')).toContain('untouched');
  expect(after.text).toContain('undone');
  expect(project.text(REGISTRY)).toMatch(/INT-002[^-]*status: BLOCKED/);
});
