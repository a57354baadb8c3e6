import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GovernedProject, INTENTS, SELECT } from '../e2e/support/governed.ts';
import { FakeHost } from './support/host.ts';

/** Attempts to act without a handshake, or to borrow one. */
let project: GovernedProject;
let host: FakeHost;

beforeEach(() => {
  project = new GovernedProject({
    intents: `${INTENTS}  - {id: DONE, name: D, status: COMPLETED, owned_scope: [src/secret.ts], constraints: [], acceptance_criteria: []}
  - {id: STOP, name: S, status: BLOCKED, owned_scope: [src/secret.ts], constraints: [], acceptance_criteria: []}
  - {id: WIDE, name: W, status: PENDING, owned_scope: ["**"], constraints: [], acceptance_criteria: []}
`,
  });
  host = new FakeHost(project);
});
afterEach(() => project.remove());

const STATE = /^State Violation: Reasoning Intercept Required/;

function acts(as = host): boolean {
  return !as.write('src/components/a.ts', `${Math.random()}`).before.denied;
}

it('no spelling of a tool gets past the intercept', () => {
  const names = [
    'Read',
    'bash',
    ' Bash',
    'BASH',
    'Bash\u200b',
    '__proto__',
    'constructor',
    'toString',
    'mcp__pactclaw__x',
  ];
  const twins = [
    'select_active_intent',
    'mcp__evil__select_active_intent',
    'mcp__PactClaw__select_active_intent',
  ];
  for (const name of [...names, ...twins, `${SELECT} `, 'ToolSearch'])
    expect(
      host.call(name, { command: 'x', intent_id: 'INT-001', file_path: '/x' }).before.text,
      name,
    ).toMatch(STATE);
  expect(host.call('ToolSearch', { query: `select:${SELECT},Bash` }).before.text).toMatch(STATE);
  expect(acts()).toBe(false);
  expect(project.violations().at(-1)).toMatchObject({ kind: 'state', hook: 'ReasoningInterceptHook' });
});

it('only an open and narrow intent is selected, by its id as text', () => {
  const ids = ['DONE', 'STOP', 'WIDE', 'NONE', 'int-001', ' INT-001', 'INT-001\0', '', '__proto__', '*'];
  for (const id of [...ids, null, 1, true, ['INT-001'], { id: 'INT-001' }, undefined])
    expect(
      host.call(SELECT, { intent_id: id, reasoning: 'x', n: Math.random() }).before.denied,
      String(id),
    ).toBe(true);
  expect(acts()).toBe(false);
});

describe('a handshake holds for the session, the moment and the intent it was made for', () => {
  const input = { intent_id: 'INT-001', reasoning: 'x' };
  const call = { tool_name: SELECT, tool_input: input, tool_use_id: 'one' };

  it('an outcome without an attempt', () => {
    host.fire('PostToolUse', { ...call, tool_response: {} });
    expect(acts()).toBe(false);
  });

  it('an attempt without an outcome', () => {
    expect(host.fire('PreToolUse', call).denied).toBe(false);
    expect(acts()).toBe(false);
  });

  it('an attempt that failed', () => {
    host.fire('PreToolUse', call);
    host.fire('PostToolUseFailure', { ...call, error: 'x' });
    expect(acts()).toBe(false);
  });

  it('a call beside the handshake', async () => {
    const other = {
      tool_name: 'Write',
      tool_input: { file_path: project.path('src/components/a.ts') },
      tool_use_id: 'two',
    };
    const [, beside] = await Promise.all([
      host.fireAsync('PreToolUse', call),
      host.fireAsync('PreToolUse', other),
    ]);
    expect(beside.denied).toBe(true);
  });

  it('the outcome of another session', () => {
    const other = new FakeHost(project, 'session-2');
    host.fire('PreToolUse', call);
    other.fire('PostToolUse', { ...call, tool_response: {} });
    expect(acts()).toBe(false);
    expect(acts(other)).toBe(false);
  });

  it('the outcome of a refused attempt', () => {
    host.fire('PreToolUse', { ...call, tool_input: { intent_id: 'DONE' } });
    host.fire('PostToolUse', { ...call, tool_response: {} });
    expect(acts()).toBe(false);
  });

  it('the outcome of the first of two selections', () => {
    host.fire('PreToolUse', call);
    host.fire('PreToolUse', { ...call, tool_use_id: 'two', tool_input: { intent_id: 'INT-002' } });
    host.fire('PostToolUse', { ...call, tool_response: {} });
    expect(acts()).toBe(false);
  });

  it.each(['SessionStart', 'UserPromptSubmit'])('one from before %s', (event) => {
    host.select();
    host.fire(event, { source: 'resume', prompt: 'x' });
    expect(acts()).toBe(false);
  });
});

it('a subagent has no handshake of its own to lend', () => {
  const other = { tool_name: 'Write', tool_input: { file_path: project.path('src/secret.ts') } };
  expect(host.fire('PreToolUse', { ...other, tool_use_id: 's', agent_id: 'a1' }).text).toMatch(STATE);
  host.select();
  expect(host.fire('PreToolUse', { ...other, tool_use_id: 't', agent_id: 'a1' }).text).toContain('outside');
  expect(fs.readFileSync(project.path('src/secret.ts'), 'utf8')).toContain('untouched');
});
