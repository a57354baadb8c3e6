import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SseReader } from '../../src/models/sse.ts';
import { runs } from '../support/runs.ts';

const LINES = [
  'data: {"a": 1}',
  'data:x',
  'data:  two',
  'data',
  'event: e',
  'event:e',
  'id: 7',
  ': note',
  'odd',
];
const stream = fc
  .array(fc.constantFrom(...LINES, '', '', 'data: é'), { maxLength: 12 })
  .map((lines) => `${lines.join('\n')}\n`);

function eventsOf(text: string, places: readonly number[]) {
  const reader = new SseReader();
  const at = [...places.map((place) => place % (text.length + 1)), text.length].sort((a, b) => a - b);
  return at.flatMap((end, index) => reader.push(text.slice(at[index - 1] ?? 0, end)));
}

test('the same events whatever ends the lines and however the text is cut', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(), { maxLength: 8 }), (text, places) => {
      const plain = eventsOf(text, places);
      // A carriage return at the very end may be half of a line end; a comment brings it to a close.
      const returned = eventsOf(`${text}: end`.replaceAll('\n', '\r\n'), places);
      const said = (events: typeof plain) => events.map(({ event, data }) => ({ event, data }));
      expect(said(plain)).toEqual(said(returned));
      expect(plain.map(({ raw }) => raw)).toEqual(returned.map(({ raw }) => raw.replaceAll('\r\n', '\n')));
    }),
    { numRuns: runs(2_000) },
  );
});

test('an event in the usual form goes on as it came, anything else without what is no field', () => {
  const [usual, odd, mute] = new SseReader().push(
    'event: a\ndata: {"b": "data: c"}\n\nevent: a\nodd\ndata: d\n\nevent: a\n\n',
  );
  expect(usual).toEqual({
    event: 'a',
    data: '{"b": "data: c"}',
    raw: 'event: a\ndata: {"b": "data: c"}\n\n',
  });
  expect(odd).toEqual({ event: 'a', data: 'd', raw: 'event: a\ndata: d\n\n' });
  expect(mute).toEqual({ event: 'a', data: '', raw: '' });
});
