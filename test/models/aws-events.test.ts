import { EventStreamCodec } from '@smithy/core/event-streams';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bedrockChunks } from '../../fixtures/llm/bedrock.ts';
import { AwsEventReader, awsEvents } from '../../src/models/aws-events.ts';
import { WireFault } from '../../src/models/shapes.ts';

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
);

function message(headers: Readonly<Record<string, string>>, body: string): Uint8Array {
  const typed = Object.entries(headers).map(([name, value]) => [name, { type: 'string' as const, value }]);
  return codec.encode({ headers: Object.fromEntries(typed), body: Buffer.from(body) });
}

function read(...pieces: Uint8Array[]): string {
  const reader = new AwsEventReader();
  return pieces.map((piece) => reader.push(piece)).join('') + reader.end();
}

const CHUNK = { ':message-type': 'event', ':event-type': 'chunk' };
const bytesOf = (text: string) => JSON.stringify({ bytes: Buffer.from(text).toString('base64'), p: 'abc' });
const STOP = message(CHUNK, bytesOf('{"type":"message_stop"}'));

test('F-5: events of Bedrock are read however their bytes are cut, and written again as they were', () => {
  const event = fc
    .record({ type: fc.stringMatching(/^[a-z_]{1,12}$/), text: fc.string({ unit: 'grapheme' }) })
    .filter(({ type }) => type !== 'error');
  fc.assert(
    fc.property(fc.array(event), fc.array(fc.nat(), { maxLength: 9 }), (events, places) => {
      const lines = events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('');
      const bytes = Buffer.concat([...bedrockChunks(lines)]);
      const cuts = [...new Set(places.map((at) => at % (bytes.length + 1)))].sort((a, b) => a - b);
      const pieces = [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at] ?? bytes.length));
      expect(read(...pieces)).toBe(lines);
      expect(read(awsEvents(lines))).toBe(lines);
    }),
  );
});

test('F-5: any flipped bit is a fault, and nothing of its message comes out', () => {
  fc.assert(
    fc.property(fc.nat({ max: STOP.length * 8 - 1 }), (bit) => {
      const bad = Buffer.from(STOP);
      bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const reader = new AwsEventReader();
      let out = '';
      expect(() => {
        out += reader.push(bad);
        out += reader.end();
      }).toThrow(WireFault);
      expect(out).toBe('');
    }),
  );
});

describe('F-5: what cannot be judged is a fault', () => {
  test.each<[string, Uint8Array]>([
    ['a cut message', STOP.subarray(0, STOP.length - 3)],
    ['half a length', STOP.subarray(0, 2)],
    ['a length beyond all bounds', Buffer.from('7fffffff00000000', 'hex')],
    ['a length of nothing', Buffer.from('0000000000000000', 'hex')],
    ['another type of event', message({ ...CHUNK, ':event-type': 'contentBlockDelta' }, '{}')],
    ['another type of message', message({ ...CHUNK, ':message-type': 'request' }, bytesOf('{}'))],
    ['no type at all', message({}, bytesOf('{"type":"ping"}'))],
    ['a body that is not JSON', message(CHUNK, 'x')],
    ['a body without bytes', message(CHUNK, '{"chunk":{}}')],
    ['bytes that are not JSON', message(CHUNK, bytesOf('tool_use'))],
    ['an event without a type, as other models have it', message(CHUNK, bytesOf('{"contentBlockStart":{}}'))],
  ])('%s', (_, bytes) => {
    expect(() => read(bytes)).toThrow(WireFault);
  });
});

test('F-5: an exception stays one, with its type and its words', () => {
  const headers = { ':message-type': 'exception', ':exception-type': 'throttlingException' };
  const text = read(message(headers, '{"message":"Too many tokens"}'));
  expect(text).toContain('event: error\n');
  const { headers: own, body } = codec.decode(awsEvents(text));
  expect(own[':exception-type']?.value).toBe('throttlingException');
  expect(own[':message-type']?.value).toBe('exception');
  expect(JSON.parse(Buffer.from(body).toString())).toEqual({ message: 'Too many tokens' });
});
