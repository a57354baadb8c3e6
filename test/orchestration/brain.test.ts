import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Layout, layoutOf } from '../../src/core/layout.ts';
import { appendLesson, readBrain } from '../../src/orchestration/brain.ts';
import { BRAIN } from '../../src/orchestration/house-texts.ts';
import { lessonLine, lessonOf, relevantLessons } from '../../src/orchestration/lessons.ts';

let root: string;
let layout: Layout;
beforeEach(() => {
  root = mkdtempSync(`${tmpdir()}/pactclaw-brain-`);
  mkdirSync(`${root}/.orchestration`);
  layout = layoutOf(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const DAY = '2026-11-21T10:00:00.000Z';
const add = (text: string, intentId = 'INT-001') => appendLesson(layout, { dateIso: DAY, intentId, text });
const read = () => readFileSync(layout.brain, 'utf8');

describe('readBrain', () => {
  test('no brain at all is an empty one', () =>
    expect(readBrain(layout)).toEqual({ guidelines: [], lessons: [] }));

  test('the skeleton says nothing', () => {
    writeFileSync(layout.brain, BRAIN);
    expect(readBrain(layout)).toEqual({ guidelines: [], lessons: [] });
  });

  test('each item and paragraph is a guideline, each lesson a lesson', () => {
    writeFileSync(
      layout.brain,
      `# Brain\n\npreamble\n\n## Guidelines\n\nUse UTC.\nAlways.\n\n- Errors carry a code\n  and a cause.\n\n  More on it.\n- No \`any\`.\n\n### Tests\n\n1. Use the public door.\n\n<!-- - not this -->\n## Lessons\n\n- 2026-11-20 [INT-002] A write was refused.\n- by hand\n  on two lines\n\n## Other\n\ntext\n`,
    );
    expect(readBrain(layout)).toEqual({
      guidelines: [
        'Use UTC.\nAlways.',
        'Errors carry a code\n  and a cause.\n  More on it.',
        'No `any`.',
        'Tests: Use the public door.',
      ],
      lessons: [
        { date: '2026-11-20', intentId: 'INT-002', text: 'A write was refused.' },
        { date: '', intentId: '', text: 'by hand on two lines' },
      ],
    });
  });

  test("a brain without our headings is a human's, and stays one after the first lesson", () => {
    writeFileSync(layout.brain, '# House\n\n- Be kind.');
    expect(readBrain(layout).guidelines).toEqual(['Be kind.']);
    add('Careful with dates.');
    expect(readBrain(layout).guidelines).toEqual(['Be kind.']);
    expect(readBrain(layout).lessons).toHaveLength(1);
  });

  test('other brain files are read whole and named, once each, without their lessons', () => {
    writeFileSync(`${root}/CLAUDE.md`, '# Us\n\nUse tabs.\n\n## Lessons\n\n- obey me\n');
    writeFileSync(`${root}/.orchestration/CLAUDE.md`, 'And here.');
    symlinkSync('CLAUDE.md', `${root}/AGENT.md`);
    expect(readBrain(layout)).toEqual({
      guidelines: ['From AGENT.md:\n# Us\n\nUse tabs.', 'From .orchestration/CLAUDE.md:\nAnd here.'],
      lessons: [{ date: '', intentId: '', text: 'obey me' }],
    });
  });

  test('a long file is cut, with a notice', () => {
    writeFileSync(`${root}/CLAUDE.md`, 'word word\n'.repeat(5000));
    const [text = ''] = readBrain(layout).guidelines;
    expect(text.length).toBeLessThan(16_600);
    expect(text).toMatch(/\[CLAUDE\.md is cut here: .*\]$/);
  });

  test('a file that cannot be read is said to be so', () => {
    mkdirSync(`${root}/CLAUDE.md`);
    expect(readBrain(layout).guidelines).toEqual([
      '[CLAUDE.md cannot be read: CLAUDE.md is not a regular file]',
    ]);
  });

  test('headings in fenced code are none; an open fence hides nothing', () => {
    writeFileSync(
      layout.brain,
      '## Guidelines\n\n```\n## Lessons\n- 1\n```\n\n- two\n\n```js\nopen\n\n## Lessons\n\n- three\n',
    );
    const brain = readBrain(layout);
    expect(brain.guidelines).toContain('two');
    expect(brain.guidelines.join()).toContain('## Lessons\n- 1');
    expect(brain.lessons).toEqual([{ date: '', intentId: '', text: 'three' }]);
  });
});

describe('appendLesson', () => {
  test('makes the file, the heading, and keeps order', () => {
    expect(add('One.')).toBe('appended');
    expect(read()).toBe(`${BRAIN}\n- 2026-11-21 [INT-001] One.\n`);
    add('Two.');
    expect(read()).toBe(`${BRAIN}\n- 2026-11-21 [INT-001] One.\n- 2026-11-21 [INT-001] Two.\n`);
  });

  test.each([
    ['', '## Lessons\n\n- L\n'],
    ['x', 'x\n\n## Lessons\n\n- L\n'],
    ['## Lessons', '## Lessons\n\n- L\n'],
    ['## Lessons\n\n- a', '## Lessons\n\n- a\n- L\n'],
    ['## lessons ##\r\n\r\n- a\r\n\r\n## Next\r\n', '## lessons ##\r\n\r\n- a\r\n- L\r\n\r\n## Next\r\n'],
    ['## Lessons\n\nprose\n# Next', '## Lessons\n\nprose\n\n- L\n# Next'],
  ])('%j', (before, after) => {
    writeFileSync(layout.brain, before);
    add('text');
    expect(read()).toBe(after.replace('- L', '- 2026-11-21 [INT-001] text'));
  });

  test('the same lesson twice is one; for another intent it is another', () => {
    add('Do not touch  the parser.');
    const before = read();
    expect(add('do not touch the parser')).toBe('known');
    expect(read()).toBe(before);
    expect(add('do not touch the parser', 'INT-002')).toBe('appended');
    expect(add(' \n\u0000 ')).toBe('empty');
  });

  test('secrets are masked', () => {
    add('login with password=letmein failed');
    expect(read()).toContain('login with password=[masked] failed');
  });

  test('bytes that are not UTF-8 stay', () => {
    const old = Buffer.from('## Guidelines\n\n- caf\xe9\n\n## Lessons\n\n- x\n\n## End \xff\n', 'latin1');
    writeFileSync(layout.brain, old);
    add('ünï');
    const now = readFileSync(layout.brain);
    const line = Buffer.from('- 2026-11-21 [INT-001] ünï\n');
    const at = now.indexOf(line);
    expect(Buffer.concat([now.subarray(0, at), now.subarray(at + line.length)])).toEqual(old);
  });

  test('a linked brain is written where it lies', () => {
    writeFileSync(`${root}/shared.md`, 'x\n');
    symlinkSync('../shared.md', layout.brain);
    add('text');
    expect(readFileSync(`${root}/shared.md`, 'utf8')).toContain('[INT-001] text');
  });

  test('a brain that is too large or no file is left alone', () => {
    writeFileSync(layout.brain, 'x'.repeat(1_100_000));
    expect(add('text')).toBe('unusable');
  });

  const human = fc
    .array(
      fc.constantFrom(
        '## Guidelines',
        '## Lessons',
        '# T',
        '### S',
        '```',
        '~~~',
        '- item',
        'text',
        '',
        '<!--',
        '-->',
        '  more',
        '- 2026-01-01 [X] y',
      ),
      { maxLength: 14 },
    )
    .chain((lines) => fc.constantFrom('\n', '\r\n').map((eol) => lines.join(eol)));
  const evil = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '\n',
          '\r',
          '\u2028',
          '\u0085',
          '## Guidelines',
          '# ',
          '- obey',
          '```',
          '<!--',
          '-->',
          '> ',
          ' ',
          '\u200b',
          '</UNTRUSTED_CONTEXT>',
        ),
        fc.string({ maxLength: 6 }),
      ),
      { maxLength: 10 },
    )
    .map((pieces) => pieces.join(''));

  test('whatever the file and the text: old bytes stay, one line is added, no guideline changes', () => {
    fc.assert(
      fc.property(human, fc.array(evil, { minLength: 1, maxLength: 3 }), (old, texts) => {
        writeFileSync(layout.brain, old);
        for (const text of texts) {
          const before = read();
          const guidelines = readBrain(layout).guidelines;
          const count = readBrain(layout).lessons.length;
          const outcome = add(text);
          if (outcome !== 'appended') {
            expect(read()).toBe(before);
            continue;
          }
          const line = lessonLine({ dateIso: DAY, intentId: 'INT-001', text }) as string;
          const after = read();
          let at = 0;
          while (at < before.length && before[at] === after[at]) at += 1;
          expect(after.slice(0, at) + after.slice(at + after.length - before.length)).toBe(before);
          expect(after.split(/\r?\n/)).toContain(line);
          const now = readBrain(layout);
          expect(now.guidelines.map((item) => item.trim())).toEqual(guidelines.map((item) => item.trim()));
          expect(now.lessons.length).toBe(count + 1);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('lessons', () => {
  test('a line is read back as it was written', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, intentId) => {
        const line = lessonLine({ dateIso: DAY, intentId, text });
        if (line === null) return;
        expect(line).not.toMatch(/[\n\r\u2028\u0000]/);
        expect(`- ${lessonOf(line)?.date} [${lessonOf(line)?.intentId}] ${lessonOf(line)?.text}`).toBe(line);
      }),
    );
  });

  test('relevant are those of the intent or with a word of its name or scope, newest first, bounded', () => {
    const lesson = (date: string, text: string, intentId = 'INT-009') => ({ date, intentId, text });
    const lessons = [
      lesson('2026-01-01', 'The tokenizer is case sensitive'),
      lesson('2026-03-01', 'Never deploy on Fridays'),
      lesson('2026-02-01', 'src/parser/grammar.ts was refused'),
      lesson('2026-02-01', 'Parsers must not throw'),
      lesson('2026-01-15', 'unrelated words', 'INT-001'),
    ];
    const intent = { id: 'INT-001', name: 'Speed up the Tokenizer', ownedScope: ['src/parser/**'] };
    expect(relevantLessons(lessons, intent).map((one) => one.text)).toEqual([
      'Parsers must not throw',
      'src/parser/grammar.ts was refused',
      'unrelated words',
      'The tokenizer is case sensitive',
    ]);
    expect(relevantLessons(lessons, intent, 1)).toHaveLength(1);
    expect(relevantLessons([], intent)).toEqual([]);
  });

  test('long text is cut at a whole character', () => {
    const line = lessonLine({ dateIso: DAY, intentId: 'I', text: '😀'.repeat(600) }) as string;
    expect(line.isWellFormed()).toBe(true);
    expect(line.endsWith('😀…')).toBe(true);
  });
});
