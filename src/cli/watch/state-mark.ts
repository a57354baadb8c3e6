import { messageOf } from '../../core/errors.ts';
import type { Layout } from '../../core/layout.ts';
import { markOfAny, writtenMarkOf } from '../../platform/file-mark.ts';
import { isDirectory } from '../../platform/files.ts';
import { userFolder } from '../../platform/home.ts';

/** One word that is another whenever something was written that a watcher shows. Looking does not change it. */
export function stateMark({ sidecar, state, receipts, trace, intents, config }: Layout): string {
  const files = [receipts, trace, intents, config, `${userFolder()}/config.toml`];
  try {
    const database = [state, `${state}-wal`].map(writtenMarkOf);
    return [isDirectory(sidecar), ...database, ...files.map((file) => markOfAny(file))].join(' ');
  } catch (error) {
    // A folder that may not be entered: as good a mark as any.
    return messageOf(error);
  }
}
