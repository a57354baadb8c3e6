import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PactError } from '../../src/core/errors.ts';
import { INTENT_STATUSES, type IntentStatus } from '../../src/core/words.ts';
import { editStatus } from '../../src/orchestration/edit-intents.ts';
import { parseIntents } from '../../src/orchestration/parse-intents.ts';

const parse = (text: string) => parseIntents(new TextEncoder().encode(text));

/** One intent of a generated file, and what its text is with another status and reason. */
interface Item {
  readonly id: string;
  readonly status: IntentStatus;
  readonly render: (change: Change | null) => string;
}

interface Change {
  readonly status: IntentStatus;
  readonly reason: string | null;
}

const reasonText = fc.oneof(
  fc.constantFrom('loop: 4th call', 'a # b', '"q" \\ {x}', "it's", '- x', 'é😀'),
  fc.string({ minLength: 1 }),
);
const comment = fc.constantFrom('', '', ' # why', '   #x: y');
const status = fc.constantFrom(...INTENT_STATUSES);

/** Keys that stand around the status, some of which look like it. */
const noise = fc.constantFrom(
  (pad: string) => [`${pad}note: |`, `${pad}  status: DONE`, '', `${pad}  blocked_reason: no`],
  (pad: string) => [`${pad}more: >-`, `${pad}    folded`, `${pad}    text`],
  (pad: string) => [`${pad}owner: {status: PENDING, blocked_reason: x}`],
  (pad: string) => [`${pad}history:`, `${pad}- {status: DONE, at: 1}`, `${pad}- status: PENDING`],
  (pad: string) => [`${pad}# status: BLOCKED`],
  (pad: string) => [`${pad}"quoted key": 'it''s'`],
  () => [''],
  () => ['# at the margin'],
);

function blockItem(id: string, eol: string): fc.Arbitrary<Item> {
  return fc
    .record({
      status,
      dash: fc.constantFrom('- ', '-   ', '-  '),
      quote: fc.constantFrom('', '"', "'"),
      gap: fc.constantFrom(' ', '   '),
      after: comment,
      reason: fc.option(
        fc.record({ text: fc.constantFrom('old', '"old"', "'o''ld'", 'null', '~'), after: comment }),
      ),
      reasonFirst: fc.boolean(),
      before: fc.array(noise, { maxLength: 2 }),
      between: fc.array(noise, { maxLength: 2 }),
      end: fc.array(noise, { maxLength: 2 }),
      block: fc.boolean(),
    })
    .map((it) => {
      const pad = `  ${' '.repeat(it.dash.length)}`;
      const noisy = (list: readonly ((pad: string) => string[])[], used: Set<unknown>) =>
        list.filter((one) => !used.has(one) && used.add(one)).flatMap((one) => one(pad));
      const render = (change: Change | null): string => {
        const used = new Set<unknown>();
        const word = change ? change.status : `${it.quote}${it.status}${it.quote}`;
        const lines = [`  ${it.dash}id: ${id} # ${id}`, ...noisy(it.before, used)];
        const own: string[] = [];
        if (it.reason && change?.reason === undefined)
          own.push(`${pad}blocked_reason: ${it.reason.text}${it.reason.after}`);
        else if (it.reason && change && change.reason !== null)
          own.push(`${pad}blocked_reason: ${JSON.stringify(change.reason)}${it.reason.after}`);
        const added =
          !it.reason && change && change.reason !== null
            ? [`${pad}blocked_reason: ${JSON.stringify(change.reason)}`]
            : [];
        if (it.reasonFirst) lines.push(...own);
        lines.push(`${pad}status:${it.gap}${word}${it.after}`, ...added, ...noisy(it.between, used));
        if (!it.reasonFirst) lines.push(...own);
        lines.push(`${pad}name: N`);
        if (it.block)
          lines.push(
            `${pad}owned_scope:`,
            `${pad}- src/a/**`,
            `${pad}constraints:`,
            `${pad}  - |`,
            `${pad}    status: PENDING`,
          );
        else lines.push(`${pad}owned_scope: [src/a/**]`, `${pad}constraints: [ "a, b" ]`);
        lines.push(`${pad}acceptance_criteria: []`, ...noisy(it.end, used));
        return lines.map((line) => line + eol).join('');
      };
      return { id, status: it.status, render };
    });
}

function flowItem(id: string, eol: string): fc.Arbitrary<Item> {
  return fc
    .record({
      status,
      quote: fc.constantFrom('', '"'),
      wide: fc.boolean(),
      reason: fc.option(fc.constantFrom('old', '"o, }"')),
    })
    .map((it) => {
      const gap = it.wide ? `,${eol}      ` : ', ';
      const render = (change: Change | null): string => {
        const word = change ? change.status : `${it.quote}${it.status}${it.quote}`;
        const told = change && change.reason !== null ? JSON.stringify(change.reason) : null;
        const added = told !== null && it.reason === null ? `, blocked_reason: ${told}` : '';
        const kept =
          it.reason !== null && !(change && change.reason === null)
            ? `${gap}blocked_reason: ${told ?? it.reason}`
            : '';
        return `  - {id: ${id}${gap}status: ${word}${added}${kept}${gap}name: N, owned_scope: [src/a/**], constraints: [], acceptance_criteria: [] } # flow${eol}`;
      };
      return { id, status: it.status, render };
    });
}

