import type { NamedTarget } from '../../core/tool-call.ts';
import { malformed } from '../decoding/payload.ts';
import { HOST } from './names.ts';

const HEADERS = [
  ['*** Add File:', 'write'],
  ['*** Update File:', 'write'],
  ['*** Delete File:', 'delete'],
  ['*** Move to:', 'move-to'],
] as const;

/**
 * Files that a patch text names. Every line that the host could take for a header counts, wherever it stands: the host
 * skips what it does not understand, so that reading less than it does would be a way around.
 */
export function patchTargets(text: unknown): NamedTarget[] {
  if (typeof text !== 'string') throw malformed(HOST, 'apply_patch names no patchText');
  const found = text.split('\n').flatMap((line): NamedTarget[] => {
    const header = HEADERS.find(([mark]) => line.startsWith(mark));
    const path = header === undefined ? '' : line.slice(header[0].length).trim();
    return header === undefined || path === '' ? [] : [{ path, role: header[1] }];
  });
  if (found.length === 0) throw malformed(HOST, 'the patch names no file');
  return found;
}
