import { type ParsedScript, parse } from 'unbash';
import { MAX_HEREDOCS, MAX_LENGTH } from './limits.ts';

/** A parsed text, or the reason why nobody may rely on its meaning. */
export type Parsed = { readonly script: ParsedScript } | { readonly problem: string };

/** Parses shell text after the checks that keep the parser fast and honest. */
export function parseShell(source: string): Parsed {
  if (source.length > MAX_LENGTH) return { problem: `command is longer than ${MAX_LENGTH} characters` };
  if (source.includes('\0')) return { problem: 'command holds a NUL byte' };
  if (source.split('<<').length > MAX_HEREDOCS) return { problem: 'command holds too many here-documents' };
  if (!source.isWellFormed()) return { problem: 'command is no valid Unicode text' };
  try {
    const script = parse(source);
    const problem = problemOf(script);
    return problem === null ? { script } : { problem };
  } catch (error) {
    // The parser means never to throw, but some nestings (20 000 x `coproc`) exhaust the stack.
    return { problem: `the parser failed: ${error instanceof Error ? error.message : 'unknown error'}` };
  }
}

/** The first syntax error of a script, nested scripts not included: they are asked when they are walked. */
export function problemOf(script: ParsedScript): string | null {
  const [error] = script.errors ?? [];
  return error === undefined ? null : `syntax: ${error.message} at ${error.pos}`;
}
