/**
 * A piece of text of which some parts may be unknown: the value of a shell word as far as it can be read off.
 */

/** An unknown part. `glob` holes match names in one folder; the others stand for any text at all. */
export interface Hole {
  readonly glob: boolean;
  /** `*`, or `?` for exactly one character of a name. */
  readonly pattern: '*' | '?';
  /** It stands for a path that a program finds below what comes before it. */
  readonly isFound?: true;
  /** It stands for a name that a program makes, which no file has yet. */
  readonly isNew?: true;
}

/** INVARIANT (normal form): no empty strings and no two strings side by side. Built by `textOf` only. */
export type Text = readonly (string | Hole)[];

export const ANY: Hole = { glob: false, pattern: '*' };
export const FOUND: Hole = { glob: false, pattern: '*', isFound: true };
export const NEW: Hole = { glob: true, pattern: '*', isNew: true };
export const STAR: Hole = { glob: true, pattern: '*' };
export const ONE: Hole = { glob: true, pattern: '?' };

export const EMPTY: Text = [];
export const UNKNOWN: Text = [ANY];

/** Joins pieces and texts into one text in normal form. */
export function textOf(...pieces: readonly (string | Hole | Text)[]): Text {
  const text: (string | Hole)[] = [];
  for (const piece of pieces.flat()) {
    if (piece === '') continue;
    const last = text.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') text[text.length - 1] = last + piece;
    else if (piece !== ANY || last !== ANY) text.push(piece);
  }
  return text;
}

/** The text itself when all of it is known, otherwise null. */
export function staticOf(text: Text): string | null {
  if (text.length === 0) return '';
  const [first] = text;
  return text.length === 1 && typeof first === 'string' ? first : null;
}

/** The known text before the first hole. */
export function headOf(text: Text): string {
  return typeof text[0] === 'string' ? text[0] : '';
}

/** The text without its first `count` characters, which are known. */
export function dropHead(text: Text, count: number): Text {
  return textOf(headOf(text).slice(count), text.slice(1));
}

/** Splits at the first `separator` if it stands before any hole: `of=$X` at `=` gives `of` and `$X`. */
export function cutText(text: Text, separator: string): { before: string; after: Text } | null {
  const at = headOf(text).indexOf(separator);
  if (at < 0) return null;
  return { before: headOf(text).slice(0, at), after: dropHead(text, at + separator.length) };
}

/** True when unknown parts may hold anything, slashes and `..` included; false when they are file globs. */
export function isOpen(text: Text): boolean {
  return text.some((piece) => typeof piece !== 'string' && !piece.glob);
}

/** True when a path is one of those that a program finds below a known place. */
export function isFound(text: Text): boolean {
  return headOf(text) !== '' && text.some((piece) => typeof piece !== 'string' && piece.isFound === true);
}

/** Writes literal text so that a glob matcher takes it literally. */
export function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]{}()!+@|]/g, (char) => `\\${char}`);
}

/** The text as a glob pattern: known parts literally, holes as `*` or `?`. */
export function patternOf(text: Text): string {
  return text.map((piece) => (typeof piece === 'string' ? escapeGlob(piece) : piece.pattern)).join('');
}

/** A key that is equal for equal texts. */
export function keyOf(text: Text): string {
  return JSON.stringify(text);
}

/** The last name of a path, trailing slashes ignored, holes kept. */
export function baseOf(path: Text): Text {
  const text = withoutTrailingSlash(path);
  for (let at = text.length - 1; at >= 0; at--) {
    const piece = text[at]!;
    if (typeof piece !== 'string' || !piece.includes('/')) continue;
    return textOf(piece.slice(piece.lastIndexOf('/') + 1), text.slice(at + 1));
  }
  return text;
}

export function withoutTrailingSlash(path: Text): Text {
  const last = path.at(-1);
  if (typeof last !== 'string' || !last.endsWith('/')) return path;
  return textOf(path.slice(0, -1), last.replace(/\/+$/, '') || (path.length === 1 ? '/' : ''));
}

/** True when the text ends in a slash that is known. */
export function endsInSlash(path: Text): boolean {
  const last = path.at(-1);
  return typeof last === 'string' && last.endsWith('/');
}

/** Text in which unquoted `*`, `?` and `[…]` have become holes, as pathname expansion sees them. */
export function globbed(value: string): Text {
  const pieces: (string | Hole)[] = [];
  for (const part of value.split(/(\*|\?|\[[^[\]/]*\])/)) {
    if (part === '?') pieces.push(ONE);
    else pieces.push(part === '*' || /^\[.+\]$/.test(part) ? STAR : part);
  }
  return textOf(...pieces);
}

/** The pieces of a text between separators that are known, empty ones left out. */
export function linesOf(text: Text, separator: RegExp): readonly Text[] {
  const lines: Text[] = [];
  let line: (string | Hole)[] = [];
  for (const piece of text) {
    const bits = typeof piece === 'string' ? piece.split(separator) : [piece];
    for (const [at, bit] of bits.entries()) {
      if (at > 0) {
        lines.push(textOf(line));
        line = [];
      }
      line.push(bit);
    }
  }
  return [...lines, textOf(line)].filter((one) => one.length > 0);
}
