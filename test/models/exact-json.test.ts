import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/core/json.ts';
import { exactly, repeatsKey, writeExact } from '../../src/models/exact-json.ts';

const read = (text: string) => exactly(text, JSON.parse(text));
const any = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;

describe('numbers keep their digits', () => {
  test.each([
    '12345678901234567890',
    '-9007199254740993',
    '0.1234567890123456789',
    '1e400',
    '-2E-3',
    '1.50e1',
  ])('%s', (number) => {
    const text = `{"a":[${number},"${number}"],"b":1}`;
    expect(writeExact(read(text))).toBe(text);
  });

  test('in what was changed beside them', () => {
    const value = read('{"id":12345678901234567890,"x":1}') as object;
    expect(writeExact({ ...value, x: 2 })).toBe('{"id":12345678901234567890,"x":2}');
  });

  test('any JSON comes out as the same value', () => {
    fc.assert(
      fc.property(any, (value) => {
        const text = JSON.stringify([value, 1e21]);
        expect(JSON.parse(writeExact(read(text)))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('text without such numbers is not read twice', () => {
    const value = { a: 1 };
    expect(exactly('{"a":1}', value)).toBe(value);
  });
});

describe('a key that comes twice', () => {
  test.each(['{"a":1,"a":1}', '{"x":[{"a":1,"\\u0061":{}}]}', '{"a:":{"b":1,"b":2}}'])('%s', (text) => {
    expect(repeatsKey(text, JSON.parse(text))).toBe(true);
  });

  test('is found in no ordinary JSON, however it is spaced', () => {
    fc.assert(
      fc.property(any, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(repeatsKey(text, JSON.parse(text))).toBe(false);
      }),
    );
  });

  test('long texts are no trouble', () => {
    const text = JSON.stringify({ a: '\\"\n:'.repeat(1 << 20), b: 'x'.repeat(8 << 20) });
    expect(repeatsKey(text, JSON.parse(text))).toBe(false);
  });
});
