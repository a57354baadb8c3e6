import { type Line, type Span, span } from './line.ts';
import { cut, widthOf } from './text.ts';

/** A column of a table. */
export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => Span;
  /** Columns with the highest rank are left out first where the terminal is narrow; 0 always stays. */
  readonly rank: number;
  /** Fewest columns of the terminal in which it still tells something. */
  readonly min: number;
}

const GAP = 2;

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, widths.length - 1);
}

/** Rows under their titles, at most `width` columns wide: columns are left out, then cut, where there is no room. */
export function table<T>(all: readonly Column<T>[], rows: readonly T[], width: number): readonly Line[] {
  const shown = all.map((column) => {
    const cells = rows.map(column.cell);
    const natural = Math.max(widthOf(column.title), ...cells.map(({ text }) => widthOf(text)));
    return { ...column, cells, natural, least: Math.min(natural, column.min) };
  });
  for (;;) {
    const last = Math.max(...shown.map(({ rank }) => rank));
    if (last === 0 || total(shown.map(({ least }) => least)) <= width) break;
    shown.splice(
      shown.findIndex(({ rank }) => rank === last),
      1,
    );
  }
  const widths = shown.map(({ natural }) => natural);
  for (let over = total(widths) - width; over > 0; over -= 1) {
    // The column that has most to spare gives one.
    const at = widths.reduce((best, own, index) => {
      const spare = (of: number) => (widths[of] ?? 0) - (shown[of]?.least ?? 0);
      return own - (shown[index]?.least ?? 0) > spare(best) ? index : best;
    }, 0);
    if ((widths[at] ?? 0) <= (shown[at]?.least ?? 0)) break;
    widths[at] = (widths[at] ?? 0) - 1;
  }
  const toLine = (cells: readonly Span[]): Line =>
    cells.flatMap(({ text, tone }, at) => {
      const own = widths[at] ?? 0;
      if (at === cells.length - 1) return [{ text: cut(text, own), tone }];
      const shownText = cut(text, own);
      return [{ text: shownText, tone }, span(' '.repeat(own - widthOf(shownText) + GAP))];
    });
  return [
    toLine(shown.map(({ title }) => span(title, 'dim'))),
    ...rows.map((_row, at) => toLine(shown.map(({ cells }) => cells[at] ?? span('')))),
  ];
}
