import { toWellFormed } from '../core/json.ts';
import type { Layout } from '../core/layout.ts';
import { UNSEEN } from '../core/unseen.ts';
import { replaceFile } from '../platform/durable-files.ts';
import { markOfAny } from '../platform/file-mark.ts';
import { readIfThere } from '../platform/files.ts';

/** One file of the map (H-64). */
export interface MapRow {
  readonly path: string;
  readonly intentId: string;
  readonly intentName: string;
  /** Whether the owning intent holds locks now (H-66). */
  readonly locked: boolean;
  /** Empty when the file was deleted; its row stays. */
  readonly contentHash: string;
  readonly changedAt: string;
  readonly earlier: readonly string[];
}

const HEAD = `# Intent map

Generated from agent_trace.jsonl after every change and never read back: edits made here are lost.

| File | Intent | Name | Lock | Content hash | Last change | Earlier intents |
| --- | --- | --- | --- | --- | --- | --- |
`;

const SPECIAL = /[\\|`<]|&(?=[#\w]{1,40};)|\](?=[([])/g;

/**
 * INVARIANT (one cell): the text has no newline and no bare `|`, and two texts never give the same cell. So no file
 * and no intent can be named such that it forges a row, hides one in a comment, or stands for another.
 */
function toCell(text: string): string {
  return toWellFormed(text)
    .replace(SPECIAL, '\\$&')
    .replace(/^ | $/g, '\\u{20}')
    .replace(UNSEEN, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** The text that {@link toCell} was given. */
function fromCell(cell: string): string {
  return cell.replace(/\\(?:u\{([0-9a-f]{1,4})\}|([\s\S]))/g, (_, hex?: string, char?: string) =>
    hex === undefined ? (char ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const NEWLINE = 10;
const CELL = '((?:[^|\\\\]|\\\\.)*)';
const LINE = new RegExp(`^\\| ${Array(7).fill(CELL).join(' \\| ')} \\|$`);

function toLine(row: MapRow): string {
  const cells = [
    row.path,
    row.intentId,
    row.intentName,
    row.locked ? 'LOCKED' : '',
    row.contentHash === '' ? 'deleted' : row.contentHash,
    row.changedAt,
    row.earlier.join(', '),
  ];
  return `| ${cells.map(toCell).join(' | ')} |\n`;
}

/**
 * The whole map, sorted by file by UTF-16 code unit (H-64, H-67). Of two rows for one file the later one stands.
 */
export function renderMap(rows: Iterable<MapRow>): string {
  const byPath = new Map<string, MapRow>();
  for (const row of rows) byPath.set(toWellFormed(row.path), row);
  const paths = [...byPath.keys()].sort((a, b) => (a < b ? -1 : 1));
  return HEAD + paths.map((path) => toLine(byPath.get(path) as MapRow)).join('');
}

/** Where the row of a file is or belongs. The bytes are as {@link renderMap} gives them, so that halving finds it. */
function placeOf(bytes: Buffer, path: string): { readonly from: number; readonly to: number } {
  let [low, high] = [Buffer.byteLength(HEAD), bytes.length];
  while (low < high) {
    const middle = low + ((high - low) >> 1);
    const from = bytes.lastIndexOf(NEWLINE, middle - 1) + 1;
    const to = bytes.indexOf(NEWLINE, from) + 1;
    const found = fromCell(LINE.exec(bytes.toString('utf8', from, to - 1))?.[1] ?? '');
    if (found === path) return { from, to };
    if (found < path) low = to;
    else high = from;
  }
  return { from: low, to: low };
}

/**
 * Puts one row into a map that is known to be as {@link renderMap} gives it, reading only some of its lines.
 * INVARIANT (splice = render): splicing any rows one after another gives the bytes of rendering them all.
 */
export function spliceMap(bytes: Buffer, row: MapRow): Buffer {
  const { from, to } = placeOf(bytes, toWellFormed(row.path));
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(toLine(row)), bytes.subarray(to)]);
}

/**
 * Brings `intent_map.md` in step with the ledger (H-67, H-68). While the file bears the `mark` that the last writing
 * gave, the changed rows are spliced in; else somebody has touched it, and the whole is rendered from `allRows`.
 * Readers see the old map or the new one. To be called under the workspace's lock; returns the new mark.
 */
export function writeMap(
  layout: Layout,
  mark: string | null,
  allRows: () => Iterable<MapRow>,
  changedRows: readonly MapRow[] | null,
): string {
  const old = mark !== null && changedRows && markOfAny(layout.map) === mark ? readIfThere(layout.map) : null;
  const bytes = old ? (changedRows ?? []).reduce(spliceMap, old) : Buffer.from(renderMap(allRows()));
  if (old?.equals(bytes)) return markOfAny(layout.map);
  replaceFile(layout.map, bytes, { durable: false });
  return markOfAny(layout.map);
}
