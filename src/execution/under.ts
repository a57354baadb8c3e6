import { under } from '../core/under.ts';

/** Whether a path is a folder or lies in it. Both absolute, without a trailing `/` but for the root. */
export function isUnder(path: string, folder: string): boolean {
  return folder === '/' || under(path, folder);
}
