import { watch } from 'chokidar';
import { markOfAny } from './file-mark.ts';

/**
 * Calls `changed` after any change of a file, its removal and return included. `atomic: false`, because the default
 * would report a removal a tenth of a second late. A change is only a hint to read again: two may come as one.
 */
export function watchFile(file: string, changed: () => void): { close(): Promise<void> } {
  const watcher = watch(file, { ignoreInitial: true, atomic: false, awaitWriteFinish: false });
  watcher.on('all', changed);
  return { close: () => watcher.close() };
}

/**
 * The same for a file that may be missing, looked at every `everyMs` milliseconds. Where there is no file, the watcher
 * above watches its folder, and reads it whole whenever anything in it changes.
 */
export function pollFile(file: string, everyMs: number, changed: () => void): { close(): Promise<void> } {
  let known = markOfAny(file);
  const timer = setInterval(() => {
    const now = markOfAny(file);
    if (now === known) return;
    known = now;
    changed();
  }, everyMs);
  return { close: async () => clearInterval(timer) };
}
