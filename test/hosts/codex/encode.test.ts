import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { EventAnswer, PreToolAnswer } from '../../../src/hooks/requests.ts';
import { codex } from '../../../src/hosts/codex/adapter.ts';
import {
  encodeContext,
  encodeNotice,
  encodePostToolUse,
  encodePreToolUse,
  encodeRefusal,
} from '../../../src/hosts/codex/encode.ts';

/** The host's schemas as far as we use them: with any other key it drops the whole answer, and the call runs. */
const universal = { systemMessage: z.string().optional() };
const withContext = (event: string) =>
  z.strictObject({
    ...universal,
    hookSpecificOutput: z
      .strictObject({ hookEventName: z.literal(event), additionalContext: z.string().min(1) })
      .optional(),
  });
const SCHEMAS = {
  PreToolUse: z.strictObject({
    hookSpecificOutput: z
      .union([
        z.strictObject({
          hookEventName: z.literal('PreToolUse'),
          permissionDecision: z.literal('deny'),
          permissionDecisionReason: z.string().min(1),
        }),
        z.strictObject({ hookEventName: z.literal('PreToolUse'), additionalContext: z.string().min(1) }),
      ])
      .optional(),
  }),
  PostToolUse: z.union([
    z.strictObject({ decision: z.literal('block'), reason: z.string().min(1) }),
    withContext('PostToolUse'),
  ]),
  SessionStart: withContext('SessionStart'),
  UserPromptSubmit: withContext('UserPromptSubmit'),
  Stop: z.strictObject(universal),
};

const parsed = (event: keyof typeof SCHEMAS, { stdout }: { stdout: string }) =>
  SCHEMAS[event].parse(JSON.parse(stdout));
const answer = (verdict: string, text: string | null) =>
  ({ decision: { verdict }, text, hook: null, receiptId: null }) as unknown as PreToolAnswer;
const event = (context: string | null, alarm: string | null): EventAnswer => ({ context, alarm });

describe('before a call', () => {
  test('an allow says nothing, or what went before', () => {
    expect(parsed('PreToolUse', encodePreToolUse(answer('allow', null), null))).toEqual({});
    const told = encodePreToolUse(answer('allow', null), 'an alarm');
    expect(parsed('PreToolUse', told)).toMatchObject({
      hookSpecificOutput: { additionalContext: 'an alarm' },
    });
    expect(told.code).toBe(0);
  });

  test.each(['deny', 'halt'])('%s is refused in every form, and says nothing else', (verdict) => {
    const reply = encodePreToolUse(answer(verdict, 'No.'), null);
    expect(parsed('PreToolUse', reply)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'No.' },
    });
    expect(reply).toMatchObject({ code: 2, stderr: 'No.\n' });
  });

  test('a refusal without words has some, or the call would run', () => {
    for (const text of ['', ' \n', null]) {
      const reply = encodePreToolUse(answer('deny', text), null);
      expect(parsed('PreToolUse', reply)).toHaveProperty('hookSpecificOutput');
      expect(reply.stderr.trim()).not.toBe('');
    }
  });

  test('a long reason is cut and stays text', () => {
    const { stdout } = encodeRefusal('é🙂'.repeat(9_000));
    expect(stdout.isWellFormed()).toBe(true);
    expect(stdout.length).toBeLessThan(12_000);
  });
});

describe('other events', () => {
  test('after a call', () => {
    expect(parsed('PostToolUse', encodePostToolUse(event(null, null)))).toEqual({});
    expect(parsed('PostToolUse', encodePostToolUse(event('c', null)))).toMatchObject({
      hookSpecificOutput: { additionalContext: 'c' },
    });
    const alarm = encodePostToolUse(event('c', 'undone'));
    expect(parsed('PostToolUse', alarm)).toEqual({ decision: 'block', reason: 'undone' });
    expect(alarm.code).toBe(0);
  });

  test.each(['SessionStart', 'UserPromptSubmit'] as const)('%s', (name) => {
    expect(parsed(name, encodeContext(name, event(null, null)))).toEqual({});
    const told = encodeContext(name, event('call select_active_intent', 'broken')).stdout;
    expect(parsed(name, { stdout: told })).toMatchObject({ systemMessage: 'broken' });
    expect(told).toContain('tool_search');
    expect(encodeContext(name, event('work on', null)).stdout).not.toContain('tool_search');
  });

  test('a notice', () => {
    expect(parsed('Stop', encodeNotice(event('unheard', null)))).toEqual({});
    expect(parsed('Stop', encodeNotice(event(null, 'broken')))).toEqual({ systemMessage: 'broken' });
  });
});

describe('a failure of ours', () => {
  test.each([null, 'PreToolUse'])('at %s refuses', (name) => {
    const reply = codex.failed(name, 'broken');
    expect(parsed('PreToolUse', reply)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect(reply).toMatchObject({ code: 2, stderr: 'broken\n' });
  });

  test.each([
    ['PostToolUse', 2],
    ['UserPromptSubmit', 2],
    ['Stop', 0],
    ['SubagentStop', 0],
    ['SessionEnd', 0],
    ['SessionStart', 0],
  ] as const)('at %s ends with %i: a Stop that is blocked would go on for ever', (name, code) => {
    expect(codex.failed(name, 'broken')).toMatchObject({ code, stderr: 'broken\n' });
  });
});
