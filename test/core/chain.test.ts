import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breakBetween, CHAIN_START, checkLine, checkSealed, sealLine } from '../../src/core/chain.ts';

const link = { args_hash: 'a', writer: 'w', seq: 1, previous_hash: '0'.repeat(64) };
const FIELDS = ['receipt_hash', 'entry_hash'] as const;

describe('sealLine and checkLine', () => {
  const record = fc
    .dictionary(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }),
    )
    .map((some) => ({ ...some, ...link }));

  test.each(FIELDS)('%s is the SHA-256 of the canonical record without it (R-100)', (field) => {
    fc.assert(
      fc.property(record, (some) => {
        const { [field]: _own, ...draft } = some as typeof some & Record<string, unknown>;
        const { line, hash } = sealLine(draft, field);
        const parsed = JSON.parse(line) as Record<string, unknown>;
        expect(parsed[field]).toBe(hash);
        expect(checkLine(line, field)).toEqual({ ok: true, record: parsed, hash });
        const member = new RegExp(`,"${field}":"[0-9a-f]{64}"`);
        const bytes = line.replace(member, '');
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash);
      }),
    );
  });

  test('any one character changed, left out or added is seen', () => {
    fc.assert(
      fc.property(
        record,
        fc.nat(),
        fc.constantFrom('change', 'remove', 'add'),
        fc.nat(127),
        (some, at, how, code) => {
          const { line } = sealLine(some, 'receipt_hash');
          const place = at % line.length;
          const char = String.fromCharCode(code);
          const rest = line.slice(how === 'add' ? place : place + 1);
          const edited = line.slice(0, place) + (how === 'remove' ? '' : char) + rest;
          fc.pre(edited !== line);
          expect(checkLine(edited, 'receipt_hash').ok).toBe(false);
        },
      ),
      { numRuns: 400 },
    );
  });

  // Members by the names of the chain's own, nested and in strings, are what reading by place could trip over.
  const confusing = fc
    .dictionary(
      fc.constantFrom('a', 'entry', 'files', 'previous', 'qq', 'session', 'tool', 'x', 'zz'),
      fc.oneof(
        fc
          .constantFrom(...FIELDS, 'seq', 'writer', 'previous_hash')
          .chain((key) =>
            fc.constantFrom(1, 'w', '0'.repeat(64), 'f'.repeat(64)).map((value) => ({ aa: 0, [key]: value })),
          ),
        fc.constantFrom(',"seq":9,', '"}', ',"writer":"other"}', `,"previous_hash":"${'0'.repeat(64)}"`),
      ),
    )
    .map((some) => ({ ...some, ...link }));

  test.each(FIELDS)('a line read by place says what a parsed one says, or nothing (%s)', (field) => {
    let told = 0;
    fc.assert(
      fc.property(fc.oneof(record, confusing), fc.boolean(), (some, damaged) => {
        const { [field]: _own, ...draft } = some as typeof some & Record<string, unknown>;
        const { line } = sealLine(draft, field);
        const text = damaged ? line.replace(/[0-9](?=[^0-9]*$)/, 'x') : line;
        const quick = checkSealed(text, field);
        const check = checkLine(text, field);
        if (quick === null) return;
        told += 1;
        const { writer, seq, previous_hash, hash } = quick;
        expect(check).toMatchObject({ ok: true, record: { writer, seq, previous_hash }, hash });
      }),
      { numRuns: 500 },
    );
    expect(told).toBeGreaterThan(5);
  });

  test.each(FIELDS)('a line read by place is refused with any one of its bytes changed (%s)', (field) => {
    const draft = { a: 'text', ...link };
    const { line } = sealLine(Object.assign({ zz: [1] }, draft), field);
    const last = sealLine(draft, field).line;
    expect(checkSealed(last, field)).not.toBeNull();
    for (const text of [line, last])
      for (let at = 0; at < text.length; at += 1)
        for (const char of ['"', '0', 'x', ' ', '}', '\\']) {
          if (text[at] === char) continue;
          expect(checkSealed(text.slice(0, at) + char + text.slice(at + 1), field)).toBeNull();
        }
  });

  test.each([
    ['', 'is not JSON'],
    ['x', 'is not JSON'],
    ['[]', 'is not a JSON object'],
    ['null', 'is not a JSON object'],
    ['{}', 'has no receipt_hash'],
    [`{"receipt_hash":"${'A'.repeat(64)}"}`, 'has no receipt_hash'],
    [`{"a":1,"receipt_hash":"${'0'.repeat(64)}"}`, 'has no place in a chain (writer, seq, previous_hash)'],
    ['{"a":1}{"a":2}', 'two records are glued into one line'],
  ])('%s %s', (line, why) => {
    expect(checkLine(line, 'receipt_hash')).toEqual({ ok: false, why });
  });
});

describe('breakBetween', () => {
  test('only the next seq with the hash of the one before follows', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.integer({ min: -2, max: 8 }), fc.boolean(), (head, seq, same) => {
        const hash = 'a'.repeat(64);
        const why = breakBetween(
          { seq: head, hash },
          { writer: 'w', seq, previous_hash: same ? hash : 'b'.repeat(64) },
        );
        expect(why === null).toBe(seq === head + 1 && same);
        if (why !== null) expect(why).toMatch(/repeats or re-orders|does not follow/);
      }),
    );
  });

  test('a chain begins with 64 zeros (R-101)', () => {
    expect(breakBetween(CHAIN_START, link)).toBeNull();
    expect(breakBetween(CHAIN_START, { ...link, seq: 2 })).not.toBeNull();
  });
});
