import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/core/decide.ts';
import type { ToolCall } from '../../../src/core/tool-call.ts';
import { INSTALLED_RULES } from '../../../src/hooks/pipeline.ts';
import type { EventAnswer, PreToolAnswer } from '../../../src/hooks/requests.ts';
import { copilot, EVENTS } from '../../../src/hosts/copilot/adapter.ts';
import { ANSWERS } from '../../../src/hosts/copilot/encode.ts';
import { replyTo } from '../../../src/hosts/shared/hook-host.ts';
import { call, facts, handshakeCall, handshakeFacts } from '../../support/facts.ts';

const encodePreToolUse = (asked: ToolCall, answer: PreToolAnswer) => replyTo(ANSWERS, asked, answer);
const encodeContext = (answer: EventAnswer) => ANSWERS.context('', answer);
const encodeNotice = (answer: EventAnswer) => ANSWERS.notice(answer);
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
const answerTo = (given: ReturnType<typeof facts>) => {
  const decision = decide(given, INSTALLED_RULES);
  return { decision, text: decision.refusal?.sentence ?? null, hook: null, receiptId: 'receipt-1' };
};
const NOTHING = { stdout: '{}\n', stderr: '', code: 0 };

describe('preToolUse', () => {
  test('an allow leaves the host its own rules', () => {
    expect(encodePreToolUse(call(), answerTo(facts()))).toEqual(NOTHING);
  });

  test('the handshake is allowed outright', () => {
    const own = { ...handshakeCall, hostTool: 'pactclaw-select_active_intent' };
    const reply = encodePreToolUse(own, answerTo(handshakeFacts()));
    expect(parse(reply.stdout)).toMatchObject({ permissionDecision: 'allow' });
  });

  test("another server's tool of a like name is left to the host's own rules", () => {
    const alike = call({ hostTool: 'pactclaw-x-write', declared: false });
    expect(encodePreToolUse(alike, answerTo(facts()))).toEqual(NOTHING);
  });

  test('a refusal is said in every form at once, in flat keys alone', () => {
    const reply = encodePreToolUse(call(), answerTo(facts({ estop: '/x' })));
    expect(reply).toMatchObject({ code: 2, stderr: 'Emergency Stop: all tools are stopped\n' });
    expect(parse(reply.stdout)).toEqual({
      permissionDecision: 'deny',
      permissionDecisionReason: 'Emergency Stop: all tools are stopped',
    });
  });
});

test('context and alarm reach the model; the alarm the human too', () => {
  expect(encodeContext({ context: null, alarm: null })).toEqual(NOTHING);
  expect(parse(encodeContext({ context: 'c', alarm: null }).stdout)).toEqual({ additionalContext: 'c' });
  const alarmed = encodeContext({ context: 'c', alarm: 'a' });
  expect(parse(alarmed.stdout)).toEqual({ additionalContext: 'a\n\nc' });
  expect(alarmed).toMatchObject({ stderr: 'a\n', code: 0 });
  expect(encodeNotice({ context: 'c', alarm: 'a' })).toEqual({ ...NOTHING, stderr: 'a\n' });
});

describe('a failure of ours', () => {
  test.each([[null], ['preToolUse']])('refuses the call (%s)', (event) => {
    const reply = copilot.failed(event, 'why');
    expect(reply).toMatchObject({ code: 2, stderr: 'why\n' });
    expect(parse(reply.stdout)).toMatchObject({ permissionDecision: 'deny' });
  });

  test('keeps a prompt from the model', () => {
    expect(parse(copilot.failed('userPromptSubmitted', 'why').stdout)).toEqual({
      decision: 'block',
      reason: 'why',
    });
  });

  test.each(EVENTS.map((event) => [event]))('%s: the reason is heard', (event) => {
    const reply = copilot.failed(event, 'why');
    expect(() => parse(reply.stdout)).not.toThrow();
    expect(reply.stderr).toBe('why\n');
  });
});
