import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addIntent, type NewIntent } from '../../src/cli/intent-splice.ts';
import { parseIntents } from '../../src/orchestration/parse-intents.ts';

const WANTED: NewIntent = {
  id: 'NEW-1',
  name: 'A name: with "signs"',
  ownedScope: ['src/new/**', '!src/new/x.ts'],
  constraints: [],
  acceptanceCriteria: ['yes', '- 1'],
  maxTurns: 3,
};
const ITEM =
  '- id: A\n  name: a\n  status: PENDING\n  owned_scope: [src/a/b.ts]\n  constraints: []\n  acceptance_criteria: []\n';
const indent = (text: string, by: string) => text.replace(/^(?=.)/gm, by);
const read = (text: string) => parseIntents(new TextEncoder().encode(text));

/** The new text without what was added, when that is one piece. */
function isOnlyAddition(before: string, after: string): boolean {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  const rest = before.slice(start);
  return after.length > before.length && after.endsWith(rest);
}

const TEXTS: Record<string, string> = {
  'two spaces': `active_intents:\n${indent(ITEM, '  ')}`,
  'no indentation': `active_intents:\n${ITEM}`,
  'a key after it': `active_intents:\n${indent(ITEM, '  ')}\n# about the owner\nowner: me\n`,
  'comments inside and outside': `# top\nactive_intents: # list\n${indent(ITEM, '    ')}      # mine\n\n      # mine too\n# not mine\n`,
  'no newline at the end': `active_intents:\n${indent(ITEM, '  ').trimEnd()}`,
  'Windows line ends': `active_intents:\n${indent(ITEM, '  ')}x: 1\n`.replaceAll('\n', '\r\n'),
  'a bare list': ITEM,
  'a dash on its own line': `active_intents:\n  -\n${indent(ITEM.replace('- ', '  '), '  ')}`,
  'block text at the end': `active_intents:\n${indent(`${ITEM}  note: |\n    one\n    two\n`, '  ')}`,
};

describe('addIntent', () => {
  test.each(Object.entries(TEXTS))('%s: adds the item and leaves every byte', (_, text) => {
    const after = addIntent(text, WANTED);
    expect(isOnlyAddition(text, after), after).toBe(true);
    const { intents, problems } = read(after);
    expect(problems).toEqual([]);
    expect(intents.map(({ id }) => id)).toEqual(['A', 'NEW-1']);
    expect(intents[1]).toMatchObject({
      name: WANTED.name,
      status: 'PENDING',
      ownedScope: WANTED.ownedScope,
      acceptanceCriteria: WANTED.acceptanceCriteria,
      budget: { maxTurns: 3 },
    });
    expect(after.includes('\r\n')).toBe(text.includes('\r\n'));
    expect(/(^|[^\r])\n/.test(after) && after.includes('\r\n')).toBe(false);
  });

  test.each([
    ['active_intents: []\n'],
    ['# none yet\nactive_intents: [ ]  # soon\nowner: me\n'],
    ['active_intents:\n'],
    ['active_intents: # empty\nowner: me\n'],
    [
      '{"active_intents": [{"id":"A","name":"a","status":"PENDING","owned_scope":["src/a/b.ts"],"constraints":[],"acceptance_criteria":[]}]}',
    ],
  ])('%j', (text) => {
    const { intents, problems } = read(addIntent(text, WANTED));
    expect(problems).toEqual([]);
    expect(intents.at(-1)?.id).toBe('NEW-1');
  });

  test('twice in a row', () => {
    const text = addIntent(addIntent(TEXTS['a key after it'] as string, WANTED), { ...WANTED, id: 'NEW-2' });
    expect(read(text).intents.map(({ id }) => id)).toEqual(['A', 'NEW-1', 'NEW-2']);
  });

  test.each(['owner: me\n', 'active_intents: {}\n', '[', ''])('%j is refused', (text) =>
    expect(() => addIntent(text, WANTED)).toThrow(),
  );

  test('any text of a human comes back as it was typed', () => {
    const line = fc
      .string({ minLength: 1, maxLength: 60, unit: 'grapheme' })
      .filter((text) => !/[\u0000-\u001f\u007f]/.test(text));
    fc.assert(
      fc.property(
        line,
        fc.array(line, { maxLength: 4 }),
        fc.constantFrom(...Object.values(TEXTS)),
        (name, constraints, text) => {
          const added = read(addIntent(text, { ...WANTED, name, constraints })).intents.at(-1);
          expect(added).toMatchObject({ name, constraints });
        },
      ),
    );
  });
});
