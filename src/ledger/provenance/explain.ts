import { attribute } from '../../core/attribution/attribute.ts';
import type { Evidence, FileText, LineAnswer, RecordedBlock } from '../../core/attribution/types.ts';
import { fingerprintLine, splitLines, unpackFingerprints } from '../../core/fingerprint.ts';
import type { TraceRecord } from '../../core/trace-record.ts';
import { candidatesFor } from './candidates.ts';
import { type OriginFacts, toFacts } from './facts.ts';
import { formerPathsOf, type ReadRecordAt } from './lookup.ts';
import type { ProvenanceIndex } from './port.ts';

/** Lines around the asked ones that are matched too: a line is known by the run it stands in. */
const MARGIN = 120;
/** A larger answer is made in parts, so that each part's candidates stay within their bound. */
const PART = 1_000;
/** Files looked at to tell a copy from a move. */
const MAX_STANDING_FILES = 24;

export interface ExplainPorts {
  readonly readRecordAt: ReadRecordAt;
  /** Present bytes of another workspace file, or null. With it, a copy is not mistaken for a move. */
  readonly readFile?: (path: string) => Uint8Array | null;
}

/** 1-based, both ends included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** What is known of one line (H-81): who wrote it and why, or that nothing says so (H-83). */
export type LineExplanation = { readonly line: number } & (
  | {
      readonly status: 'attributed';
      readonly evidence: Evidence;
      readonly origin: OriginFacts;
      readonly touchedBy: readonly OriginFacts[];
    }
  | { readonly status: 'ambiguous'; readonly origins: readonly OriginFacts[] }
  | { readonly status: 'unattributed'; readonly touchedBy: readonly OriginFacts[] }
);

/** Explains lines of a file as it is now, or all of them (H-80, H-81, H-83). Run `catchUp` before. */
export function explain(
  index: ProvenanceIndex,
  path: string,
  content: Uint8Array,
  ports: ExplainPorts,
  range?: LineRange,
): LineExplanation[] {
  if (content.includes(0)) return [];
  const lines = splitLines(content);
  const first = Math.max(1, range?.start ?? 1);
  const last = Math.min(lines.length, range?.end ?? lines.length);
  if (first > last) return [];
  const file = { path, formerPaths: formerPathsOf(index, path), lines };
  const standing = cacheStanding(path, ports.readFile);
  const answers: LineExplanation[] = [];
  for (let start = first; start <= last; start += PART) {
    const part = { start, end: Math.min(last, start + PART - 1) };
    answers.push(...explainPart(index, file, part, ports.readRecordAt, standing));
  }
  return answers;
}

function explainPart(
  index: ProvenanceIndex,
  file: FileText,
  { start, end }: LineRange,
  readRecordAt: ReadRecordAt,
  standing: Standing,
): LineExplanation[] {
  const { path, formerPaths, lines } = file;
  const window = { from: Math.max(0, start - 1 - MARGIN), to: Math.min(lines.length, end + MARGIN) };
  const known: { record: TraceRecord; rangeIndex: number }[] = [];
  const blocks: RecordedBlock[] = [];
  for (const offset of candidatesFor(index, path, lines.slice(window.from, window.to), formerPaths)) {
    const record = readRecordAt(offset);
    record?.ranges.forEach((_, rangeIndex) => {
      blocks.push(toBlock(record, rangeIndex, known.length, standing));
      known.push({ record, rangeIndex });
    });
  }
  const isWhole = window.from === 0 && window.to === lines.length;
  const answers = attribute(isWhole ? file : { ...file, window }, blocks);
  const factsOf = (key: number, line?: number): OriginFacts => {
    const { record, rangeIndex } = known[key]!;
    return toFacts(record, rangeIndex, line);
  };
  return answers
    .slice(start - 1, end)
    .map((answer, k) => ({ line: start + k, ...toExplanation(answer, factsOf) }));
}

/** Fingerprints that another file holds today; undefined if nobody could look. */
type Standing = (path: string) => ReadonlySet<number> | undefined;

type Unnumbered<T> = T extends unknown ? Omit<T, 'line'> : never;

function toExplanation(
  answer: LineAnswer,
  factsOf: (key: number, line?: number) => OriginFacts,
): Unnumbered<LineExplanation> {
  if (answer.kind === 'ambiguous') {
    return { status: 'ambiguous', origins: answer.origins.map(({ key, line }) => factsOf(key, line)) };
  }
  const touchedBy = answer.touchedBy.map((key) => factsOf(key));
  if (answer.kind === 'unattributed') return { status: 'unattributed', touchedBy };
  const origin = factsOf(answer.origin.key, answer.origin.line);
  return { status: 'attributed', evidence: answer.evidence, origin, touchedBy };
}

function toBlock(record: TraceRecord, rangeIndex: number, key: number, standing: Standing): RecordedBlock {
  const range = record.ranges[rangeIndex]!;
  const path = record.path ?? '';
  const held = standing(path);
  return {
    key,
    path,
    startLine: range.start_line,
    endLine: range.end_line,
    contentHash: range.content_hash,
    prints: unpackFingerprints(range.lines),
    intentId: record.intent_id,
    timestamp: record.timestamp,
    writer: record.writer,
    seq: record.seq,
    ...(held === undefined ? {} : { standing: held }),
  };
}

/** Reads each other file once. */
function cacheStanding(path: string, readFile: ExplainPorts['readFile']): Standing {
  const cache = new Map<string, ReadonlySet<number>>();
  return (other) => {
    if (readFile === undefined || other === path || other === '') return undefined;
    let prints = cache.get(other);
    if (prints === undefined && cache.size < MAX_STANDING_FILES) {
      const bytes = readFile(other);
      prints = new Set(bytes === null ? [] : splitLines(bytes).map(fingerprintLine));
      cache.set(other, prints);
    }
    return prints;
  };
}
