import { describe, expect, test } from 'vitest';
import type { Wire } from '../../fixtures/llm/answers.ts';
import { compact, contextOf } from '../../src/models/compact.ts';
import { anthropic } from '../../src/proxy/llm/anthropic/index.ts';
import { chat } from '../../src/proxy/llm/chat/index.ts';
import { responses } from '../../src/proxy/llm/responses/index.ts';

const BIG = `first line\n${'x'.repeat(4_000)}`;
const LIMIT = { tokens: 10_000, share: 0.8 };

/** A history of so many calls, each with a big result, and the user's words at both ends. */
const HISTORIES = {
  anthropic: (count: number) => ({
    system: 'You are an agent.',
    messages: [
      { role: 'user', content: 'The request, word for word.' },
      ...Array.from({ length: count }, (_, at) => [
        { role: 'assistant', content: [{ type: 'tool_use', id: `c${at}`, name: 'look', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${at}`, content: BIG }] },
      ]).flat(),
    ],
  }),
  chat: (count: number) => ({
    messages: [
      { role: 'user', content: 'The request, word for word.' },
      ...Array.from({ length: count }, (_, at) => [
        {
          role: 'assistant',
          tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: `c${at}`, content: BIG },
      ]).flat(),
    ],
  }),
  responses: (count: number) => ({
    input: [
      { role: 'user', content: 'The request, word for word.' },
      ...Array.from({ length: count }, (_, at) => [
        { type: 'function_call', call_id: `c${at}`, name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: `c${at}`, output: BIG },
      ]).flat(),
    ],
  }),
};

describe.each([anthropic, chat, responses])('$name', ({ name, mapResults }) => {
  const shorten = (count: number) => {
    const body = HISTORIES[name as Wire](count);
    return compact(body, JSON.stringify(body).length, LIMIT, mapResults);
  };

  test('a history within its share stays as it is', () => {
    expect(shorten(5)).toBeNull();
  });

  test('a longer one loses its oldest results, and nothing else', () => {
    const shorter = shorten(30);
    const text = JSON.stringify(shorter?.body);
    expect(text.length / 3.6).toBeLessThan(LIMIT.tokens * LIMIT.share);
    expect(text).toContain('The request, word for word.');
    expect(text.match(/"c\d+"/g)).toHaveLength(60);
    expect(text).toContain(
      'left out to stay within the context: 2 lines, 4011 characters. It began: first line',
    );
    expect(text.indexOf('left out')).toBeLessThan(text.indexOf('xxx'));
    expect(text.lastIndexOf('left out')).toBeLessThan(text.lastIndexOf('xxx'));
    expect(shorter).toMatchObject({ left: 28 });
    expect(shorter?.afterTokens).toBeLessThan(shorter?.beforeTokens ?? 0);
  });

  test('the latest results stay even where that is too much', () => {
    const body = HISTORIES[name as Wire](1);
    expect(compact(body, 1e9, { tokens: 10, share: 0.8 }, mapResults)).toBeNull();
  });

  test('the same history is shortened in the same way, and a longer one keeps what was cut', () => {
    expect(JSON.stringify(shorten(30))).toBe(JSON.stringify(shorten(30)));
    expect(shorten(31)?.left).toBe(shorten(30)?.left);
  });
});

test('pictures do not count by their length', () => {
  const data = 'A'.repeat(1_000_000);
  const body = {
    messages: [
      ...HISTORIES.anthropic(3).messages,
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
      },
    ],
  };
  expect(compact(body, JSON.stringify(body).length, LIMIT, anthropic.mapResults)).toBeNull();
});

test('a model that nobody knows is not shortened', () => {
  expect(contextOf('llama-of-yours', '')).toBeNull();
  expect(contextOf('claude-x', '')).toBe(200_000);
  expect(contextOf('claude-x', 'context-1m-2025-08-07')).toBe(1_000_000);
});
