import { isAbsolute, resolve } from 'node:path/posix';
import { PactError } from '../../core/errors.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { markOf } from '../../platform/file-mark.ts';

/**
 * Refuses `replace` of a relative path that is not there: the host then looks through the workspace for a file whose path
 * ends so, and edits that one (its bundle, correctPath). Which it will be is not ours to guess.
 */
export function assertNotSearched({ hostTool, cwd, args }: ToolCall): void {
  const path = args.file_path;
  if (hostTool !== 'replace' || typeof path !== 'string' || isAbsolute(path) || path.includes('\0')) return;
  if (markOf(resolve(cwd, path)) !== null) return;
  throw new PactError(
    'INVALID_INPUT',
    `replace names a relative path that is not there: ${path}`,
    'The client would look for such a file elsewhere. Name the file by its absolute path.',
  );
}
