import { readPatch } from '../../core/patch-text.ts';
import type { NamedTarget } from '../../core/tool-call.ts';
import { malformed } from './payload.ts';

/** The files that a patch changes. A patch that cannot be read to its last line throws: the call is refused. */
export function patchTargets(host: string, patch: unknown): NamedTarget[] {
  const files = typeof patch === 'string' ? readPatch(patch) : null;
  if (files === null) throw malformed(host, 'the patch is not in the form of apply_patch');
  return [...files];
}
