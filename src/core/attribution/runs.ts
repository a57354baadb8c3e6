import {
  BLANK_FINGERPRINT,
  countWordChars,
  fingerprintLine,
  isImportLike,
  type LineWeight,
  weighLine,
} from '../fingerprint.ts';
import type { FileText, RecordedBlock } from './types.ts';

/** Places where one fingerprint may begin a run; the best candidates come first, the rest only carries on. */
const MAX_SEEDS = 48;
/** Bound on compared pairs, so that a file of repeated lines cannot cost more than its size. */
const MAX_PAIRS = 600_000;
/** Lines that prove nothing are followed this far back from the first line that does. */
const MAX_LEAD = 64;

/** A line of the file that is not blank; blanks come and go with every formatter. */
export interface FileLine {
  /** 0-based, in the file. */
  readonly index: number;
  readonly print: number;
  readonly weight: LineWeight;
  readonly wordChars: number;
  readonly importLike: boolean;
}

/** A recorded line, blanks left out. */
export interface RecordedLine {
  readonly block: RecordedBlock;
  readonly samePath: boolean;
  /** 0-based, in the block. */
  readonly index: number;
  readonly print: number;
  readonly carried: boolean;
}

/** `length` lines of the file from `at` that equal the recorded lines from `from`. */
export interface Run {
  readonly at: number;
  readonly from: number;
  readonly length: number;
  readonly block: RecordedBlock;
  readonly samePath: boolean;
  /** Lines that are not trivial. */
  readonly substance: number;
  /** Of these, what is not an import, with its word characters. */
  readonly ownLines: number;
  readonly ownWordChars: number;
}

/** Weighs the file's lines, those of its window. */
export function weighFile(file: FileText): FileLine[] {
  const { from, to } = file.window ?? { from: 0, to: file.lines.length };
  return file.lines.slice(from, to).flatMap((text, k) => {
    const print = fingerprintLine(text);
    if (print === BLANK_FINGERPRINT) return [];
    const weight = weighLine(text);
    const importLike = weight !== 'trivial' && isImportLike(text);
    return { index: from + k, print, weight, wordChars: countWordChars(text), importLike };
  });
}

/** Lays the candidates' lines in a row: the file's own records first, then the older before the younger. */
export function layOut(file: FileText, blocks: readonly RecordedBlock[]): RecordedLine[] {
  const isSame = (path: string): boolean => path === file.path || file.formerPaths?.has(path) === true;
  const ordered = blocks
    .map((block) => ({ block, samePath: isSame(block.path), time: Date.parse(block.timestamp) }))
    .sort(
      (a, b) =>
        Number(b.samePath) - Number(a.samePath) ||
        a.time - b.time ||
        a.block.seq - b.block.seq ||
        a.block.key - b.block.key,
    );
  const row: RecordedLine[] = [];
  for (const { block, samePath } of ordered) {
    block.prints.forEach((marked, index) => {
      const print = marked - (marked % 2);
      if (print !== BLANK_FINGERPRINT) row.push({ block, samePath, index, print, carried: marked !== print });
    });
  }
  return row;
}

/** The longest equal stretches of file and records. A run begins at a line that means something. */
export function findRuns(lines: readonly FileLine[], row: readonly RecordedLine[]): Run[] {
  const seeds = new Map<number, number[]>();
  for (const line of lines) if (line.weight !== 'trivial') seeds.set(line.print, []);
  row.forEach(({ print }, at) => {
    const places = seeds.get(print);
    if (places !== undefined && places.length < MAX_SEEDS) places.push(at);
  });
  const runs: Run[] = [];
  const coveredTo = new Map<number, number>();
  let pairs = 0;
  const equal = (i: number, p: number, block: RecordedBlock): boolean =>
    i >= 0 && i < lines.length && row[p]?.block === block && row[p]!.print === lines[i]!.print;
  lines.forEach((line, i) => {
    for (const p of seeds.get(line.print) ?? []) {
      // One diagonal holds one run at a time: what an earlier seed covered is not begun again.
      if ((coveredTo.get(p - i) ?? -1) >= i || pairs > MAX_PAIRS) continue;
      const { block, samePath } = row[p]!;
      let lead = 0;
      while (lead < MAX_LEAD && equal(i - lead - 1, p - lead - 1, block)) lead++;
      let end = 1;
      while (equal(i + end, p + end, block) && pairs++ <= MAX_PAIRS) end++;
      pairs += lead + 1;
      coveredTo.set(p - i, i + end - 1);
      const covered = lines.slice(i - lead, i + end).filter(({ weight }) => weight !== 'trivial');
      const own = covered.filter(({ importLike }) => !importLike);
      runs.push({
        at: i - lead,
        from: p - lead,
        length: lead + end,
        block,
        samePath,
        substance: covered.length,
        ownLines: own.length,
        ownWordChars: own.reduce((sum, { wordChars }) => sum + wordChars, 0),
      });
    }
  });
  return runs;
}
