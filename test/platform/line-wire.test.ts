import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/core/json.ts';
import { LineSplitter } from '../../src/platform/line-splitter.ts';
import { LineWire } from '../../src/platform/line-wire.ts';

describe('lines', () => {
  test('come out whole however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[\r\n]/g, ''))),
        fc.integer({ min: 1, max: 7 }),
        (lines, step) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const taken: string[] = [];
          const splitter = new LineSplitter(
            1 << 20,
            (line) => taken.push(line),
            () => undefined,
          );
          for (let at = 0; at < bytes.length; at += step) splitter.push(bytes.subarray(at, at + step));
          expect(taken).toEqual(lines);
        },
      ),
    );
  });

  test('that are too long are dropped whole and told once; the next one comes', () => {
    const taken: string[] = [];
    let told = 0;
    const splitter = new LineSplitter(
      4,
      (line) => taken.push(line),
      () => {
        told += 1;
      },
    );
    for (const piece of ['12', '345', '678', '9\nab', 'cd\nefghi\nok\r\n']) splitter.push(Buffer.from(piece));
    expect([taken, told]).toEqual([['abcd', 'ok'], 2]);
  });
});

/** A wire whose other end is the test's. */
function open(longIsFatal = false) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const wire = new LineWire(input, output, { maxBytes: 20, longIsFatal });
  const [messages, garbage, closed]: [JsonValue[], string[], string[]] = [[], [], []];
  wire.start({
    message: (value) => messages.push(value),
    garbage: (what) => garbage.push(what),
    closed: (why) => closed.push(why),
    drained: () => undefined,
  });
  return { wire, input, output, messages, garbage, closed };
}

describe('a line wire', () => {
  test('delivers messages, tells of garbage and goes on', async () => {
    const { input, messages, garbage, closed } = open();
    input.write('{"a":1}\n\nnot json\n"and this line is far too long"\n2\n');
    await expect.poll(() => messages).toEqual([{ a: 1 }, 2]);
    expect(garbage).toEqual(['a line that is not JSON: not json', 'a message longer than 20 bytes']);
    input.end();
    await expect.poll(() => closed).toEqual(['it closed the connection']);
  });

  test('gives up an end that sends too much, where that is so agreed', async () => {
    const { input, messages, closed } = open(true);
    input.write('"and this line is far too long"\n2\n');
    await expect.poll(() => closed).toEqual(['it sent a message longer than 20 bytes']);
    expect(messages).toEqual([]);
  });

  test('writes a line a message, and nothing once the other end is gone', async () => {
    const { wire, output, closed } = open();
    wire.send({ text: 'a\nb' });
    expect(String(output.read())).toBe('{"text":"a\\nb"}\n');
    output.destroy(new Error('broken'));
    await expect.poll(() => closed).toEqual(['broken']);
    wire.send({ more: true });
  });
});
