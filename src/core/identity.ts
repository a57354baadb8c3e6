import { digestOf } from './digest.ts';
import type { JsonValue } from './json.ts';

/**
 * Digest of what makes two calls the same: the canonical tool and its meaningful arguments (H-90). Broken
 * Unicode is replaced, so that such a call can still be counted.
 */
export function identityOf(tool: string, args: JsonValue): string {
  try {
    return digestOf({ tool, args });
  } catch {
    return digestOf({ tool, args: JSON.stringify(args).toWellFormed() });
  }
}
