/** Text measured in the columns of a terminal. */

/** What a terminal shows in two columns: East Asian wide and full-width forms, and emoji (UAX #11, UTS #51). */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u4dff\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18fff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
/** What it shows on top of the character before. */
const ON_TOP = /[\p{Mn}\p{Me}\p{Cf}]/u;
/** Asks for the emoji form of the character before, which takes two columns. */
const EMOJI_FORM = '\ufe0f';
/** More marks than any script puts on one letter. */
const MAX_ON_TOP = 4;

function columnsOf(char: string): number {
  if (char < '\u0300') return 1;
  if (char === EMOJI_FORM) return 1;
  if (ON_TOP.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

/** Columns that a text takes, rather too many than too few. It must hold no control characters. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += columnsOf(char);
  return width;
}

/** A text cut to at most so many columns, with `…` where something was left out. */
export function cut(text: string, width: number): string {
  if (width <= 0) return '';
  let used = 0;
  let onTop = 0;
  let kept = '';
  // The longest text that leaves a column for the sign.
  let short = '';
  for (const char of text) {
    const columns = columnsOf(char);
    onTop = columns === 0 ? onTop + 1 : 0;
    if (onTop > MAX_ON_TOP) continue;
    used += columns;
    if (used > width) return `${short}…`;
    kept += char;
    if (used <= width - 1) short = kept;
  }
  return kept;
}

/** Text as at most so many lines, broken between words where it can be; the last line is cut. */
export function wrap(text: string, width: number, maxLines: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    const isLast = lines.length >= maxLines;
    if (line !== undefined && (isLast || widthOf(line) + 1 + widthOf(word) <= width))
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => cut(line, width));
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** How long ago, in one unit: `12s`, `4m`, `3h`, `2d`. */
export function ago(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  for (const [unit, length] of UNITS) if (seconds >= length) return `${Math.floor(seconds / length)}${unit}`;
  return `${seconds}s`;
}

/** A count in at most four columns: `950`, `12k`, `1.4M`. */
export function short(count: number): string {
  if (count < 10_000) return String(count);
  if (count < 1_000_000) return `${Math.floor(count / 1_000)}k`;
  const millions = count / 1_000_000;
  return millions < 10 ? `${Math.floor(millions * 10) / 10}M` : `${Math.floor(millions)}M`;
}

/** How much of a limit is used, as a bar. A bar is full only when the limit is reached. */
export function bar(used: number, limit: number, width: number): string {
  const share = limit <= 0 ? 1 : Math.min(1, Math.max(0, used / limit));
  const filled = Math.floor(share * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}
