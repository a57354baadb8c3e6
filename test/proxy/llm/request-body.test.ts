import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBody, writeBody } from '../../../src/proxy/llm/request-body.ts';

const written = (read: ReturnType<typeof readBody>, edited = read.exact) =>
  Buffer.from(writeBody(read, edited)).toString();

test('what nobody changed goes on byte for byte', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 2), (body, space) => {
      const bytes = Buffer.from(JSON.stringify(body, null, space));
      const read = readBody(bytes);
      expect(writeBody(read, read.exact)).toBe(bytes);
    }),
  );
});

test('a key that comes twice goes on as it was judged, at any depth', () => {
  const read = readBody(Buffer.from('{"n":1,"tools":[{"a":1,"a":2}],"\\u006e":3}'));
  expect(read.body).toEqual({ n: 3, tools: [{ a: 2 }] });
  expect(written(read)).toBe('{"n":3,"tools":[{"a":2}]}');
});

test('integers over 2^53 and odd spellings of numbers survive, changed or not', () => {
  const text = '{"messages":[{"id":12345678901234567890,"x":1.0e2}],"n":2e0}';
  const read = readBody(Buffer.from(text));
  expect(written(read)).toBe(text);
  expect(written(read, { ...read.exact, model: 'm' })).toBe(`${text.slice(0, -1)},"model":"m"}`);
  // What is judged is the number itself.
  expect(read.body.n).toBe(2);
});

test.each([
  ['', 'the body is not JSON'],
  ['{"a":01234567890123456789}', 'the body is not JSON'],
  ['[1]', 'the body is not a JSON object'],
])('%j is refused', (text, why) => {
  expect(() => readBody(Buffer.from(text))).toThrow(why);
});

test('bytes that are no UTF-8 are refused', () => {
  expect(() => readBody(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow('not JSON');
});
