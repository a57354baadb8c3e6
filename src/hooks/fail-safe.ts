import { messageOf, PactError } from '../core/errors.ts';
import type { FailSafe } from '../core/facts.ts';
import { SIDECAR } from '../core/words.ts';

/** The part of a path that a human of this workspace would write. */
function shortened(file: string): string {
  const at = file.lastIndexOf(`/${SIDECAR}`);
  return at < 0 ? file : file.slice(at + 1);
}

/** What to tell of an error that keeps the engine from trusting its state (H-100…H-102). */
export function toFailSafe(error: unknown): FailSafe {
  if (error instanceof PactError)
    return {
      reason: error.message,
      file: error.place.file === undefined ? null : shortened(error.place.file),
      line: error.place.line ?? null,
      remedy: error.remedy,
    };
  return {
    reason: `orchestration state cannot be used: ${messageOf(error)}`,
    file: null,
    line: null,
    remedy: 'Check that .orchestration is writable and the disk is not full; then run `pactclaw fsck`.',
  };
}
