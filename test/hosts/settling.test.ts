import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine } from '../../src/hooks/engine.ts';
import { answerEvent } from '../../src/hosts/answer-event.ts';
import { TestWorkspace } from '../support/workspace.ts';
import { ADAPTERS } from './support/all-hosts.ts';

let at: TestWorkspace;
let transcript: string;
beforeEach(() => {
  at = new TestWorkspace([{ id: 'INT-001' }], ['src/secret.ts', 'src/components/a.ts']);
  transcript = `${at.base}/transcript.jsonl`;
  fs.writeFileSync(transcript, '');
});
afterEach(() => at[Symbol.dispose]());

async function fire(host: string, event: string, more: object = {}) {
  const payload = {
    hook_event_name: event,
    session_id: 's1',
    cwd: at.root,
    transcript_path: transcript,
    ...more,
  };
  return answerEvent(
    ADAPTERS[host]!,
    event,
    async () => Buffer.from(JSON.stringify(payload)),
    () => createEngine(at.workspace),
  );
}

/** The client notes the result of a call, as it does after its hooks. */
function noteResult(id: string, text = 'ok'): void {
  const content = [{ type: 'tool_result', tool_use_id: id, content: text }];
  fs.appendFileSync(transcript, `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
}

const bash = (id: string, more: object = {}) => ({
  tool_name: 'Bash',
  tool_input: { command: `python3 src/components/${id}.py` },
  tool_use_id: id,
  ...more,
});

/** A command that was let through, wrote outside, and of whose end no hook has heard. */
async function lostCommand(more: object = {}) {
  await at.agent('s1').begin('INT-001');
  const answer = await fire('claude-code', 'PreToolUse', bash('t1', more));
  expect(answer.stdout).toBe('{}\n');
  at.put('src/secret.ts', 'leaked\n');
}
const undone = () => at.text('src/secret.ts') === 'before\n';

describe('F-14: what a call changed whose end no hook heard is undone', () => {
  test('at the next call, once the transcript has its result', async () => {
    await lostCommand();
    noteResult('t1');
    const next = await fire('claude-code', 'PreToolUse', bash('t2'));
    expect(undone()).toBe(true);
    expect(next.code).toBe(2);
    expect(next.stderr).toContain('src/secret.ts');
    expect(at.statusOf('INT-001')).toBe('BLOCKED');
  });

  test.each([
    ['UserPromptSubmit', { prompt: 'go on' }],
    ['Stop', {}],
    ['SessionEnd', {}],
  ])('at %s, whatever the transcript has', async (event, more) => {
    await lostCommand();
    await fire('claude-code', event, more);
    expect(undone()).toBe(true);
    expect(at.statusOf('INT-001')).toBe('BLOCKED');
  });

  test.each([
    ['qwen', 'Stop'],
    ['droid', 'Stop'],
    ['gemini', 'AfterAgent'],
  ])('with %s at %s', async (host, event) => {
    await lostCommand();
    await fire(host, event);
    expect(undone()).toBe(true);
  });

  test('a write whose end was lost is recorded', async () => {
    await at.agent('s1').begin('INT-001');
    const write = { file_path: `${at.root}/src/components/new.ts`, content: 'new\n' };
    await fire('claude-code', 'PreToolUse', { tool_name: 'Write', tool_input: write, tool_use_id: 't1' });
    at.put('src/components/new.ts', 'new\n');
    await fire('claude-code', 'Stop');
    expect(at.trace().map(({ path }) => path)).toEqual(['src/components/new.ts']);
  });
});

describe('a call that may still run is left', () => {
  test('at the next call, while the transcript has no result of it', async () => {
    await lostCommand();
    noteResult('another');
    await fire('claude-code', 'PreToolUse', bash('t2'));
    expect(undone()).toBe(false);
    await fire('claude-code', 'PostToolUse', bash('t1', { tool_response: {} }));
    expect(undone()).toBe(true);
  });

  test('when the agent stops, if a subagent made it', async () => {
    await lostCommand({ agent_id: 'a1' });
    await fire('claude-code', 'Stop');
    expect(undone()).toBe(false);
  });

  test('when the client moved it to the background', async () => {
    await lostCommand();
    noteResult(
      't1',
      'Command did not complete within its 2s timeout and was moved to the background (ID: b).',
    );
    await fire('claude-code', 'PreToolUse', bash('t2'));
    expect(undone()).toBe(false);
  });

  test('when the host speaks a prompt of its own', async () => {
    await lostCommand();
    await fire('claude-code', 'UserPromptSubmit', { prompt: 'x', source: 'system' });
    expect(undone()).toBe(false);
  });
});
