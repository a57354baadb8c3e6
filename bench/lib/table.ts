import type { Row } from './rows.ts';

/** A figure with as many digits as it deserves. */
export function figure(value: number | undefined): string {
  if (value === undefined) return '';
  if (!Number.isFinite(value)) return '?';
  const size = Math.abs(value);
  if (size >= 10_000) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

const HEAD = ['', 'n', 'p50', 'p95', 'p99', 'unit', 'ratio', 'against', 'target', ''];
const LEFT = new Set([0, 5, 7, 8, 9]);

function cellsOf(row: Row): string[] {
  const target = row.target;
  return [
    row.name,
    String(row.n),
    figure(row.p50),
    figure(row.p95),
    figure(row.p99),
    row.unit,
    row.ratio === undefined ? '' : `${figure(row.ratio)}×`,
    row.reference ?? '',
    target?.text ?? '',
    target ? (target.met ? 'met' : 'NOT MET') : '',
  ];
}

/** The rows of one benchmark as aligned text, notes below the rows that have one. */
export function renderTable(title: string, rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)));
  const text = lines.map((cells) =>
    cells
      .map((cell, column) =>
        LEFT.has(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  const notes = rows.flatMap((row) => (row.note === undefined ? [] : [`    ${row.name}: ${row.note}`]));
  return [`\n${title}`, ...text.map((line) => `  ${line}`), ...notes].join('\n');
}
