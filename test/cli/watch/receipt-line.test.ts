import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digest } from '../../../src/cli/watch/digest.ts';
import { readReceipt } from '../../../src/cli/watch/receipt-line.ts';
import { view } from '../../../src/cli/watch/view.ts';
import { begun, look, receipt, refusal, screen } from './support.ts';

test('reads what it looks at and leaves the rest', () => {
  const one = refusal('scope', {
    target: 'a.ts',
    intent_event: { event: 'blocked', intent_id: 'I', reason: 'r' },
  });
  expect(readReceipt(JSON.stringify({ ...one, seq: 4, writer: 'w', note: 'n' }))).toEqual(one);
});

test.each([
  ['', 'nothing'],
  ['{"id":"receipt-1"', 'a torn line'],
  ['null', 'null'],
  ['[]', 'a list'],
  ['{}', 'an empty record'],
  [JSON.stringify({ ...receipt(), phase: 'other' }), 'an unknown phase'],
  [JSON.stringify({ ...receipt(), status: 1 }), 'a status that is none'],
  [JSON.stringify({ ...receipt(), tool: null }), 'no tool'],
])('%j is no receipt (%s)', (line) => expect(readReceipt(line)).toBe(null));

test('members of the wrong type are left out', () => {
  const odd = { ...receipt(), target: 5, violation: 'x', intent_event: { event: 'blocked' }, host: ['a'] };
  const read = readReceipt(JSON.stringify(odd));
  expect(read).not.toBe(null);
  for (const name of ['target', 'violation', 'intent_event', 'host']) expect(read).not.toHaveProperty(name);
});

test('whatever a line holds, it is read or passed over, and the screen stands', () => {
  const names = fc.constantFrom('id', 'timestamp', 'phase', 'violation', 'intent_event', 'target', 'tool');
  fc.assert(
    fc.property(fc.dictionary(names, fc.jsonValue()), fc.string(), (odd, text) => {
      const lines = [text, JSON.stringify(odd), JSON.stringify({ ...receipt(), ...odd })];
      const receipts = lines.map(readReceipt).filter((one) => one !== null);
      const { known } = digest(begun(), look({ receipts }));
      view(screen(known), { columns: 60, rows: 20 });
    }),
  );
});
