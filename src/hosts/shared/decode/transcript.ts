import { markOf } from '../../../platform/file-mark.ts';
import { readSlice } from '../../../platform/files.ts';

/** Most that one event reads; what is left comes with the next one. */
const MAX_READ = 8 << 20;

/** A count as hosts write it; anything else is none. */
export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function slice(file: string, offset: number): { readonly lines: unknown[]; readonly offset: number } {
  const size = markOf(file)?.size ?? 0;
  // Cut by somebody: what is there now may be new, and counting too much is safe.
  if (size < offset) return slice(file, 0);
  if (size === offset) return { lines: [], offset };
  const bytes = readSlice(file, offset, Math.min(size - offset, MAX_READ));
  const end = bytes.lastIndexOf(10);
  // A line longer than one reading is left out.
  if (end < 0) return { lines: [], offset: bytes.length < MAX_READ ? offset : offset + bytes.length };
  return { lines: bytes.toString('utf8', 0, end).split('\n').map(parsed), offset: offset + end + 1 };
}

/**
 * The whole lines of a JSON-lines file from a byte offset, parsed (null for what is no JSON), and where to go on. A file
 * that was cut is read from its beginning; one that is gone or cannot be read has
 * nothing new.
 */
export function linesOf(
  file: string,
  offset: number,
): { readonly lines: readonly unknown[]; readonly offset: number } {
  try {
    return slice(file, offset);
  } catch {
    return { lines: [], offset };
  }
}
