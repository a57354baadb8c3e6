import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/core/decide.ts';
import type { ToolCall } from '../../../src/core/tool-call.ts';
import { INSTALLED_RULES } from '../../../src/hooks/pipeline.ts';
import type { EventAnswer, PreToolAnswer } from '../../../src/hooks/requests.ts';
import { cline, EVENTS } from '../../../src/hosts/cline/adapter.ts';
import { ANSWERS } from '../../../src/hosts/cline/encode.ts';
import { replyTo } from '../../../src/hosts/shared/hook-host.ts';
import { call, facts } from '../../support/facts.ts';

const encodePreToolUse = (asked: ToolCall, answer: PreToolAnswer) => replyTo(ANSWERS, asked, answer);
const encodeContext = (answer: EventAnswer) => ANSWERS.context('', answer);
const encodeNotice = (answer: EventAnswer) => ANSWERS.notice(answer);
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
const denied = (text: string) => ({
  decision: decide(facts({ estop: '/x' }), INSTALLED_RULES),
  text,
  hook: null,
  receiptId: 'receipt-1',
});
const refuse = (hostTool: string, text = 'Why\nnot.', more: object = {}) =>
  parse(encodePreToolUse(call({ hostTool, declared: true, ...more }), denied(text)).stdout);

describe('PreToolUse', () => {
  test('an allow says nothing', () => {
    const allowed = { ...denied(''), decision: decide(facts(), INSTALLED_RULES) };
    expect(encodePreToolUse(call(), allowed)).toEqual({ stdout: '{}\n', stderr: '', code: 0 });
  });

  test.each([
    'editor',
    'read_files',
    'search_codebase',
    'fetch_web_content',
    'pactclaw__select_active_intent',
  ])('%s runs with arguments that do nothing, and the model is told why', (tool) => {
    const answer = refuse(tool);
    expect(Object.keys(answer)).toEqual(['overrideInput', 'contextModification']);
    expect(answer.contextModification).toBe(`The call of ${tool} was refused. Why\nnot.`);
    expect(JSON.stringify(answer.overrideInput)).toMatch(/refused by PactClaw|\[\]/);
  });

  test.each([['it\'s $(touch x) `y` "z" \\n %s'], ['-n'], ['a\nb; rm -rf /'], ["'"], ['!!']])(
    'a refused command only prints the reason: %j',
    (reason) => {
      const { overrideInput } = refuse('run_commands', reason) as { overrideInput: { commands: string[] } };
      expect(overrideInput.commands).toHaveLength(1);
      const run = spawnSync('bash', ['-c', overrideInput.commands[0]!], { encoding: 'utf8' });
      expect(run).toMatchObject({ status: 1, stdout: '', stderr: `${reason}\n` });
    },
  );

  test.each([
    ['a tool that nobody declared', 'srv__write', { declared: false }],
    ['a tool of that name which nobody declared', 'editor', { declared: false }],
    ['an agent', 'spawn_agent', {}],
    ['a patch', 'apply_patch', {}],
    ['what every object has', 'toString', {}],
  ])('%s: the run ends', (_what, tool, more) => {
    expect(refuse(tool, 'Why.', more)).toEqual({ cancel: true, errorMessage: 'Why.' });
  });

  test('a halt ends the run', () => {
    const halt = { ...denied('Over.') };
    const answer = { ...halt, decision: { ...halt.decision, verdict: 'halt' as const } };
    expect(parse(encodePreToolUse(call({ hostTool: 'editor', declared: true }), answer).stdout)).toEqual({
      cancel: true,
      errorMessage: 'Over.',
    });
  });

  test('below the place of a refused file nothing can be made', () => {
    expect(() =>
      execFileSync('mkdir', ['-p', '/dev/null/refused by PactClaw'], { stdio: 'ignore' }),
    ).toThrow();
  });
});

test('context reaches the model, an alarm ends the run', () => {
  expect(parse(encodeContext({ context: 'c', alarm: null }).stdout)).toEqual({ contextModification: 'c' });
  expect(parse(encodeContext({ context: null, alarm: null }).stdout)).toEqual({});
  expect(parse(encodeContext({ context: 'c', alarm: 'a' }).stdout)).toEqual({
    cancel: true,
    errorMessage: 'a',
  });
  expect(encodeNotice({ context: null, alarm: 'a' })).toEqual({ stdout: '{}\n', stderr: 'a\n', code: 0 });
});

test.each([null, ...EVENTS].map((event) => [event]))('a failure of ours at %s', (event) => {
  const reply = cline.failed(event, 'why');
  const waited = event === null || ['PreToolUse', 'PostToolUse', 'UserPromptSubmit'].includes(event);
  expect(parse(reply.stdout)).toEqual(waited ? { cancel: true, errorMessage: 'why' } : {});
  expect(reply.stderr).toBe('why\n');
});
