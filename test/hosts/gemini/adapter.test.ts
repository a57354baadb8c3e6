import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HookReply } from '../../../src/hosts/adapter.ts';
import { gemini } from '../../../src/hosts/gemini/adapter.ts';
import { geminiTable } from '../../../src/hosts/gemini/host.ts';
import { TestWorkspace } from '../../support/workspace.ts';

/** Keys that the host reads; it ignores all others, the refusal of other hosts among them. */
const READ = new Set(['decision', 'reason', 'continue', 'stopReason', 'systemMessage', 'hookSpecificOutput']);

interface Answer {
  readonly decision?: string;
  readonly reason?: string;
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: { readonly hookEventName: string; readonly additionalContext: string };
}

function answerOf(reply: HookReply): Answer {
  const answer = JSON.parse(reply.stdout) as Answer;
  for (const key of Object.keys(answer)) expect(READ).toContain(key);
  for (const key of Object.keys(answer.hookSpecificOutput ?? {}))
    expect(['hookEventName', 'additionalContext']).toContain(key);
  return answer;
}

let place: TestWorkspace;
beforeEach(() => {
  place = new TestWorkspace([{ id: 'INT-001' }], ['src/secret.ts']);
});
afterEach(() => place[Symbol.dispose]());

async function fire(event: string, more: object = {}): Promise<HookReply> {
  const payload = { hook_event_name: event, session_id: 's1', cwd: place.root, transcript_path: '', ...more };
  return gemini.handle(await gemini.decode(Buffer.from(JSON.stringify(payload)), event), place.engine);
}

const handshake = {
  tool_name: 'mcp_pactclaw_select_active_intent',
  tool_input: { intent_id: 'INT-001', reasoning: 'because' },
  mcp_context: { server_name: 'pactclaw', tool_name: 'select_active_intent' },
};
const write = (file: string) => ({
  tool_name: 'write_file',
  tool_input: { file_path: `${place.root}/${file}`, content: 'x\n' },
});
const shell = (command: string) => ({ tool_name: 'run_shell_command', tool_input: { command } });

async function begin(): Promise<void> {
  await fire('SessionStart', { source: 'startup' });
  await fire('BeforeAgent', { prompt: 'go' });
  await fire('BeforeTool', handshake);
  await fire('AfterTool', { ...handshake, tool_response: { llmContent: [] } });
}

test('every event that is registered is handled, and no other', () => {
  expect(geminiTable.events.map(({ event }) => event)).toEqual(gemini.events);
});

