import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/core/decide.ts';
import type { ToolCall } from '../../../src/core/tool-call.ts';
import { INSTALLED_RULES } from '../../../src/hooks/pipeline.ts';
import type { PreToolAnswer } from '../../../src/hooks/requests.ts';
import {
  ANSWERS,
  encodeContext,
  encodeNotice,
  encodePostToolUse,
  encodeRefusal,
} from '../../../src/hosts/claude-code/encode.ts';
import { replyTo } from '../../../src/hosts/shared/hook-host.ts';
import { call, facts, handshakeCall, handshakeFacts, session } from '../../support/facts.ts';

const encodePreToolUse = (asked: ToolCall, answer: PreToolAnswer) => replyTo(ANSWERS, asked, answer);
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
const answerTo = (given: ReturnType<typeof facts>) => {
  const decision = decide(given, INSTALLED_RULES);
  return { decision, text: decision.refusal?.sentence ?? null, hook: null, receiptId: 'receipt-1' };
};

describe('PreToolUse', () => {
  test('an allow leaves the host its own rules', () => {
    expect(encodePreToolUse(call(), answerTo(facts()))).toEqual({ stdout: '{}\n', stderr: '', code: 0 });
  });

  test('the handshake is allowed outright', () => {
    const reply = encodePreToolUse(handshakeCall, answerTo(handshakeFacts()));
    expect(parse(reply.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
  });

  test("another server's tool of a like name is left to the host's own rules", () => {
    const alike = call({ hostTool: 'mcp__pactclaw__x__write', declared: false });
    expect(encodePreToolUse(alike, answerTo(facts())).stdout).toBe('{}\n');
  });

  test('a refusal is said in every form at once', () => {
    const reply = encodePreToolUse(call(), answerTo(facts({ estop: '/x' })));
    expect(reply.code).toBe(2);
    expect(reply.stderr).toBe('Emergency Stop: all tools are stopped\n');
    expect(parse(reply.stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'Emergency Stop: all tools are stopped',
      },
    });
  });

  test('a halt also ends the run', () => {
    const reply = encodePreToolUse(call(), answerTo(facts({ session: session({ repeats: 4 }) })));
    expect(parse(reply.stdout)).toMatchObject({
      continue: false,
      stopReason: expect.stringContaining('loop detected'),
    });
    expect(reply.code).toBe(2);
  });

  test.each(['ask', 'deny', 'halt'] as const)('%s is never an allow', (verdict) => {
    const { decision } = answerTo(facts());
    const reply = encodePreToolUse(call(), {
      decision: { ...decision, verdict },
      text: null,
      hook: null,
      receiptId: null,
    });
    expect(reply.code).toBe(2);
    expect(parse(reply.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });

  test('a long reason is cut below what the host takes', () => {
    const reply = encodeRefusal('x'.repeat(50_000), true);
    const { stopReason } = parse(reply.stdout) as { stopReason: string };
    expect(stopReason.length).toBeLessThan(10_000);
    expect(stopReason).toContain('(cut');
  });

  test('every answer is one line of JSON', () => {
    for (const text of ['a\nb', '\u2028', '"', '\ud800'])
      expect(encodeRefusal(text, false).stdout.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('the other events', () => {
  test('an alarm after a tool blocks and is told to both', () => {
    const reply = encodePostToolUse('PostToolUse', { context: 'c', alarm: 'Governance Violation: x\nmore' });
    expect(parse(reply.stdout)).toEqual({
      decision: 'block',
      reason: 'Governance Violation: x\nmore',
      systemMessage: 'Governance Violation: x',
    });
    expect(reply.stderr).toContain('Governance Violation: x');
  });

  test('context goes to the agent, nothing is nothing', () => {
    expect(parse(encodePostToolUse('PostToolUse', { context: 'c', alarm: null }).stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'c' },
    });
    expect(encodePostToolUse('PostToolUse', { context: null, alarm: null }).stdout).toBe('{}\n');
    expect(encodeContext('SessionStart', { context: null, alarm: null }).stdout).toBe('{}\n');
    expect(encodeNotice({ context: 'c', alarm: null }).stdout).toBe('{}\n');
  });

  test('an alarm at a request is told to agent and human', () => {
    expect(
      parse(encodeContext('UserPromptSubmit', { context: null, alarm: 'Fail-Safe Default: x' }).stdout),
    ).toEqual({
      systemMessage: 'Fail-Safe Default: x',
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'Fail-Safe Default: x' },
    });
    expect(parse(encodeNotice({ context: null, alarm: 'a' }).stdout)).toEqual({ systemMessage: 'a' });
  });
});
