import pc from 'picocolors';
import { UNSEEN } from '../core/unseen.ts';
import { monotonicMs } from '../platform/clock.ts';
import { writeAll } from '../platform/stdio.ts';

/** Colours of a stream: only on a terminal, and never when NO_COLOR is set. */
function coloursOf(stream: NodeJS.WriteStream): ReturnType<typeof pc.createColors> {
  return pc.createColors(stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb');
}

/** Colours for what goes to standard output. */
export const paint = coloursOf(process.stdout);

/** Writes a line to standard output. */
export function say(line = ''): void {
  writeAll(1, `${line}\n`);
}

/** Writes a line to standard error. */
export function tell(line: string): void {
  writeAll(2, `${line}\n`);
}

export function sayJson(value: unknown): void {
  say(JSON.stringify(value, null, 2));
}

/**
 * Text that agents or file names brought, safe to show: what moves a cursor, hides text or turns it round is spelled
 * out, so that a record cannot forge what the terminal shows.
 */
export function clean(text: string): string {
  return text.toWellFormed().replace(UNSEEN, (char) => {
    if (char === '\n' || char === '\t') return ' ';
    return `\\u{${char.codePointAt(0)?.toString(16)}}`;
  });
}

/** One line of it, cut to a width. */
export function shorten(text: string, width: number): string {
  const line = clean(text).replace(/ {2,}/g, ' ').trim();
  return line.length <= width ? line : `${line.slice(0, width - 1).toWellFormed()}…`;
}

const ESCAPE = String.fromCharCode(27);

function widthOf(text: string): number {
  return text.replaceAll(new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g'), '').length;
}

/** Rows as columns of equal width; the last column is as long as it is. */
export function columns(rows: readonly (readonly string[])[], indent = ''): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.slice(0, -1).entries())
      widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
  return rows
    .map((row) => {
      const cells = row.map((cell, at) =>
        at === row.length - 1 ? cell : cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell)),
      );
      return `${indent}${cells.join('  ')}`.trimEnd();
    })
    .join('\n');
}

/** `1 file`, `2 files`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * Says on standard error how far slow work is, from its second second on: one moving line on a terminal, else a line
 * every five seconds. `end` clears the line.
 */
export function startProgress(what: string): { step(count: number, unit: string): void; end(): void } {
  const began = monotonicMs();
  const isTerminal = process.stderr.isTTY === true;
  let last = began;
  let shown = false;
  return {
    step: (count, unit) => {
      const now = monotonicMs();
      if (now - began < 1_000 || now - last < (isTerminal ? 200 : shown ? 5_000 : 0)) return;
      last = now;
      shown = true;
      writeAll(2, isTerminal ? `\r${what}: ${count} ${unit}` : `${what}: ${count} ${unit}\n`);
    },
    end: () => {
      if (shown && isTerminal) writeAll(2, `\r${ESCAPE}[K`);
    },
  };
}
