import { readPatch } from '../../../core/patch-text.ts';
import type { Call, Handler } from '../call.ts';
import { staticOf } from '../text.ts';

/** `apply_patch PATCH`, or the patch on standard input: a program that Codex puts on the path of its shells. */
function applyPatch(call: Call): void {
  const text = call.args[0] ?? call.stdin;
  const patch = text === undefined || text === null ? null : staticOf(text);
  const files = patch === null ? null : readPatch(patch);
  if (files === null) call.opaque('applies a patch that cannot be read');
  for (const { path, role } of files ?? []) call.touch([path], role);
}

export const PATCHES: Readonly<Record<string, Handler>> = {
  apply_patch: applyPatch,
  applypatch: applyPatch,
};
