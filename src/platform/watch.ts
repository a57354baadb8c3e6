import { watch } from 'chokidar';

/**
 * Calls `changed` after any change of a file, its removal and return included. `atomic: false`, because the default
 * would report a removal a tenth of a second late. A change is only a hint to read again: two may come as one.
 */
export function watchFile(file: string, changed: () => void): { close(): Promise<void> } {
  const watcher = watch(file, { ignoreInitial: true, atomic: false, awaitWriteFinish: false });
  watcher.on('all', changed);
  return { close: () => watcher.close() };
}
