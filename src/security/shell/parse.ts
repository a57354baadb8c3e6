import { parse, type ParsedScript } from 'unbash';
import { MAX_LENGTH, MAX_NESTING } from './limits.ts';

/** A parsed text, or the reason why nobody may rely on its meaning. */
export type Parsed = { readonly script: ParsedScript } | { readonly problem: string };

/** Parses shell text after the checks that keep the parser fast and honest. */
export function parseShell(source: string): Parsed {
  if (source.length > MAX_LENGTH) return { problem: `command is longer than ${MAX_LENGTH} characters` };
  if (source.includes('\0')) return { problem: 'command holds a NUL byte' };
  // The parser and bash agree on \n alone; a bare carriage return is part of a word for bash.
  if (isNestedTooDeep(source)) return { problem: `command is nested deeper than ${MAX_NESTING} levels` };
  const script = parse(source);
  const problem = problemOf(script);
  return problem === null ? { script } : { problem };
}

/** The first syntax error of a script, nested scripts not included: they are asked when they are walked. */
export function problemOf(script: ParsedScript): string | null {
  const [error] = script.errors ?? [];
  return error === undefined ? null : `syntax: ${error.message} at ${error.pos}`;
}

/** Counts openers without minding quotes: cheap, and wrong only on the side of refusing. */
function isNestedTooDeep(source: string): boolean {
  let depth = 0;
  let ticks = 0;
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    const before = source[at - 1];
    if (char === '(') depth += before === '$' || before === '(' || before === '<' || before === '>' ? 1 : 0.5;
    else if (char === '{' && before === '$') depth += 1;
    else if (char === ')' || char === '}') depth = Math.max(0, depth - (char === ')' ? 0.5 : 1));
    else if (char === '`' && before === '\\') ticks += 1;
    if (depth > MAX_NESTING || ticks > MAX_NESTING * 4) return true;
  }
  return false;
}
