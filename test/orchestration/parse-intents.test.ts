import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIntents } from '../../src/orchestration/parse-intents.ts';
import { effortOf } from '../support/effort.ts';
import { runs } from '../support/runs.ts';

const parse = (text: string) => parseIntents(new TextEncoder().encode(text));

const GOOD = `# mine
active_intents:
  - id: INT-001
    name: Parser
    status: IN_PROGRESS
    owned_scope: [src/parser/**, "!src/parser/gen/**"]
    constraints:
      - No new dependency
    acceptance_criteria: []
    budget:
      max_turns: 5
    blocked_reason: was stuck
    owner: {team: x}
  - id: INT-002
    name: Docs
    status: PENDING
    owned_scope: [docs/guide/*.md]
    constraints: []
    acceptance_criteria: [A human read it]
`;

describe('a good file', () => {
  test('gives its intents with their lines', () => {
    const { intents, problems, warnings } = parse(GOOD);
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
    expect(intents).toMatchObject([
      {
        id: 'INT-001',
        name: 'Parser',
        status: 'IN_PROGRESS',
        ownedScope: ['src/parser/**', '!src/parser/gen/**'],
        constraints: ['No new dependency'],
        acceptanceCriteria: [],
        budget: { maxTurns: 5 },
        blockedReason: 'was stuck',
        line: 3,
        scope: { fault: null },
      },
      { id: 'INT-002', line: 14, budget: {} },
    ]);
  });

  test.each([
    ['CRLF', GOOD.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\ufeff${GOOD}`],
    ['a document marker', `---\n${GOOD}`],
  ])('with %s too', (_, text) => {
    const { intents, problems } = parse(text);
    expect(problems).toEqual([]);
    expect(intents.map(({ id }) => id)).toEqual(['INT-001', 'INT-002']);
  });

  test.each(['active_intents: []', 'active_intents:', 'active_intents: ~ # none yet'])(
    'no intents: %s',
    (text) => {
      expect(parse(text)).toEqual({ intents: [], problems: [], warnings: [] });
    },
  );

  test('a broad scope is no corruption: it is refused at selection', () => {
    const { intents, problems } = parse(GOOD.replace('src/parser/**', 'src/**'));
    expect(problems).toEqual([]);
    expect(intents[0]?.scope).toMatchObject({ globs: [], fault: { glob: 'src/**' } });
  });
});

describe('spellings of other tools', () => {
  test.each([
    ['intent_id', GOOD.replace('- id: INT-001', '- intent_id: INT-001'), 'INT-001: intent_id is read as id'],
    ['title', GOOD.replace('name: Parser', 'title: Parser'), 'INT-001: title is read as name'],
    ['scope', GOOD.replace('owned_scope: [src', 'scope: [src'), 'INT-001: scope is read as owned_scope'],
    [
      'lower case',
      GOOD.replace('IN_PROGRESS', 'in_progress'),
      'INT-001: status in_progress is read as IN_PROGRESS',
    ],
    ['DONE', GOOD.replace('status: PENDING', 'status: DONE'), 'INT-002: status DONE is read as COMPLETED'],
    [
      'scope as text',
      GOOD.replace('[docs/guide/*.md]', 'docs/guide/*.md'),
      'INT-002: owned_scope should be a list',
    ],
    [
      'constraints as text',
      GOOD.replace('constraints: []', 'constraints: None'),
      'INT-002: constraints should be a list',
    ],
    [
      'no criteria',
      GOOD.replace('    acceptance_criteria: []\n', ''),
      'INT-001: acceptance_criteria is missing; write acceptance_criteria: [] if there are none',
    ],
    ['root intents', GOOD.replace('active_intents:', 'intents:'), 'intents is read as active_intents'],
    [
      'a bare list',
      GOOD.replace('active_intents:\n', '').replaceAll(/^ {2}/gm, ''),
      'the root should be a map with the key active_intents',
    ],
  ])('%s', (_, text, warning) => {
    const { intents, problems, warnings } = parse(text);
    expect(problems).toEqual([]);
    expect(intents).toHaveLength(2);
    expect(warnings.map(({ message }) => message)).toEqual([warning]);
  });

  test('our own name wins over an alias', () => {
    const { intents } = parse(GOOD.replace('name: Parser', 'title: Other\n    name: Parser'));
    expect(intents[0]?.name).toBe('Parser');
  });
});

describe('a corrupt file gives no intent at all, and the line of each fault', () => {
  test.each([
    ['duplicate id', GOOD.replace('INT-002', 'INT-001'), 14, /duplicate id INT-001 \(first on line 3\)/],
    ['unknown status', GOOD.replace('PENDING', 'STARTED'), 14, /INT-002: status must be one of PENDING/],
    ['status of a wrong type', GOOD.replace('PENDING', '[PENDING]'), 14, /INT-002: status/],
    ['missing name', GOOD.replace('    name: Docs\n', ''), 14, /INT-002: name/],
    ['missing id', GOOD.replace('- id: INT-002\n    name', '- name'), 14, /item 2: id/],
    ['empty id', GOOD.replace('id: INT-002', 'id: ""'), 14, /id must not be empty/],
    ['id with a space', GOOD.replace('id: INT-002', 'id: "a b"'), 14, /id may hold/],
    ['id as number', GOOD.replace('id: INT-002', 'id: 2'), 14, /id must be text/],
    ['name on two lines', GOOD.replace('name: Docs', 'name: "a\\nb"'), 14, /name must not hold control/],
    ['scope as map', GOOD.replace('[docs/guide/*.md]', '{a: b}'), 14, /owned_scope must be a list/],
    ['scope with a number', GOOD.replace('[docs/guide/*.md]', '[1]'), 14, /owned_scope must hold text/],
    ['empty scope', GOOD.replace('[docs/guide/*.md]', '[]'), 14, /owned_scope must name at least one glob/],
    ['constraint as map', GOOD.replace('- No new dependency', '- a: b'), 3, /constraints must hold text/],
    ['turns as text', GOOD.replace('max_turns: 5', 'max_turns: "5"'), 3, /max_turns must be a whole number/],
    ['no turns', GOOD.replace('max_turns: 5', 'max_turns: 0'), 3, /max_turns must be at least 1/],
    [
      'turns without end',
      GOOD.replace('max_turns: 5', 'max_turns: .inf'),
      3,
      /max_turns must be a whole number/,
    ],
    ['budget as list', GOOD.replace('budget:\n      max_turns: 5', 'budget: [5]'), 3, /budget must be a map/],
    ['an item that is no map', `${GOOD}  - INT-003\n`, 20, /item 3 is not a map/],
    ['an empty item', `${GOOD}  -\n`, 20, /item 3 is not a map/],
    ['a key twice', GOOD.replace('name: Docs', 'name: Docs\n    name: Docs'), 16, /unique/i],
    ['broken syntax', `${GOOD}  - {id: [\n`, 21, /./],
    ['a tab for indentation', GOOD.replace('    name: Docs', '\tname: Docs'), 15, /tab/i],
    ['two documents', `${GOOD}---\n${GOOD}`, 20, /document/],
    ['no list', 'active_intents: 5\n', 1, /no list active_intents/],
    ['another root', 'hello: []\n', 1, /no list active_intents/],
    ['text', 'hello', 1, /no list active_intents/],
    ['nothing', '', 1, /no list active_intents/],
  ])('%s', (_, text, line, message) => {
    const { intents, problems } = parse(text);
    expect(intents).toEqual([]);
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.line).toBe(line);
  });

  test('every fault is told, not only the first', () => {
    const text = GOOD.replace('PENDING', 'STARTED').replace('max_turns: 5', 'max_turns: 0');
    expect(parse(text).problems.map(({ line }) => line)).toEqual([3, 14]);
  });
});

describe('a hostile file costs little', () => {
  test.each([
    ['more than a mebibyte', `# ${'x'.repeat(1 << 20)}\n${GOOD}`, /larger than/],
    ['a sequence of aliases', bomb((from) => `[${Array(9).fill(`*${from}`).join(',')}]`), /alias/i],
    ['a map of aliases', bomb((from) => `{a: *${from}, b: *${from}, c: *${from}}`, 'owner'), /alias/i],
    ['deep nesting', `active_intents: ${'['.repeat(50_000)}`, /./],
    ['deep maps', `active_intents: ${'{a: '.repeat(20_000)}`, /./],
  ])('%s', (_, text, message) => {
    expect(effortOf(() => parse(text))).toBeLessThan(15);
    const { intents, problems } = parse(text);
    expect(intents).toEqual([]);
    expect(problems[0]?.message).toMatch(message);
  });

  function bomb(level: (from: string) => string, key = 'constraints'): string {
    const levels = Array.from(
      { length: 12 },
      (_, index) => `    l${index + 1}: &l${index + 1} ${level(`l${index}`)}\n`,
    );
    return `active_intents:\n  - id: A\n    l0: &l0 x\n${levels.join('')}    ${key}: *l12\n`;
  }

  test('bytes that are not UTF-8', () => {
    expect(parseIntents(Buffer.from('active_intents: [\xe9]', 'latin1')).problems).toEqual([
      { line: 1, message: 'the file is not UTF-8' },
    ]);
  });

  test('whatever the bytes, it answers and never throws', () => {
    const piece = fc.constantFrom(
      'active_intents:',
      '\n',
      '  ',
      '- ',
      'id: A',
      '{',
      '}',
      '[',
      ']',
      '*a',
      '&a ',
      ': ',
      '|',
      '>-',
      '"',
      "'",
      '#',
      '!!str ',
      '<<: ',
      '? ',
      '---',
      '\t',
      '%',
      '@',
      'status: PENDING',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc
            .array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 30 })
            .map((all) => all.join('')),
        ),
        (text) => {
          const { intents, problems } = parse(text);
          if (problems.length > 0) expect(intents).toEqual([]);
          for (const { line } of problems) expect(line).toBeGreaterThan(0);
        },
      ),
      { numRuns: runs(1500) },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => void parseIntents(bytes)));
  });
});