const file = fc.constantFrom('\n', '\r\n').chain((eol) =>
  fc.integer({ min: 1, max: 4 }).chain((count) =>
    fc.record({
      items: fc.tuple(
        ...Array.from({ length: count }, (_, index) =>
          fc.oneof(blockItem(`I-${index}`, eol), flowItem(`I-${index}`, eol)),
        ),
      ),
      head: fc.constantFrom('', `# mine${eol}${eol}`, `version: 2${eol}`, `---${eol}`, '\ufeff'),
      tail: fc.constantFrom('', `${eol}# end`, `other: {status: x}${eol}`),
      eol: fc.constant(eol),
    }),
  ),
);

describe('editStatus', () => {
  test('changes one status and its reason; every other byte stays', () => {
    fc.assert(
      fc.property(
        file,
        fc.nat(),
        status,
        fc.option(reasonText),
        ({ items, head, tail, eol }, pick, to, reason) => {
          const target = items[pick % items.length] as Item;
          const whole = (change: Change | null) =>
            `${head}active_intents:${eol}${items.map((item) => item.render(item === target ? change : null)).join('')}${tail}`;
          const before = whole(null);
          expect(parse(before).problems).toEqual([]);
          const after = editStatus(before, target.id, to, reason);
          expect(after).toBe(whole({ status: to, reason }));
          const intent = parse(after).intents.find(({ id }) => id === target.id);
          expect(intent?.status).toBe(to);
          expect(intent?.blockedReason).toBe(reason ?? undefined);
        },
      ),
      { numRuns: 200 },
    );
  });

  const one = (lines: string) =>
    `active_intents:\n  - id: A\n    name: N\n${lines}\n    owned_scope: [src/a/**]\n    constraints: []\n    acceptance_criteria: []\n`;

  test.each([
    [
      'an empty reason',
      '    status: PENDING\n    blocked_reason:',
      '    status: BLOCKED\n    blocked_reason: "why"',
    ],
    [
      'an empty reason with a comment',
      '    status: PENDING\n    blocked_reason: # none',
      '    status: BLOCKED\n    blocked_reason: "why" # none',
    ],
    [
      'a block scalar as reason',
      '    blocked_reason: |\n      old\n      text\n    status: PENDING',
      '    blocked_reason: "why"\n    status: BLOCKED',
    ],
    ['a folded status', '    status: >-\n      PENDING', '    status: BLOCKED\n    blocked_reason: "why"'],
    [
      'a reason over two lines',
      '    status: PENDING\n    blocked_reason: old\n      text',
      '    status: BLOCKED\n    blocked_reason: "why"',
    ],
    ['a tag', '    status: !!str PENDING', '    status: !!str BLOCKED\n    blocked_reason: "why"'],
    ['an anchor nobody uses', '    status: &s PENDING', '    status: &s BLOCKED\n    blocked_reason: "why"'],
  ])('%s', (_, before, after) => expect(editStatus(one(before), 'A', 'BLOCKED', 'why')).toBe(one(after)));

  test.each([
    [
      'a block scalar as reason',
      '    blocked_reason: |\n      old\n      text\n    status: BLOCKED',
      '    status: IN_PROGRESS',
    ],
    ['an empty reason', '    status: BLOCKED\n    blocked_reason:', '    status: IN_PROGRESS'],
    [
      'a reason over two lines',
      '    status: BLOCKED\n    blocked_reason: old\n      text',
      '    status: IN_PROGRESS',
    ],
  ])('without a reason any more: %s', (_, before, after) =>
    expect(editStatus(one(before), 'A', 'IN_PROGRESS', null)).toBe(one(after)),
  );

  test('a file that ends in the status, without a newline', () => {
    const text =
      'intents:\n- title: N\n  intent_id: A\n  scope: x.ts\n  constraints: []\n  acceptance_criteria: []\n  status: active';
    expect(editStatus(text, 'A', 'BLOCKED', 'why')).toBe(
      `${text.replace('active', 'BLOCKED')}\n  blocked_reason: "why"\n`,
    );
  });

  test('a status that comes first keeps its column', () => {
    const text =
      '-   status: PENDING\n    id: A\n    name: N\n    owned_scope: [a]\n    constraints: []\n    acceptance_criteria: []\n';
    expect(editStatus(text, 'A', 'BLOCKED', 'why')).toBe(
      text.replace('PENDING\n', 'BLOCKED\n    blocked_reason: "why"\n'),
    );
  });

  const two = (first: string, second: string) =>
    `active_intents:\n${[first, second].map((line, index) => `  - id: ${'AB'[index]}\n    name: N\n    ${line}\n    owned_scope: [a]\n    constraints: []\n    acceptance_criteria: []\n`).join('')}`;

  test.each([
    ['no such intent', one('    status: PENDING'), 'X'],
    ['an anchor that another intent uses', two('status: &s PENDING', 'status: *s'), 'A'],
    [
      'an intent that is an alias',
      `x: &x {id: A, name: N, status: PENDING, owned_scope: [a], constraints: [], acceptance_criteria: []}\nactive_intents: [*x]\n`,
      'A',
    ],
    ['a broken file', `${one('    status: PENDING')}  - {id: [\n`, 'A'],
    ['no status', one('    x: y'), 'A'],
  ])('refuses rather than touch more: %s', (_, text, id) => {
    expect(() => editStatus(text, id, 'BLOCKED', 'why')).toThrow(PactError);
  });

  test('an alias is replaced by the status itself', () => {
    const text = two('status: &s PENDING', 'status: *s');
    expect(editStatus(text, 'B', 'COMPLETED', null)).toBe(text.replace('*s', 'COMPLETED'));
  });
});
