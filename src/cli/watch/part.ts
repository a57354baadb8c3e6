import { type Line, span } from './line.ts';

/** A part of the screen: a heading, and entries of one or more lines, of which as many are shown as there is room. */
export interface Part {
  readonly title: string;
  readonly count: number;
  readonly remark?: string;
  /** Titles of the entries' columns. */
  readonly top: readonly Line[];
  readonly entries: readonly (readonly Line[])[];
}

/** A part whose entries are the rows of a table. */
export function tablePart(title: string, lines: readonly Line[], count: number, remark = ''): Part {
  const [top, ...rows] = lines;
  return { title, count, remark, top: count > 0 && top ? [top] : [], entries: rows.map((row) => [row]) };
}

/** Lines that a part takes when all of it is shown. */
export function linesWanted({ top, entries }: Part): number {
  return 1 + top.length + entries.reduce((sum, entry) => sum + entry.length, 0);
}

/** A part in at most so many lines; the heading says how many entries are not shown. */
export function partLines({ title, count, remark = '', top, entries }: Part, rows: number): readonly Line[] {
  if (rows <= 0) return [];
  // With fewer lines the titles would stand over nothing.
  const titles = rows >= 3 ? top : [];
  const lines: Line[] = [];
  let shown = 0;
  for (const entry of entries) {
    const room = rows - 1 - titles.length - lines.length;
    if (room <= 0) break;
    // Of the first entry that does not go in whole its first lines are shown, which say the most.
    lines.push(...entry.slice(0, room));
    shown += 1;
  }
  const left = entries.length - shown;
  const counted = `${count}${remark}${left === 0 ? '' : `, ${left} not shown`}`;
  return [[span(title, 'bold'), span(` ${counted}`, 'dim')], ...(lines.length > 0 ? titles : []), ...lines];
}

/** Shares out lines: each part gets what it wants, or an even share, and what one leaves goes to the others. */
export function shareRows(wanted: readonly number[], rows: number): readonly number[] {
  const given = wanted.map(() => 0);
  for (let left = rows; left > 0; ) {
    const hungry = wanted.flatMap((want, at) => ((given[at] ?? 0) < want ? [at] : []));
    if (hungry.length === 0) break;
    for (const at of hungry.slice(0, left)) given[at] = (given[at] ?? 0) + 1;
    left -= Math.min(left, hungry.length);
  }
  return given;
}
