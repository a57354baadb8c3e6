import { describe, expect, it } from 'vitest';
import { attribute } from '../../src/core/attribution/attribute.ts';
import { effortOf } from '../support/effort.ts';
import { linesOf, Recorder } from './attribution-support.ts';

const CODE = `function settleInvoice(invoice) {
  const total = sumOfPositions(invoice.positions);
  if (!total) {
    return null;
  }

  return { ...invoice, total };
}
`;
const HUMAN = "import x from 'y';\n\nconst written = byHumanHands();\n";

/** One letter a line: the intent's, `?` ambiguous, `.` unattributed. */
function mapOf(recorder: Recorder, path: string, text: string, formerPaths?: ReadonlySet<string>): string {
  return attribute({ path, lines: linesOf(text), ...(formerPaths && { formerPaths }) }, recorder.blocks)
    .map((a) =>
      a.kind === 'origin' ? recorder.blocks[a.origin.key]!.intentId : a.kind === 'ambiguous' ? '?' : '.',
    )
    .join('');
}

function recorded(): Recorder {
  const recorder = new Recorder();
  recorder.record('A', 'a.ts', null, CODE);
  return recorder;
}

describe('attribute (H-80, H-81, H-83)', () => {
  const indented = CODE.replace(/^(?=.)/gm, '\t');
  it.each([
    ['as written', 'a.ts', CODE, 'AAAAAAAA'],
    [
      'moved down, with 50 lines above',
      'a.ts',
      'const h = 0;\n'.repeat(50) + CODE,
      `${'.'.repeat(50)}AAAAAAAA`,
    ],
    ['re-indented', 'a.ts', indented, 'AAAAAAAA'],
    ['moved to another file', 'b.ts', HUMAN + CODE, '...AAAAAAAA'],
    ['final newline gone', 'a.ts', CODE.slice(0, -1), 'AAAAAAAA'],
    ['CRLF', 'a.ts', CODE.replaceAll('\n', '\r\n'), 'AAAAAAAA'],
    ['a line edited by a human', 'a.ts', CODE.replace('sumOfPositions', 'addUp'), 'A.AAAAAA'],
    ['blank lines inserted by a formatter', 'a.ts', CODE.replace('  if', '\n  if'), 'AAAAAAAAA'],
    [
      'a human function beside it',
      'a.ts',
      `${CODE}function other() {\n  return undefined;\n}\n`,
      'AAAAAAAA...',
    ],
    ['clone of a common line elsewhere', 'b.ts', 'function g() {\n  return null;\n}\n', '...'],
    ['lone long line elsewhere', 'b.ts', '  const total = sumOfPositions(invoice.positions);\n', 'A'],
    ['only braces elsewhere', 'b.ts', '}\n}\n\n', '...'],
    ['empty file', 'a.ts', '', ''],
  ])('%s', (_, path, text, expected) => {
    expect(mapOf(recorded(), path, text)).toBe(expected);
  });

  it('labels its evidence', () => {
    const [first, ...rest] = attribute({ path: 'a.ts', lines: linesOf(CODE) }, recorded().blocks);
    expect(first).toMatchObject({ kind: 'origin', origin: { line: 1 }, evidence: 'exact', touchedBy: [] });
    expect(rest.every((a) => a.kind === 'origin' && a.evidence === 'exact')).toBe(true);
    const changed = attribute({ path: 'a.ts', lines: linesOf(indented) }, recorded().blocks);
    expect(changed.map((a) => a.kind === 'origin' && a.evidence)).toEqual(
      ['lines', 'lines', 'lines', 'lines', 'context', 'context', 'lines', 'context'], // biome-ignore format: short
    );
    expect(changed.map((a) => a.kind === 'origin' && a.origin.line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('names the author as origin and the mover as the one who touched it', () => {
    const recorder = recorded();
    recorder.record('B', 'b.ts', HUMAN, `${HUMAN}const extra = ownLineOfIntentB();\n${CODE}`);
    const answers = attribute(
      { path: 'b.ts', lines: linesOf(`${HUMAN}const extra = ownLineOfIntentB();\n${CODE}`) },
      recorder.blocks,
    );
    expect(answers[3]).toMatchObject({ kind: 'origin', origin: { key: 1 }, touchedBy: [] });
    expect(answers[5]).toMatchObject({ kind: 'origin', origin: { key: 0, line: 2 }, touchedBy: [1] });
  });

  it('lets a telling line keep its author when a short one came along with it', () => {
    const pair = 'uniqueStatement(number2, of7, file0);\nif (!result) {\n';
    const recorder = new Recorder();
    recorder.record('A', 'a.ts', null, `const first = 1;\n${pair}`);
    recorder.record('B', 'b.ts', null, pair);
    expect(mapOf(recorder, 'b.ts', `}\n${pair}`)).toBe('.AA');
  });

  it('does not make an agent the author of human code that it re-indented or moved', () => {
    const recorder = new Recorder();
    const human = 'alphaCalculation(firstArgument);\nbetaCalculation(secondArgument);\n';
    const after =
      'if (enabledBySettings()) {\n  alphaCalculation(firstArgument);\n  betaCalculation(secondArgument);\n}\n';
    recorder.record('A', 'a.ts', human, after);
    expect(mapOf(recorder, 'a.ts', after)).toBe('A..A');
    const answer = attribute({ path: 'a.ts', lines: linesOf(after) }, recorder.blocks)[1];
    expect(answer).toEqual({ kind: 'unattributed', touchedBy: [0] });
  });

  it('keeps a copy with the record of its own file when the first still stands elsewhere', () => {
    const recorder = recorded();
    recorder.record('B', 'b.ts', null, CODE);
    const standing = new Set(recorder.blocks[0]!.prints);
    const [first, second] = recorder.blocks;
    const answers = attribute({ path: 'b.ts', lines: linesOf(CODE) }, [{ ...first!, standing }, second!]);
    expect(answers.every((a) => a.kind === 'origin' && a.origin.key === 1)).toBe(true);
  });

  it('gives a lone line of the same file only as often as records wrote it', () => {
    const recorder = new Recorder();
    recorder.record('A', 'a.ts', 'const one = 1;\n', 'const one = 1;\nreset();\n');
    expect(mapOf(recorder, 'a.ts', 'reset();\nconst one = 1;\n')).toBe('A.');
    expect(mapOf(recorder, 'a.ts', 'reset();\nconst one = 1;\nreset();\n')).toBe('...');
  });

  it('is ambiguous when two writers wrote the same at the same time', () => {
    const recorder = new Recorder();
    recorder.record('A', 'c.ts', null, CODE, { time: 0, writer: 'v' });
    recorder.record('B', 'd.ts', null, CODE, { time: 0, writer: 'w' });
    expect(mapOf(recorder, 'e.ts', CODE)[1]).toBe('?');
  });

  it("takes the records of a former name as the file's own", () => {
    const recorder = new Recorder();
    recorder.record('A', 'old.ts', null, 'run();\nstop();\n');
    expect(mapOf(recorder, 'new.ts', 'run();\nstop();\n')).toBe('..');
    expect(mapOf(recorder, 'new.ts', 'run();\nstop();\n', new Set(['old.ts']))).toBe('AA');
  });

  it('knows a file of trivial lines by its bytes at its place', () => {
    const recorder = new Recorder();
    recorder.record('A', 'data.txt', null, '1\n2\n');
    expect(mapOf(recorder, 'data.txt', '1\n2\n')).toBe('AA');
    expect(mapOf(recorder, 'other.txt', '1\n2\n')).toBe('..');
  });

  it('keeps a short line that a human left between two edited ones', () => {
    const text = HUMAN + CODE.replace('  }\n\n', '  log();\n').replace('  if (!total) {', '  check(total);');
    expect(mapOf(recorded(), 'b.ts', text)).toBe('...AA.A.AA');
  });

  it.each([
    ['two short lines are a figure of speech', 'if (!okay) {\n  return null;\n}\n', 1],
    ['a long line that many files hold is common', 'const description = translate(messageOfTheDay);\n', 6],
  ])('%s', (_, text, files) => {
    const recorder = new Recorder();
    for (let i = 0; i < files; i++) recorder.record('A', `f${i}.ts`, null, text);
    expect(mapOf(recorder, 'human.ts', text)).toMatch(/^\.+$/);
  });

  it('stays near-linear on repeated lines', () => {
    const recorder = new Recorder();
    for (let i = 0; i < 20; i++) recorder.record('A', `f${i}.ts`, null, 'the same line again\n'.repeat(1000));
    const text = 'the same line again\n'.repeat(5000);
    expect(effortOf(() => mapOf(recorder, 'a.ts', text))).toBeLessThan(10);
  });
});
