import { sha256 } from '../digest.ts';
import { BLANK_FINGERPRINT } from '../fingerprint.ts';
import { choose, type Place } from './choose.ts';
import { countLines, isEvidence, isOriginal, withCompany } from './evidence.ts';
import { findRuns, layOut, type Run, weighFile } from './runs.ts';
import type { Evidence, FileText, LineAnswer, RecordedBlock } from './types.ts';

const UNATTRIBUTED: LineAnswer = { kind: 'unattributed', touchedBy: [] };

/**
 * Finds the recorded block that each line of a file comes from (H-80, H-81, H-83). Pure and near-linear.
 *
 * Matches runs of equal line fingerprints, keeps those that are evidence, and gives each line to the best run over
 * it. A line without proof is unattributed.
 */
export function attribute(file: FileText, blocks: readonly RecordedBlock[]): LineAnswer[] {
  const lines = weighFile(file);
  const row = layOut(file, blocks);
  const counts = countLines(file, lines, row);
  const accepted: Run[] = [];
  const rejected: Run[] = [];
  for (const run of findRuns(lines, row)) (isEvidence(run, lines, counts) ? accepted : rejected).push(run);
  const company = new Set(withCompany(accepted, rejected));

  const places: Place[][] = lines.map(() => []);
  for (const run of [...accepted, ...company]) {
    const original = !company.has(run) && isOriginal(run, lines, counts);
    for (let k = 0; k < run.length; k++) {
      places[run.at + k]!.push({ run, recorded: row[run.from + k]!, original });
    }
  }

  const answers: LineAnswer[] = file.lines.map(() => UNATTRIBUTED);
  const exact = new Map<string, boolean>();
  const evidenceOf = (run: Run, otherwise: Evidence): Evidence => {
    const { block, index } = row[run.from]!;
    const from = lines[run.at]!.index - index;
    const place = `${block.key}:${from}`;
    const stands = exact.get(place) ?? standsAt(file.lines, from, block);
    exact.set(place, stands);
    return stands ? 'exact' : otherwise;
  };

  lines.forEach((line, i) => {
    if (line.weight === 'trivial') return;
    const isMoved = (place: Place): boolean => {
      const { standing } = place.run.block;
      return place.run.samePath || standing === undefined || !standing.has(line.print);
    };
    const isExtra = (counts.inFile.get(line.print) ?? 0) < (counts.written.get(line.print) ?? 0);
    answers[line.index] = choose(
      places[i]!,
      (place) => place.original && isExtra && isMoved(place),
      (run) => evidenceOf(run, company.has(run) ? 'context' : 'lines'),
    );
  });
  lines.forEach((line, i) => {
    if (line.weight !== 'trivial') return;
    const beside = [neighbour(i, -1), neighbour(i, 1)];
    // A brace belongs to the run around it, unless the lines of that run were written by somebody else.
    const inRun = places[i]!.filter(({ run }) => beside.includes(run.block.key));
    if (inRun.length > 0)
      answers[line.index] = choose(
        inRun,
        () => false,
        (run) => evidenceOf(run, 'context'),
      );
  });
  function neighbour(i: number, step: 1 | -1): number | undefined {
    for (let at = i + step; at >= 0 && at < lines.length; at += step) {
      if (lines[at]!.weight === 'trivial') continue;
      const answer = answers[lines[at]!.index]!;
      return answer.kind === 'origin' ? answer.origin.key : undefined;
    }
    return undefined;
  }
  fillBlanks(answers, new Set(lines.map(({ index }) => index)), blocks);
  placeUnmoved(file, blocks, answers);
  return answers;
}

/**
 * Blank lines go to the block that both neighbours come from, or to one neighbour's block if that has a blank
 * line in this very place.
 */
function fillBlanks(
  answers: LineAnswer[],
  filled: ReadonlySet<number>,
  blocks: readonly RecordedBlock[],
): void {
  const byKey = new Map(blocks.map((block) => [block.key, block]));
  const fill = (at: number, step: 1 | -1, isInside: (key: number) => boolean): void => {
    const beside = answers[at - step];
    if (filled.has(at) || answers[at] !== UNATTRIBUTED || beside?.kind !== 'origin') return;
    const { key } = beside.origin;
    const line = beside.origin.line + step;
    const { startLine, prints } = byKey.get(key)!;
    if (prints[line - startLine] !== BLANK_FINGERPRINT && !isInside(key)) return;
    const evidence = beside.evidence === 'exact' ? 'exact' : 'context';
    answers[at] = { ...beside, origin: { key, line }, evidence };
  };
  let next: LineAnswer | undefined;
  const below = answers.map(() => next);
  for (let at = answers.length - 1; at >= 0; at--) {
    below[at] = next;
    if (filled.has(at)) next = answers[at];
  }
  for (let at = 0; at < answers.length; at++) {
    const under = below[at];
    fill(at, 1, (key) => under?.kind === 'origin' && under.origin.key === key);
  }
  for (let at = answers.length - 1; at >= 0; at--) fill(at, -1, () => false);
}

/**
 * A block without a telling line (`1`, `}`), or longer than its fingerprints, is known by its bytes at its old
 * place alone, and only if it is more than a line or the whole file.
 */
function placeUnmoved(file: FileText, blocks: readonly RecordedBlock[], answers: LineAnswer[]): void {
  for (const block of blocks) {
    const from = block.startLine - 1;
    const size = block.endLine - from;
    const own = block.path === file.path || file.formerPaths?.has(block.path) === true;
    if (!own || from + size > answers.length || (size < 2 && answers.length > 1)) continue;
    const free = answers.slice(from, from + size).map((answer) => answer === UNATTRIBUTED);
    if (!free.includes(true) || !standsAt(file.lines, from, block)) continue;
    for (let k = 0; k < size; k++) {
      if (!free[k] || (block.prints[k] ?? 0) % 2 === 1) continue;
      const origin = { key: block.key, line: block.startLine + k };
      answers[from + k] = { kind: 'origin', origin, evidence: 'exact', touchedBy: [] };
    }
  }
}

/** True if the block's exact bytes stand at a line; a final newline that came or went does not count. */
function standsAt(lines: readonly string[], from: number, block: RecordedBlock): boolean {
  const size = block.endLine - block.startLine + 1;
  if (from < 0 || from + size > lines.length) return false;
  const text = lines.slice(from, from + size).join('');
  const other = text.endsWith('\n') ? text.slice(0, -1) : `${text}\n`;
  return [text, other].some((bytes) => sha256(Buffer.from(bytes, 'latin1')) === block.contentHash);
}
