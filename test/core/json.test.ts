import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestOf, sha256 } from '../../src/core/digest.ts';
import { canonicalJson, wellFormed } from '../../src/core/json.ts';

describe('canonicalJson (RFC 8785)', () => {
  test('the example of RFC 8785 §3.2.2', () => {
    const given = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    expect(canonicalJson(given)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('keys in UTF-16 order, the example of RFC 8785 §3.2.3', () => {
    const given = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.values(JSON.parse(canonicalJson(given)))).toHaveLength(7);
    expect([...canonicalJson(given).matchAll(/:"([^"]*)"/g)].map(([, value]) => value)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  test.each([
    [0, '0'],
    [-0, '0'],
    [5e-324, '5e-324'],
    [-5e-324, '-5e-324'],
    [Number.MAX_VALUE, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [9.999999999999997e22, '9.999999999999997e+22'],
    [1e23, '1e+23'],
    [1e21, '1e+21'],
    [999999999999999900000, '999999999999999900000'],
    [0.000001, '0.000001'],
    [1e-7, '1e-7'],
    [333333333.3333332, '333333333.3333332'],
    [-0.0000033333333333333333, '-0.0000033333333333333333'],
  ])('number %s (RFC 8785 appendix B)', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test.each([
    ['NaN', Number.NaN],
    ['infinity', [Number.POSITIVE_INFINITY]],
    ['a lone high surrogate', '\ud800'],
    ['a lone low surrogate in a key', { 'x\udc00': 1 }],
    ['a bigint', 1n],
    ['a function', { f: () => 1 }],
    ['a symbol', Symbol('x')],
    ['undefined', undefined],
    ['undefined in a list', [undefined]],
  ])('throws on %s', (_what, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  test('leaves out keys that are undefined', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  });

  test('is one form: any order of keys gives the same bytes, and it reads back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(canonicalJson(shuffled(value))).toBe(text);
        expect(digestOf(value)).toBe(sha256(text));
      }),
    );
  });

  test('different values have different forms', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = canonicalJson(a) === canonicalJson(b);
        expect(same).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
    );
  });
});

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, shuffled(member)]),
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { members: members.map(([key, member]) => [key, sorted(member)]) };
}

test('wellFormed makes anything recordable and leaves the rest alone', () => {
  const text = fc.string({ unit: 'binary' }).map((some) => `${some}\ud800`);
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), (value) => {
      expect(() => canonicalJson(wellFormed({ value }))).not.toThrow();
    }),
  );
  const plain = { a: ['x', 1, null, true], b: { c: undefined } };
  expect(wellFormed(plain)).toEqual(plain);
});
