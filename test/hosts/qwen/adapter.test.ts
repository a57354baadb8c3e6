import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HookReply } from '../../../src/hosts/adapter.ts';
import { qwen } from '../../../src/hosts/qwen/adapter.ts';
import { qwenTable } from '../../../src/hosts/qwen/host.ts';
import { TestWorkspace } from '../../support/workspace.ts';

interface Answer {
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: Readonly<Record<string, string>>;
}

/** Keys that the host reads. */
const READ = ['decision', 'reason', 'systemMessage', 'hookSpecificOutput'];
const READ_INSIDE = ['hookEventName', 'permissionDecision', 'permissionDecisionReason', 'additionalContext'];

function answerOf(reply: HookReply): Answer {
  const answer = JSON.parse(reply.stdout) as Answer;
  for (const key of Object.keys(answer)) expect(READ).toContain(key);
  for (const key of Object.keys(answer.hookSpecificOutput ?? {})) expect(READ_INSIDE).toContain(key);
  return answer;
}

let place: TestWorkspace;
let calls = 0;
beforeEach(() => {
  place = new TestWorkspace([{ id: 'INT-001' }], ['src/secret.ts']);
});
afterEach(() => place[Symbol.dispose]());

async function fire(event: string, more: object = {}): Promise<HookReply> {
  const payload = { hook_event_name: event, session_id: 's1', cwd: place.root, transcript_path: '', ...more };
  return qwen.handle(await qwen.decode(Buffer.from(JSON.stringify(payload)), event), place.engine);
}

const named = (tool_name: string, tool_input: object) => {
  calls += 1;
  return { tool_name, tool_input, tool_use_id: `toolu_${calls}`, tool_call_id: 'call_same' };
};
const write = (file: string) => named('write_file', { file_path: `${place.root}/${file}`, content: 'x\n' });
const shell = (command: string) => named('run_shell_command', { command });
const human = { prompt: 'go', submitted_prompt: 'go' };

async function begin(): Promise<void> {
  await fire('SessionStart', { source: 'startup' });
  await fire('UserPromptSubmit', human);
  const handshake = named('mcp__pactclaw__select_active_intent', { intent_id: 'INT-001' });
  await fire('PreToolUse', handshake);
  await fire('PostToolUse', { ...handshake, tool_response: {} });
}

test('every event that is registered is handled, and no other', () => {
  expect(qwenTable.events.map(({ event }) => event)).toEqual(qwen.events);
});

describe('a session', () => {
  test('is told of the handshake, and refused in every form before it', async () => {
    const start = answerOf(await fire('SessionStart', { source: 'startup' }));
    expect(start.hookSpecificOutput?.additionalContext).toContain('select_active_intent');
    await fire('UserPromptSubmit', human);
    const refused = await fire('PreToolUse', write('src/components/a.ts'));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('State Violation: Reasoning Intercept Required');
    expect(answerOf(refused)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: refused.stderr.trimEnd(),
      },
    });
  });

  test('acts inside the scope after the handshake', async () => {
    await begin();
    const call = write('src/components/a.ts');
    expect(await fire('PreToolUse', call)).toEqual({ stdout: '{}\n', stderr: '', code: 0 });
    place.put('src/components/a.ts', 'x\n');
    expect(answerOf(await fire('PostToolUse', { ...call, tool_response: {} }))).toEqual({});
    expect(place.trace()).toMatchObject([{ path: 'src/components/a.ts', host: { name: 'qwen' } }]);
    expect((await fire('PreToolUse', write('src/secret.ts'))).stderr).toContain('owned_scope');
  });

  test('an alarm is told beside the result, as the host takes no refusal then', async () => {
    await begin();
    const call = shell('node x.js');
    await fire('PreToolUse', call);
    place.put('src/secret.ts', 'changed\n');
    const reply = await fire('PostToolUseFailure', { ...call, error: 'exit 1' });
    expect(reply.code).toBe(0);
    expect(answerOf(reply).hookSpecificOutput).toMatchObject({
      hookEventName: 'PostToolUseFailure',
      additionalContext: expect.stringContaining('src/secret.ts'),
    });
    expect(place.text('src/secret.ts')).toBe('before\n');
  });

  test('a prompt that the host makes up is a new request, but no human’s', async () => {
    await begin();
    await fire('UserPromptSubmit', { prompt: '<task-notification>' });
    expect(place.receipts().at(-1)?.tool).toBe('pactclaw.host_request');
    expect(place.session('s1').state).toBe('REASONING_INTERCEPT');
  });

  test('going on after tools is no request', async () => {
    await begin();
    const before = place.receipts().length;
    expect(await fire('UserPromptSubmit', { prompt: '' })).toEqual({ stdout: '{}\n', stderr: '', code: 0 });
    expect(place.receipts()).toHaveLength(before);
    expect(place.session('s1').state).toBe('CONTEXTUALIZED_ACTION');
  });

  test('the fourth equal call is refused, and the run ends where it would go on', async () => {
    await begin();
    for (let round = 1; round <= 3; round += 1) {
      const call = shell('echo same');
      expect((await fire('PreToolUse', call)).code).toBe(0);
      await fire('PostToolUse', { ...call, tool_response: {} });
    }
    expect((await fire('PreToolUse', shell('echo same'))).stderr).toContain('Circuit Breaker');
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
    const end = await fire('UserPromptSubmit', { prompt: '' });
    expect(end.code).toBe(2);
    expect(answerOf(end)).toMatchObject({ decision: 'block', reason: expect.stringContaining('halted') });
  });

  test.each(['Stop', 'SessionEnd', 'PreCompact'])('%s never refuses', async (event) => {
    await begin();
    expect(await fire(event, {})).toMatchObject({ stdout: '{}\n', code: 0 });
    place.put('.orchestration/active_intents.yaml', 'broken: [');
    const broken = await fire(event);
    expect(broken.code).toBe(0);
    expect(answerOf(broken).decision).toBeUndefined();
  });

  test('after a compaction the bounds are given again', async () => {
    await begin();
    const reply = answerOf(await fire('SessionStart', { source: 'compact' }));
    expect(reply.hookSpecificOutput?.additionalContext).toContain('src/components');
  });

  test('an event that was not registered is answered with nothing', async () => {
    expect(await fire('PostToolBatch', { tool_calls: [] })).toMatchObject({ stdout: '{}\n', code: 0 });
  });
});

describe('a failure of ours', () => {
  test.each([null, 'PreToolUse'])('%s: refuses the call', (event) => {
    const reply = qwen.failed(event, 'broken');
    expect(reply).toMatchObject({ code: 2, stderr: 'broken\n' });
    expect(answerOf(reply).hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' });
  });

  test('refuses the prompt', () => {
    const reply = qwen.failed('UserPromptSubmit', 'broken');
    expect(reply).toMatchObject({ code: 2, stderr: 'broken\n' });
    expect(answerOf(reply)).toEqual({ decision: 'block', reason: 'broken' });
  });

  test.each(['PostToolUse', 'PostToolUseFailure'])('%s: the agent hears of it', (event) => {
    const reply = qwen.failed(event, 'broken');
    expect(reply.code).toBe(0);
    expect(answerOf(reply).hookSpecificOutput).toEqual({ hookEventName: event, additionalContext: 'broken' });
  });

  test.each(['Stop', 'SessionStart', 'SessionEnd', 'PreCompact'])('%s: goes on, and says so', (event) => {
    const reply = qwen.failed(event, 'broken');
    expect(answerOf(reply)).toEqual({ systemMessage: 'broken' });
    expect(reply.code).toBe(0);
  });
});
