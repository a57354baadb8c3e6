import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/core/decide.ts';
import type { HookEngine } from '../../../src/hooks/engine.ts';
import { INSTALLED_RULES } from '../../../src/hooks/pipeline.ts';
import { decodeInput } from '../../../src/hosts/cursor/decode.ts';
import { cursor as table } from '../../../src/hosts/cursor/host.ts';
import { adapterOf } from '../../../src/hosts/shared/hook-host.ts';
import { facts } from '../../support/facts.ts';
import { bytesOf, recorded } from '../support/recorded.ts';

const cursor = adapterOf(table.hooks);
const EVENTS = Object.keys(table.hooks.events);
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;

/** An engine that notes what it is asked, and refuses where told to. */
function engine(refuses = false, alarm: string | null = null) {
  const asked: string[] = [];
  const decision = decide(refuses ? facts({ estop: '/x' }) : facts(), INSTALLED_RULES);
  const answer = { context: alarm === null ? 'Open intents' : null, alarm };
  const note = (what: string) => {
    asked.push(what);
    return Promise.resolve(answer);
  };
  const fake = {
    preToolUse: ({ call }: { call: { tool: string } }) => {
      asked.push(`pre ${call.tool}`);
      return Promise.resolve({
        decision,
        text: refuses ? 'No.\nWork elsewhere.' : null,
        hook: null,
        receiptId: 'r',
      });
    },
    postToolUse: ({ call, ok }: { call: { tool: string }; ok: boolean }) => note(`post ${call.tool} ${ok}`),
    sessionStart: () => note('start'),
    userPrompt: () => note('prompt'),
    beforeCompact: () => note('compact'),
    stop: ({ usage }: { usage?: { tokens: number } }) => note(`stop ${usage?.tokens ?? '-'}`),
  };
  return { asked, engine: fake as unknown as HookEngine };
}

const all = recorded('cursor', 'hooks.jsonl');
const fire = (one: (typeof all)[number], on: HookEngine) => cursor.handle(decodeInput(bytesOf(one.in)), on);

test('a tool of an MCP server is judged and ended once, where its server is named', async () => {
  const { asked, engine: on } = engine();
  const mcp = all.filter(
    ({ in: raw, label }) => label.endsWith('MCPExecution') || String(raw.tool_name).startsWith('MCP:'),
  );
  for (const one of mcp) await fire(one, on);
  expect(asked).toEqual([
    'pre select_active_intent',
    'post select_active_intent true',
    'pre unknown:MCP:write_note',
    'post unknown:MCP:write_note true',
    'pre unknown:MCP:select_active_intent',
    'post unknown:MCP:select_active_intent false',
  ]);
});

test('every other event reaches the engine once', async () => {
  const { asked, engine: on } = engine();
  const rest = all.filter(({ in: raw }) => raw.tool_name === undefined);
  for (const one of rest) await fire(one, on);
  expect(asked).toEqual(['start', 'prompt', 'compact', 'stop 500', 'stop -']);
});

/** What the validators of the host's executor read, step by step; anything else must not be sent. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  preToolUse: ['permission', 'user_message', 'agent_message'],
  beforeMCPExecution: ['permission', 'user_message', 'agent_message'],
  beforeSubmitPrompt: ['continue', 'user_message', 'additional_context'],
  sessionStart: ['additional_context'],
  postToolUse: ['additional_context'],
  postToolUseFailure: ['additional_context'],
};

describe.each([
  ['when it allows', false, null],
  ['when it refuses', true, null],
  ['when it alarms', false, 'Alarm'],
] as const)('answers %s', (_when, refuses, alarm) => {
  test.each(
    all
      .filter(({ in: raw }) => !/WriteShell|Computer/.test(String(raw.tool_name)))
      .map((one) => [one.label, one] as const),
  )('%s: one JSON object with keys that the host reads, exit code 0', async (label, one) => {
    const reply = await fire(one, engine(refuses, alarm).engine);
    expect(reply.code).toBe(0);
    const known = KEYS[label] ?? [];
    expect(Object.keys(parse(reply.stdout)).filter((key) => !known.includes(key))).toEqual([]);
  });
});

test('a refusal is told to model and human', async () => {
  const write = all.find(({ in: raw }) => raw.tool_name === 'Write')!;
  const reply = await fire(write, engine(true).engine);
  expect(parse(reply.stdout)).toEqual({
    permission: 'deny',
    user_message: 'No.\nWork elsewhere.',
    agent_message: 'No.\nWork elsewhere.',
  });
  expect(reply.stderr).toBe('No.\nWork elsewhere.\n');
});

test('an allow decides nothing', async () => {
  const write = all.find(({ in: raw }) => raw.tool_name === 'Write')!;
  expect(await fire(write, engine().engine)).toEqual({ stdout: '{}\n', stderr: '', code: 0 });
});

test.each([null, ...EVENTS].map((event) => [event]))('a failure of ours at %s', (event) => {
  const reply = cursor.failed(event, 'why');
  const answer = parse(reply.stdout);
  expect(reply.stderr).toBe('why\n');
  if (event === null || event === 'preToolUse' || event === 'beforeMCPExecution')
    expect(answer).toMatchObject({ permission: 'deny', user_message: 'why' });
  else if (event === 'beforeSubmitPrompt') expect(answer).toEqual({ continue: false, user_message: 'why' });
  else expect(answer.permission).toBeUndefined();
});
