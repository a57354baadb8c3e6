import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/core/json.ts';
import { BodyReader, writeBody } from '../../../src/proxy/llm/request-body.ts';

const KEY = 'messages';
/** Long enough that messages are looked for one by one. */
const LONG = 'A line with "quotes", a \\ and é.\n'.repeat(800);
const word = fc.oneof(
  fc.string(),
  fc.constantFrom('"', '\\', '\\"', '{', ']', ',', 'é\u{1F600}', '\ud800', LONG),
);
const value = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
const message = fc.oneof(
  { weight: 5, arbitrary: fc.record({ role: fc.constantFrom('user', 'assistant'), content: word }) },
  { weight: 1, arbitrary: value },
);
const others = fc.dictionary(fc.constantFrom('model', 'system', 'tools', '__proto', 'a"b', 'é'), value);
const space = fc.constantFrom(undefined, 1, '\t');

function text(head: object, messages: readonly JsonValue[], tail: object, indent?: number | string): Buffer {
  return Buffer.from(JSON.stringify({ ...head, [KEY]: messages, ...tail }, null, indent));
}

function bodyOf(bytes: Buffer): JsonObject {
  return JSON.parse(bytes.toString('utf8'));
}

const first = { role: 'user', content: LONG };

describe('reading on where the last request ended', () => {
  test('gives what reading the whole gives, whatever was changed', () => {
    const turn = fc.record({ keep: fc.nat(8), added: fc.array(message, { maxLength: 4 }), tail: others });
    fc.assert(
      fc.property(others, fc.array(turn, { maxLength: 6 }), space, (head, turns, indent) => {
        const reader = new BodyReader();
        let messages: readonly JsonValue[] = [first];
        for (const { keep, added, tail } of turns) {
          messages = [...messages.slice(0, keep), ...added];
          const bytes = text(head, messages, tail, indent);
          expect(reader.read(bytes, KEY, 'me').body).toEqual(bodyOf(bytes));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('the messages that came before are the very same values', () => {
    const reader = new BodyReader();
    const one = reader.read(text({}, [first], {}), KEY, 'me').body[KEY] as JsonValue[];
    const two = reader.read(text({}, [first, { role: 'assistant' }], { a: 1 }), KEY, 'me').body[KEY];
    expect((two as JsonValue[])[0]).toBe(one[0]);
  });

  const begun = JSON.stringify({ model: 'm', [KEY]: [first] }).slice(0, -2);
  test.each([
    ['a list that comes twice', '],"messages":[{"role":"x"}]}'],
    ['a list that comes twice, spelt otherwise', '],"mess\\u0061ges":[{"role":"x"}]}'],
    ['a list that comes twice, with what could be taken for ours', '],"mess\\u0061ges":[null,{"role":"x"}]}'],
    ['a key that was there before', '],"model":"other"}'],
    ['a key that comes twice after it', '],"a":1,"a":2}'],
    ['what is no list', '],"messages":7}'],
  ])('%s: the last one counts, as for any reader', (_name, end) => {
    const reader = new BodyReader();
    reader.read(Buffer.from(`${begun}]}`), KEY, 'me');
    const bytes = Buffer.from(begun + end);
    const read = reader.read(bytes, KEY, 'me');
    expect(read.body).toEqual(bodyOf(bytes));
    // What is written then holds each key once.
    const written = String(writeBody(read, { ...read.body, system: 's' }));
    expect(JSON.parse(written)).toEqual({ ...read.body, system: 's' });
    expect(written.match(/"(messages|mess\\u0061ges)":/g)).toHaveLength(1);
  });

  test.each([
    ['cut off', Buffer.from(begun)],
    ['a number against an object', Buffer.from(`${begun}.5]}`)],
    ['no comma', Buffer.from(`${begun}{}]}`)],
    ['a comma too many', Buffer.from(`${begun},]}`)],
    ['something after the end', Buffer.from(`${begun}]}]}`)],
    ['the wrong bracket', Buffer.from(`${begun}}}`)],
    ['no UTF-8', Buffer.concat([Buffer.from(`${begun},"`), Buffer.from([0xff]), Buffer.from('"]}')])],
    ['a byte order mark in the middle', Buffer.from(`${begun}\ufeff]}`)],
  ])('%s: refused as when it is read whole', (_name, bytes) => {
    const reader = new BodyReader();
    reader.read(Buffer.from(`${begun}]}`), KEY, 'me');
    expect(() => reader.read(bytes, KEY, 'me')).toThrow('the body is not JSON');
    expect(() => new BodyReader().read(bytes, KEY, 'me')).toThrow('the body is not JSON');
  });
});

describe('writing a request that was changed', () => {
  test('gives the JSON of the change, whatever it is', () => {
    const change = fc.record({
      drop: fc.nat(6),
      insert: fc.array(fc.record({ at: fc.nat(8), what: message }), { maxLength: 3 }),
      replace: fc.option(fc.nat(6)),
      system: fc.option(word),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), others, change, space, (more, tail, edit, indent) => {
        const read = new BodyReader().read(text({ model: 'm' }, [first, ...more], tail, indent), KEY, 'me');
        const messages = [...(read.body[KEY] as JsonValue[])];
        messages.splice(edit.drop, 1);
        for (const { at, what } of edit.insert) messages.splice(at, 0, what);
        if (edit.replace !== null && messages[edit.replace] !== undefined)
          messages[edit.replace] = { ...(messages[edit.replace] as JsonObject) };
        const edited = { ...read.body, [KEY]: messages, system: edit.system ?? undefined };
        expect(JSON.parse(String(writeBody(read, edited)))).toEqual(JSON.parse(JSON.stringify(edited)));
      }),
      { numRuns: 300 },
    );
  });

  test('messages that were not touched go on byte for byte', () => {
    const odd = `{"role": "user",\n "content": "\\u0041 1.0e0 ${'x'.repeat(20_000)}", "n": 12345678901234567890}`;
    const bytes = Buffer.from(`\ufeff {"messages" : [ ${odd} , {"role":"assistant"} ] }`);
    const read = new BodyReader().read(bytes, KEY, 'me');
    const written = String(
      writeBody(read, { ...read.body, messages: [...(read.body.messages as []), { role: 'user' }] }),
    );
    expect(written).toBe(`{"messages":[${odd} , {"role":"assistant"},{"role":"user"}]}`);
    expect(writeBody(read, read.body)).toBe(bytes);
  });
});

test('what is remembered is bounded, and clients do not get each other’s', () => {
  const reader = new BodyReader();
  const big = 'x'.repeat(3 << 20);
  for (let at = 0; at < 30; at += 1) {
    const bytes = text({}, [{ role: 'user', content: `${at} ${big}` }], {});
    expect(reader.read(bytes, KEY, `client-${at}`).body).toEqual(bodyOf(bytes));
  }
  expect(reader.size).toBeLessThanOrEqual(32 << 20);
  expect(reader.size).toBeGreaterThan(16 << 20);
});

test('what nobody goes on from is forgotten', () => {
  let now = 0;
  const reader = new BodyReader(() => now);
  const bytes = text({}, [first], {});
  for (const who of ['a', 'b', 'c']) reader.read(bytes, KEY, who);
  expect(reader.size).toBe(3 * bytes.length);
  now = 121_000;
  reader.read(bytes, KEY, 'c');
  expect(reader.size).toBe(bytes.length);
});
