import { describe, expect, test } from 'vitest';
import { speak, WIRES, type Wire } from '../../../fixtures/llm/answers.ts';
import { requestOf, targetOf } from '../../../fixtures/llm/requests.ts';
import { TestDoor } from './ask-door.ts';

/** What a client gets of an answer in one piece. */
async function heard(
  wire: Wire,
  text: string | Uint8Array,
  headers: Record<string, string> = {},
  refused = false,
) {
  const preToolUse = async (): Promise<never> => {
    throw new Error('no');
  };
  const door = new TestDoor(
    () => ({ headers: { 'content-type': 'application/json', ...headers }, pieces: [text] }),
    {
      governor: refused ? { preToolUse } : {},
    },
  );
  return door.ask(targetOf(wire), requestOf(wire));
}

const CALL = '{"type":"tool_use","id":"c","name":"Evil","input":{}}';
const TOOL = '{"id":"c","type":"function","function":{"name":"Evil","arguments":"{}"}}';
const FUNCTION = '{"type":"function_call","id":"f","call_id":"c","name":"Evil","arguments":"{}"}';
const ASKED = '{"functionCall":{"id":"c","name":"Evil","args":{}}}';
const chat = (choices: string, more = '') => `{"id":"x","choices":${choices}${more}}`;

describe('F-27: a refused call does not come out of', () => {
  test.each<[Wire, string, string]>([
    ['chat', 'a choice behind null', chat(`[null,{"index":0,"message":{"tool_calls":[${TOOL}]}}]`)],
    ['chat', 'a choice behind text', chat(`["x",{"index":0,"message":{"tool_calls":[${TOOL}]}}]`)],
    [
      'chat',
      'a delta beside the message',
      chat(`[{"message":{"content":"a"},"delta":{"tool_calls":[${TOOL}]}}]`),
    ],
    [
      'chat',
      'a second choice',
      chat(`[{"message":{"content":"a"}},{"index":1,"message":{"tool_calls":[${TOOL}]}}]`),
    ],
    ['chat', 'the answer itself', chat('[{"message":{"content":"a"}}]', `,"tool_calls":[${TOOL}]`)],
    [
      'chat',
      'choices in another case',
      chat('[{"message":{"content":"a"}}]', `,"Choices":[{"message":{"tool_calls":[${TOOL}]}}]`),
    ],
    [
      'chat',
      'a message that comes twice',
      chat(`[{"message":{"tool_calls":[${TOOL}]},"message":{"content":"a"}}]`),
    ],
    ['anthropic', 'a block in text', `{"content":[{"type":"text","text":"a","content":[${CALL}]}]}`],
    ['anthropic', 'another key', `{"content":[{"type":"text","text":"a"}],"output":[${CALL}]}`],
    ['anthropic', 'a list behind null', `{"content":[null,${CALL}]}`],
    [
      'anthropic',
      'a content that comes twice',
      `{"content":[${CALL}],"content":[{"type":"text","text":"a"}]}`,
    ],
    [
      'responses',
      'an item in a message',
      `{"id":"r","output":[{"type":"message","content":[],"output":[${FUNCTION}]}]}`,
    ],
    ['responses', 'another key', `{"id":"r","output":[],"items":[${FUNCTION}]}`],
    ['responses', 'an output behind null', `{"id":"r","output":[null,${FUNCTION}]}`],
    ['gemini', 'a candidate behind null', `{"candidates":[null,{"content":{"parts":[${ASKED}]}}]}`],
    [
      'gemini',
      'a second candidate',
      `{"candidates":[{"content":{"parts":[{"text":"a"}]}},{"content":{"parts":[${ASKED}]}}]}`,
    ],
    ['gemini', 'another key', `{"candidates":[{"content":{"parts":[]}}],"output":${ASKED}}`],
    ['gemini', 'a list of contents', `{"candidates":[{"content":[{"parts":[${ASKED}]}]}]}`],
    [
      'gemini',
      'a part in a part',
      `{"candidates":[{"content":{"parts":[{"text":"a","parts":[${ASKED}]}]}}]}`,
    ],
    ['gemini', 'a blocked prompt', `{"promptFeedback":{"blockReason":"OTHER","parts":[${ASKED}]}}`],
    [
      'gemini',
      'a key with underscores',
      `{"candidates":[{"content":{"parts":[${ASKED.replace('functionCall', 'function_call')}]}}]}`,
    ],
    [
      'gemini',
      'a content that comes twice',
      `{"candidates":[{"content":{"parts":[${ASKED}]},"content":{"parts":[{"text":"a"}]}}]}`,
    ],
    ['responses', 'an output that comes twice', `{"id":"r","output":[${FUNCTION}],"output":[]}`],
  ])('%s: %s', async (wire, _, text) => {
    const got = await heard(wire, text, {}, true);
    expect(got.text).not.toContain('Evil');
  });

  test('a stream of chat whose choices begin with null', async () => {
    const text = `data: {"choices":[null,{"index":0,"delta":{"tool_calls":[${TOOL}]}}]}\n\ndata: [DONE]\n\n`;
    const got = await heard('chat', text, { 'content-type': 'text/event-stream' }, true);
    expect(got.text).not.toContain('Evil');
  });

  test('three hundred thousand arguments are too many to be judged, and soon told', async () => {
    const args = Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`k${at}`, at]));
    const block = { type: 'tool_use', id: 'c', name: 'Evil', input: args };
    const got = await heard('anthropic', JSON.stringify({ content: [block], stop_reason: 'tool_use' }));
    expect(JSON.parse(got.text)).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('more than 50000 values') }],
      stop_reason: 'end_turn',
    });
  });
});