describe('a session', () => {
  test('is told of the handshake, and refused in every form before it', async () => {
    const start = answerOf(await fire('SessionStart', { source: 'startup' }));
    expect(start.hookSpecificOutput?.additionalContext).toContain('select_active_intent');
    const prompt = answerOf(await fire('BeforeAgent', { prompt: 'go' }));
    expect(prompt.hookSpecificOutput).toMatchObject({ hookEventName: 'BeforeAgent' });
    const refused = await fire('BeforeTool', write('src/components/a.ts'));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('State Violation: Reasoning Intercept Required');
    expect(answerOf(refused)).toEqual({ decision: 'deny', reason: refused.stderr.trimEnd() });
  });

  test('acts inside the scope after the handshake, and the record has its hash', async () => {
    await begin();
    const call = write('src/components/a.ts');
    expect(await fire('BeforeTool', call)).toEqual({ stdout: '{}\n', stderr: '', code: 0 });
    place.put('src/components/a.ts', 'x\n');
    expect(answerOf(await fire('AfterTool', { ...call, tool_response: { llmContent: 'ok' } }))).toEqual({});
    expect(place.trace()).toMatchObject([{ path: 'src/components/a.ts', host: { name: 'gemini' } }]);
    expect(answerOf(await fire('BeforeTool', write('src/secret.ts'))).reason).toContain('owned_scope');
  });

  test('a tool that nobody declared is held against the scope', async () => {
    await begin();
    const call = { tool_name: 'tracker_update_task', tool_input: { path: `${place.root}/src/secret.ts` } };
    expect((await fire('BeforeTool', call)).code).toBe(2);
  });

  test('an edit whose file the host would look for is not judged by guesswork', async () => {
    await begin();
    const call = { tool_name: 'replace', tool_input: { file_path: 'components/a.ts', old_string: 'a' } };
    await expect(fire('BeforeTool', call)).rejects.toThrow('is not there');
  });

  test('an alarm takes the place of the result', async () => {
    await begin();
    const call = shell('node x.js');
    expect((await fire('BeforeTool', call)).code).toBe(0);
    place.put('src/secret.ts', 'changed\n');
    const reply = await fire('AfterTool', { ...call, tool_response: { llmContent: 'fine' } });
    expect(answerOf(reply)).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('src/secret.ts'),
    });
    expect(place.text('src/secret.ts')).toBe('before\n');
  });

  test('the fourth equal call ends the run before the tool', async () => {
    await begin();
    const call = shell('echo same');
    for (let round = 1; round <= 3; round += 1) {
      expect((await fire('BeforeTool', call)).code).toBe(0);
      await fire('AfterTool', { ...call, tool_response: { llmContent: '' } });
    }
    const reply = await fire('BeforeTool', call);
    expect(answerOf(reply)).toMatchObject({
      decision: 'deny',
      continue: false,
      stopReason: expect.stringContaining('Circuit Breaker'),
    });
    expect(reply.code).toBe(2);
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
  });

  test('a response with an error is a failure', async () => {
    await begin();
    const call = { tool_name: 'read_file', tool_input: { file_path: `${place.root}/none` } };
    await fire('BeforeTool', call);
    await fire('AfterTool', { ...call, tool_response: { error: { message: 'not found' } } });
    expect(place.receipts().at(-1)).toMatchObject({ phase: 'post', status: 'failed' });
  });

  test.each(['AfterAgent', 'SessionEnd', 'PreCompress'])('%s never refuses', async (event) => {
    await begin();
    expect(await fire(event, { prompt: 'go', prompt_response: 'done' })).toEqual({
      stdout: '{}\n',
      stderr: '',
      code: 0,
    });
    place.put('.orchestration/active_intents.yaml', 'broken: [');
    const broken = await fire(event);
    expect(broken.code).toBe(0);
    expect(answerOf(broken).decision).toBeUndefined();
  });

  test('an event that was not registered is answered with nothing', async () => {
    expect(await fire('BeforeModel', { llm_request: {} })).toMatchObject({ stdout: '{}\n', code: 0 });
  });
});

describe('a failure of ours', () => {
  test.each([null, 'BeforeTool', 'BeforeAgent'])('%s: refuses', (event) => {
    const reply = gemini.failed(event, 'Fail-Safe Default: broken');
    expect(answerOf(reply)).toEqual({ decision: 'deny', reason: 'Fail-Safe Default: broken' });
    expect(reply).toMatchObject({ code: 2, stderr: 'Fail-Safe Default: broken\n' });
  });

  test('after a tool the agent hears of it in place of the result', () => {
    expect(answerOf(gemini.failed('AfterTool', 'broken'))).toMatchObject({
      decision: 'deny',
      reason: 'broken',
    });
  });

  test.each(['AfterAgent', 'SessionStart', 'SessionEnd', 'PreCompress'])(
    '%s: goes on, and says so',
    (event) => {
      const reply = gemini.failed(event, 'broken');
      expect(answerOf(reply)).toEqual({ systemMessage: 'broken' });
      expect(reply.code).toBe(0);
    },
  );

  test('a text is cut below the length that hosts cut at', () => {
    expect(answerOf(gemini.failed('BeforeTool', 'x'.repeat(20_000))).reason?.length).toBeLessThan(10_000);
  });
});
