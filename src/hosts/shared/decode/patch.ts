import type { JsonObject } from '../../../core/json.ts';
import { readPatch } from '../../../core/patch-text.ts';
import type { NamedTarget } from '../../../core/tool-call.ts';
import { malformed } from './payload.ts';
import type { ToolShape } from './tool-shape.ts';

/**
 * The files that a patch of the form `*** Begin Patch` … `*** End Patch` names. One that cannot be read to its last
 * line throws: the call is refused.
 */
export function patchTargets(host: string, patch: string): NamedTarget[] {
  const files = readPatch(patch);
  if (files === null) throw malformed(host, 'the patch is not in the form of apply_patch, or names no file');
  return [...files];
}

/** A tool that applies such a patch, given under one of several names. */
export function patch(host: string, keys: readonly string[]): ToolShape {
  return {
    tool: 'patch',
    kind: 'write',
    mutating: true,
    targets: (args: JsonObject) => {
      const given = keys.filter((key) => args[key] !== undefined);
      const text = given.length === 1 ? args[given[0] as string] : undefined;
      if (typeof text !== 'string') throw malformed(host, `apply_patch carries no ${keys.join(' or ')}`);
      return patchTargets(host, text);
    },
  };
}
