import { toWellFormed } from '../core/json.ts';
import type { Layout } from '../core/layout.ts';
import { readIfThere, replaceFile } from '../platform/files.ts';
import { UNSEEN } from './unseen.ts';

/** One file of the map (H-64, spec §15.3). */
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
    .replace(UNSEEN, (char) => `\\u{${char.charCodeAt(0).toString(16)}}`);
}

/** The text that {@link toCell} was given. */
function fromCell(cell: string): string {
  return cell.replace(/\\(?:u\{([0-9a-f]{1,4})\}|([\s\S]))/g, (_, hex?: string, char?: string) =>
    hex === undefined ? (char ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

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

/** Where the row of a file is or belongs in a text of ours; null when the text is not as we would write it. */
function placeOf(text: string, path: string): { readonly from: number; readonly to: number } | null {
  if (!text.startsWith(HEAD)) return null;
  let place: { from: number; to: number } | null = null;
  let before: string | null = null;
  for (let from = HEAD.length; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const cell = newline < 0 ? undefined : LINE.exec(text.slice(from, newline))?.[1];
    if (cell === undefined) return null;
    const found = fromCell(cell);
    if (toCell(found) !== cell || (before !== null && found <= before)) return null;
    if (place === null && found >= path) place = { from, to: found === path ? newline + 1 : from };
    before = found;
    from = newline + 1;
  }
  return place ?? { from: text.length, to: text.length };
}

/**
 * Puts one row into an existing map without rendering the others again. Null when the text is not a map of ours in
 * canonical form (a human or a formatter was there); the caller then renders it anew.
 * INVARIANT (splice = render): splicing any rows one after another gives the bytes of rendering them all.
 */
export function spliceMap(text: string, row: MapRow): string | null {
  const place = placeOf(text, toWellFormed(row.path));
  return place && text.slice(0, place.from) + toLine(row) + text.slice(place.to);
}

/**
 * Brings `intent_map.md` in step with the ledger (H-67, H-68): the changed rows are spliced in, and the whole is
 * rendered from `allRows` only when the file is missing or not ours. Readers see the old map or the new one. To be
 * called under the workspace's lock; true when the file was written.
 */
export function writeMap(
  layout: Layout,
  allRows: () => Iterable<MapRow>,
  changedRows: readonly MapRow[],
): boolean {
  const old = readIfThere(layout.map)?.toString('utf8') ?? null;
  let text = old;
  for (const row of changedRows) text = text === null ? null : spliceMap(text, row);
  text ??= renderMap(allRows());
  if (text === old) return false;
  replaceFile(layout.map, text, { durable: false });
  return true;
}
