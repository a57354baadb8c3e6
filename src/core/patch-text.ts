import type { TargetRole } from './tool-call.ts';

/** One file of a patch, and what happens to it. */
export interface PatchedFile {
  readonly path: string;
  readonly role: Exclude<TargetRole, 'read'>;
}

const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to):[ \t]*(.*)$/;
const ROLES = {
  'Add File': 'write',
  'Update File': 'write',
  'Delete File': 'delete',
  'Move to': 'move-to',
} as const;

/**
 * The files of a patch in the form that `apply_patch` takes (the grammar that Codex gives its model: `*** Begin Patch`,
 * hunks under `*** Add File:`, `*** Update File:` with an optional `*** Move to:`, or `*** Delete File:`,
 * `*** End Patch`). Null for anything that is not understood to the last line. Blanks around a header are
 * ignored, as hosts do. A context line that looks like a header therefore counts as a file: one too many is safe, one too
 * few is not.
 */
export function readPatch(text: string): readonly PatchedFile[] | null {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  while (lines.length > 0 && lines[0]?.trim() === '') lines.shift();
  if (lines.shift()?.trim() !== '*** Begin Patch' || lines.pop()?.trim() !== '*** End Patch') return null;
  const files: PatchedFile[] = [];
  for (const line of lines) {
    if (line.startsWith('+') || line.startsWith('-')) continue;
    const trimmed = line.trim();
    const [, kind, path] = HEADER.exec(trimmed) ?? [];
    if (kind !== undefined) {
      if (!path) return null;
      const last = files.at(-1);
      if (kind === 'Move to') {
        if (last?.role !== 'write') return null;
        files[files.length - 1] = { ...last, role: 'move-from' };
      }
      files.push({ path, role: ROLES[kind as keyof typeof ROLES] });
    } else if (trimmed.startsWith('***') && trimmed !== '*** End of File' && !line.startsWith(' '))
      return null;
  }
  return files.length === 0 ? null : files;
}
