import { describe, expect, test } from 'vitest';
import { WIRES, type Wire } from '../../fixtures/llm/answers.ts';
import { CONVERSATION, requestOf, type Step } from '../../fixtures/llm/requests.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { compact, contextOf } from '../../src/models/compact.ts';
import { PROTOCOLS } from '../proxy/llm/protocols.ts';

const PICTURE = 'A'.repeat(1_000_000);
const BIG = `first line\n${'x'.repeat(4_000)}`;
const LIMIT = { tokens: 10_000, share: 0.8 };

/** A history of so many calls, each with a big result, and the user's words at its beginning. */
function historyOf(wire: Wire, count: number): JsonObject {
  const steps = Array.from({ length: count }, (_, at): Step[] => {
    const call = { id: `c${at}`, name: 'look', args: {} };
    return [{ call }, { result: BIG, of: call }];
  });
  return requestOf(wire, { steps: [{ user: 'The request, word for word.' }, ...steps.flat()] }) as JsonObject;
}

describe.each(WIRES)('%s', (wire) => {
  const { mapResults } = PROTOCOLS[wire];
  const shorten = (count: number) => {
    const body = historyOf(wire, count);
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
    const body = historyOf(wire, 1);
    expect(compact(body, 1e9, { tokens: 10, share: 0.8 }, mapResults)).toBeNull();
  });

  test('the same history is shortened in the same way, and a longer one keeps what was cut', () => {
    expect(JSON.stringify(shorten(30))).toBe(JSON.stringify(shorten(30)));
    expect(shorten(31)?.left).toBe(shorten(30)?.left);
  });
});

test.each<[Wire, JsonObject]>([
  [
    'anthropic',
    {
      role: 'user',
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } }],
    },
  ],
  ['gemini', { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: PICTURE } }] }],
])('%s: pictures do not count by their length', (wire, picture) => {
  const history = historyOf(wire, 3);
  const key = CONVERSATION[wire];
  const body = { ...history, [key]: [...(history[key] as JsonObject[]), picture] };
  expect(compact(body, JSON.stringify(body).length, LIMIT, PROTOCOLS[wire].mapResults)).toBeNull();
});

test('a model that nobody knows is not shortened', () => {
  expect(contextOf('llama-of-yours', '')).toBeNull();
  expect(contextOf('claude-x', '')).toBe(200_000);
  expect(contextOf('gemini-3-pro-preview', '')).toBe(1_048_576);
  expect(contextOf('claude-x', 'context-1m-2025-08-07')).toBe(1_000_000);
});
