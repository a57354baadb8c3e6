import type { JsonObject } from '../../core/json.ts';
import type { NamedTarget, TargetRole } from '../../core/tool-call.ts';
import { malformed } from './payload.ts';
import type { ToolShape } from './tool-shape.ts';

const HEADER = /^[ \t]*\*\*\* (Add File|Update File|Delete File|Move to):[ \t]*(.*?)[ \t\r]*$/gm;

const ROLES: Readonly<Record<string, TargetRole>> = {
  'Add File': 'write',
  'Update File': 'write',
  'Delete File': 'delete',
  'Move to': 'move-to',
};

/**
 * The files that a patch of the form `*** Begin Patch` … `*** End Patch` names. A header that is indented counts too,
 * as some hosts read it so: a line of content that looks like one only adds a file that must lie in scope.
 */
export function patchTargets(host: string, patch: string): NamedTarget[] {
  const found: NamedTarget[] = [];
  for (const [, kind = '', path = ''] of patch.matchAll(HEADER)) {
    if (path === '') throw malformed(host, `the patch has a header without a path: ${kind}`);
    const role = ROLES[kind] ?? 'write';
    const last = found.at(-1);
    // The file that the header before named is moved, not only changed.
    if (role === 'move-to' && last?.role === 'write')
      found[found.length - 1] = { ...last, role: 'move-from' };
    found.push({ path, role });
  }
  if (found.length === 0) throw malformed(host, 'the patch names no file');
  return found;
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