describe.each(WIRES)('%s: an answer in one piece', (wire) => {
  const said = (calls: boolean) =>
    speak(
      wire,
      { body: { model: 'm' } },
      { text: 'Now.', calls: calls ? [{ id: 'c', name: 'write_file', args: { path: 'a' } }] : [] },
    ).pieces.join('');
  const HEADERS = { 'x-request-id': 'req_1', 'x-ratelimit-remaining-tokens': '7', 'set-cookie': 'a=b' };

  test('U-14: keeps the headers of the upstream but those of the connection', async () => {
    const own = { ...HEADERS, connection: 'x-hop', 'x-hop': '1', 'content-length': '99', 'keep-alive': '1' };
    for (const refused of [false, true]) {
      const got = await heard(wire, said(true), own, refused);
      expect(got.headers).toEqual({ 'content-type': 'application/json', ...HEADERS });
    }
  });

  test('U-14: goes on byte for byte when nothing was changed, with a call that is allowed too', async () => {
    for (const calls of [false, true]) {
      const spaced = JSON.stringify(JSON.parse(said(calls)), null, 2).replace(
        /\}$/,
        ', "exact": [12345678901234567890, 1.0]}\n',
      );
      expect((await heard(wire, spaced)).text).toBe(spaced);
    }
  });

  test('U-14: keeps long integers when a call was refused', async () => {
    const text = said(true).replace(/\}$/, ',"exact":12345678901234567890}');
    const got = await heard(wire, text, {}, true);
    expect(got.text).toContain('"exact":12345678901234567890');
    expect(got.text).toContain('Fail-Safe Default');
  });
});

test.each([
  ['anthropic', 'tools and servers', { mcp_servers: [{ url: 'x' }], container: 'c' }],
  [
    'chat',
    'search of other providers',
    {
      web_search_options: {},
      search_parameters: {},
      plugins: [{ id: 'web' }],
      enable_search: true,
      data_sources: [],
    },
  ],
  ['responses', 'search of other providers', { search_parameters: {}, plugins: [{ id: 'web' }] }],
] as const)('F-27: %s: %s outside `tools` are taken out of a request', async (wire, _, more) => {
  const door = new TestDoor(({ text }) => speak(wire, { body: JSON.parse(text) }, { text: 'ok' }));
  for (const tools of [requestOf(wire).tools, undefined])
    await door.ask(targetOf(wire), { ...requestOf(wire), tools, ...more });
  for (const { text } of door.sent)
    for (const key of Object.keys(more)) expect(JSON.parse(text)).not.toHaveProperty(key);
  const open = new TestDoor(({ text }) => speak(wire, { body: JSON.parse(text) }, { text: 'ok' }), {
    settings: { providerRuns: () => true },
  });
  await open.ask(targetOf(wire), { ...requestOf(wire), ...more });
  expect(JSON.parse(open.sent[0]?.text ?? '')).toMatchObject(more);
});
