import { diffArrays } from 'diff';

/** A line diff with a bound on its work: what changed between two versions of a file (H-73). */

/** Bound on the line comparisons of one diff: (lines before + lines after) × edit length. */
const DIFF_WORK = 8_000_000;
const MAX_EDIT_LENGTH = 1_000;

/** A stretch of both versions: lines `[b0, b1)` of the old one face lines `[a0, a1)` of the new one. */
export interface Span {
  readonly b0: number;
  readonly b1: number;
  readonly a0: number;
  readonly a1: number;
}

/** Spans that may differ (some are empty on both sides). Where the exact diff would cost too much, fewer and larger ones. */
export function diffSpans(before: readonly string[], after: readonly string[]): Span[] {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const whole = { b0: head, b1: before.length - tail, a0: head, a1: after.length - tail };
  // Numbers compare in one step; long lines with long common beginnings do not.
  const ids = new Map<string, number>();
  const intern = (line: string): number => {
    const id = ids.get(line) ?? ids.size;
    if (id === ids.size) ids.set(line, id);
    return id;
  };
  const b = before.slice(0, whole.b1).map((line, i) => (i < head ? -1 : intern(line)));
  const a = after.slice(0, whole.a1).map((line, i) => (i < head ? -1 : intern(line)));
  return (
    exactSpans(b, a, whole) ??
    splitAtAnchors(b, a, whole, ids.size).flatMap((gap) => exactSpans(b, a, gap) ?? [gap])
  );
}

/** Myers' diff of one span, or undefined when it would go beyond the bound. */
function exactSpans(b: readonly number[], a: readonly number[], span: Span): Span[] | undefined {
  const size = span.b1 - span.b0 + span.a1 - span.a0;
  if (span.b0 === span.b1 || span.a0 === span.a1 || size === 2) return [span];
  const maxEditLength = Math.min(MAX_EDIT_LENGTH, Math.ceil(DIFF_WORK / size));
  const changes = diffArrays(b.slice(span.b0, span.b1), a.slice(span.a0, span.a1), { maxEditLength });
  if (changes === undefined) return undefined;
  const spans: Span[] = [];
  let { b0, a0 } = span;
  let b1 = b0;
  let a1 = a0;
  for (const change of changes) {
    if (change.removed) b1 += change.count;
    else if (change.added) a1 += change.count;
    else {
      spans.push({ b0, b1, a0, a1 });
      b0 = b1 += change.count;
      a0 = a1 += change.count;
    }
  }
  spans.push({ b0, b1, a0, a1 });
  return spans;
}

/** Patience: lines that each side has exactly once, in rising order on both, stay; the gaps between are left. */
function splitAtAnchors(b: readonly number[], a: readonly number[], span: Span, idCount: number): Span[] {
  const MANY = -2;
  const place = (ids: readonly number[], from: number, to: number): Int32Array => {
    const at = new Int32Array(idCount).fill(-1);
    for (let i = from; i < to; i++) at[ids[i]!] = at[ids[i]!] === -1 ? i : MANY;
    return at;
  };
  const inOld = place(b, span.b0, span.b1);
  const inNew = place(a, span.a0, span.a1);
  // Longest rising sequence of old places, walked in the order of the new ones.
  const tops: number[] = [];
  const previous = new Int32Array(span.a1).fill(-1);
  for (let i = span.a0; i < span.a1; i++) {
    const old = inOld[a[i]!]!;
    if (inNew[a[i]!] !== i || old < 0) continue;
    let low = 0;
    for (let high = tops.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (inOld[a[tops[middle]!]!]! < old) low = middle + 1;
      else high = middle;
    }
    previous[i] = low > 0 ? tops[low - 1]! : -1;
    tops[low] = i;
  }
  const gaps: Span[] = [];
  let { b1, a1 } = span;
  for (let i = tops.at(-1) ?? -1; i !== -1; i = previous[i]!) {
    const old = inOld[a[i]!]!;
    gaps.push({ b0: old + 1, b1, a0: i + 1, a1 });
    b1 = old;
    a1 = i;
  }
  gaps.push({ b0: span.b0, b1, a0: span.a0, a1 });
  return gaps.reverse();
}
