import { MAX_BRACES, MAX_OPEN_BRACES } from './limits.ts';

/**
 * Brace expansion on raw text. Bash does it before it looks at quotes' contents or variables, so it works on
 * the spelling and each result is parsed as a word again.
 */

/** The words that `raw` stands for; `[raw]` when it has no brace expansion, null when they are too many. */
export function expandBraces(raw: string): readonly string[] | null {
  if (!raw.includes('{')) return [raw];
  if (openBraces(raw).length > MAX_OPEN_BRACES) return null;
  const budget = { left: MAX_BRACES * 4 };
  const words = expand(raw, budget, 0);
  return words === null || words.length > MAX_BRACES ? null : words;
}

function expand(raw: string, budget: { left: number }, depth: number): string[] | null {
  budget.left -= 1;
  if (budget.left < 0 || depth > 32) return null;
  for (const at of openBraces(raw)) {
    const choices = choicesAt(raw, at);
    if (choices === null) continue;
    if (choices.items.length > MAX_BRACES) return null;
    const before = raw.slice(0, at);
    const tails = expand(raw.slice(choices.end), budget, depth + 1);
    if (tails === null) return null;
    const words: string[] = [];
    for (const item of choices.items) {
      const middles = choices.range ? [item] : expand(item, budget, depth + 1);
      if (middles === null) return null;
      for (const middle of middles) for (const tail of tails) words.push(before + middle + tail);
      if (words.length > MAX_BRACES) return null;
    }
    return words;
  }
  return [raw];
}

/** Where unquoted braces open that do not belong to a `${`. */
function openBraces(raw: string): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < raw.length && found.length <= MAX_OPEN_BRACES; ) {
    const next = skipQuoted(raw, at);
    if (next === at && raw[at] === '{') found.push(at);
    at = Math.max(next, at + 1);
  }
  return found;
}

/** Index behind the quoted or `$…` stretch that begins at `at`, or `at` itself when none does. */
function skipQuoted(raw: string, at: number): number {
  const char = raw[at];
  if (char === '\\') return at + 2;
  if (char === "'") return closing(raw, at + 1, "'", raw[at - 1] === '$');
  if (char === '"' || char === '`') return closing(raw, at + 1, char, true);
  if (char !== '$' && char !== '<' && char !== '>') return at;
  if (raw[at + 1] === '(') return balanced(raw, at + 1, '(', ')');
  if (char === '$' && raw[at + 1] === '{') return balanced(raw, at + 1, '{', '}');
  return at;
}

function closing(raw: string, from: number, quote: string, escapes: boolean): number {
  let at = from;
  while (at < raw.length && raw[at] !== quote) at += escapes && raw[at] === '\\' ? 2 : 1;
  return at + 1;
}

function balanced(raw: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let at = from; at < raw.length; at++) {
    const char = raw[at];
    if (char === '\\') at += 1;
    else if (char === "'" || char === '"') at = closing(raw, at + 1, char, char === '"') - 1;
    else if (char === open) depth += 1;
    else if (char === close) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return raw.length;
}

/** The alternatives of the brace that opens at `at`, or null when it is no brace expansion. */
function choicesAt(raw: string, at: number): { items: string[]; end: number; range: boolean } | null {
  const items: string[] = [];
  let depth = 0;
  let start = at + 1;
  for (let here = at; here < raw.length; ) {
    const next = here === at ? here : skipQuoted(raw, here);
    if (next > here) {
      here = next;
      continue;
    }
    const char = raw[here];
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (depth === 0 || (depth === 1 && char === ',')) {
      items.push(raw.slice(start, here));
      start = here + 1;
    }
    here += 1;
    if (depth > 0) continue;
    if (items.length > 1) return { items, end: here, range: false };
    const range = rangeOf(items[0]!);
    return range === null ? null : { items: range, end: here, range: true };
  }
  return null;
}

function rangeOf(body: string): string[] | null {
  const found = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(body);
  if (found === null) return null;
  const [, from, to, by] = found as unknown as [string, string, string, string | undefined];
  const letters = /^[A-Za-z]$/.test(from) && /^[A-Za-z]$/.test(to);
  if (!letters && !(/\d/.test(from) && /\d/.test(to))) return null;
  const first = letters ? from.charCodeAt(0) : Number(from);
  const last = letters ? to.charCodeAt(0) : Number(to);
  const step = Math.abs(Number(by ?? 1)) || 1;
  const padded = !letters && [from, to].some((side) => /^-?0\d/.test(side));
  const width = padded ? Math.max(from.length, to.length) : 0;
  const items: string[] = [];
  for (let count = 0; count <= Math.abs(last - first) / step; count++) {
    if (count > MAX_BRACES) break;
    const value = first + (last >= first ? 1 : -1) * step * count;
    items.push(letters ? String.fromCharCode(value) : pad(value, width));
  }
  return items;
}

function pad(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
}
