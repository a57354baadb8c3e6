import { describe, expect, test } from 'vitest';
import { anthropic } from '../../../src/proxy/llm/anthropic/index.ts';
import { chat } from '../../../src/proxy/llm/chat/index.ts';
import { responses } from '../../../src/proxy/llm/responses/index.ts';
import type { Protocol } from '../../../src/proxy/llm/wire.ts';

const BODY = { stream: true, store: false };

function event(data: string, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`;
}

/** What a client gets of a stream all of whose calls are refused; a fault of the stream is an end of it. */
function heard(protocol: Protocol, events: readonly string[], allowed = false): string {
  const answer = protocol.answer(BODY, true);
  let out = '';
  try {
    for (const one of events) out += answer.take(one);
    const { calls } = answer.endRound();
    return (
      out + answer.finish(calls.map(() => (allowed ? { allowed: true } : { allowed: false, text: 'no.' })))
    );
  } catch {
    return out;
  }
}

const call = '[{"index":0,"id":"c","type":"function","function":{"name":"Bash","arguments":"{}"}}]';
const delta = (inner: string) => event(`{"id":"x","choices":[{"index":0,"delta":${inner}}]}`);
const CHAT_END = [
  event('{"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}'),
  'data: [DONE]\n\n',
];

describe('a chat stream', () => {
  test('a call is a call', () => {
    expect(heard(chat, [delta(`{"tool_calls":${call}}`), ...CHAT_END], true)).toContain('Bash');
  });

  test.each([
    ['a key with an escaped letter', delta(`{"\\u0074ool_calls":${call}}`)],
    ['a key with an escaped underscore', delta(`{"tool\\u005Fcalls":${call}}`)],
    ['a key in capitals', delta(`{"content":"a","Tool_Calls":${call}}`)],
    ['a key with a letter that folds to another', delta(`{"content":"a","tool_call\u017f":${call}}`)],
    ['a key that comes twice', delta(`{"tool_calls":${call},"tool_calls":null}`)],
    ['an escaped delta that comes twice', delta(`{"\\u0074ool_calls":${call}},"delta":{"content":"a"}`)],
    [
      'another choice with an escaped key',
      event(`{"choices":[{"index":1,"delta":{"\\u0074ool_calls":${call}}}]}`),
    ],
    [
      'the end under another case',
      event(
        `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"Choices":[{"delta":{"tool_calls":${call}}}]}`,
      ),
    ],
    ['an event without choices', event(`{"choices":[],"x":[{"delta":{"\\u0074ool_calls":${call}}}]}`)],
    ['an error', event(`{"error":{},"choices":[{"delta":{"\\u0074ool_calls":${call}}}]}`)],
  ])('%s does not get through', (_, odd) => {
    expect(heard(chat, [odd, ...CHAT_END])).not.toContain('Bash');
    expect(heard(chat, [odd, 'data: [DONE]\n\n'])).not.toContain('Bash');
  });

  test('text that speaks of such a key goes on as it came', () => {
    const said = delta('{"content":"\\u0022tool_calls\\u0022 and \\"tool_calls\\" \\u00e9"}');
    expect(heard(chat, [said])).toContain(said);
  });
});

test('a chat answer in one piece has no key of a call in another case', () => {
  const answer = chat.answer({ stream: false }, false);
  answer.take(`{"choices":[{"index":0,"message":{"content":"a","TOOL_CALLS":${call}}}]}`);
  expect(() => answer.endRound()).toThrow('a call hides in another place');
});

describe('a stream of Messages', () => {
  const start = event('{"type":"message_start","message":{"content":[]}}', 'message_start');
  const stop = event('{"type":"message_stop"}', 'message_stop');
  const begin = (block: string) =>
    event(`{"type":"content_block_start","index":0,"content_block":${block}}`, 'content_block_start');
  const end = event('{"type":"content_block_stop","index":0}', 'content_block_stop');
  const asked = '{"type":"tool_use","id":"t","name":"Bash","input":{}}';

  test.each([
    ['an escaped type', begin(asked.replace('tool_use', '\\u0074ool_use'))],
    [
      'a block that comes twice',
      begin(`${asked.replace('tool_use', 'tool_\\u0075se')},"content_block":{"type":"text","text":""}`),
    ],
    ['a type in another case', begin('{"type":"text","text":"","x":{"Type":"tool_use","name":"Bash"}}')],
  ])('%s does not get through', (_, odd) => {
    expect(heard(anthropic, [start, odd, end, stop])).not.toContain('Bash');
  });

  test('an allowed call goes out with the name that was judged', () => {
    const twice = begin('{"type":"tool_use","id":"t","name":"Bash","name":"Read","input":{}}');
    const out = heard(anthropic, [start, twice, end, stop], true);
    expect(out).toContain('Read');
    expect(out).not.toContain('Bash');
  });
});

describe('a stream of Responses', () => {
  const item = (name: string) =>
    `{"type":"function_call","id":"f","call_id":"c","name":"${name}","arguments":"{}"}`;
  const added = (inner: string) =>
    event(
      `{"type":"response.output_item.added","sequence_number":0,"output_index":0,"item":${inner}}`,
      'response.output_item.added',
    );
  const done = (inner: string) =>
    event(
      `{"type":"response.output_item.done","sequence_number":1,"output_index":0,"item":${inner}}`,
      'response.output_item.done',
    );
  const end = event('{"type":"response.completed","response":{"id":"r","output":[]}}', 'response.completed');

  test('a call is a call', () => {
    expect(heard(responses, [added(item('Bash')), done(item('Bash')), end], true)).toContain('Bash');
  });

  test('an escaped call beside a message does not get through', () => {
    const odd = `${item('Bash').replace('function', '\\u0066unction')},"item":{"type":"message","content":[]}`;
    expect(heard(responses, [added(odd), end], true)).not.toContain('Bash');
  });

  test('a call that changes its name is refused', () => {
    const answer = responses.answer(BODY, true);
    for (const one of [added(item('Bash')), done(item('Read')), end]) answer.take(one);
    expect(answer.endRound().calls).toMatchObject([{ args: null, fault: expect.stringContaining('name') }]);
  });

  test('an allowed call goes out with the name that was judged', () => {
    const twice = item('Read').replace('"name"', '"name":"Bash","name"');
    const out = heard(responses, [added(twice), done(twice), end], true);
    expect(out).toContain('Read');
    expect(out).not.toContain('Bash');
  });
});
