import { StateError } from '../core/errors.ts';
import type { Layout } from '../core/layout.ts';
import { randomHex } from '../platform/clock.ts';
import { createFile } from '../platform/durable-files.ts';
import { readIfThere } from '../platform/files.ts';

/** This clone's writer id. A fresh clone has none and gets its own, with a chain of its own. */
export function writerOf(layout: Layout): string {
  createFile(layout.writer, `${randomHex(16)}\n`);
  const writer = readIfThere(layout.writer)?.toString('latin1').trim() ?? '';
  if (/^[0-9a-f]{16,64}$/.test(writer)) return writer;
  throw new StateError(
    'the writer id is damaged',
    { file: layout.writer },
    'Delete the file; a new one is made and a new chain begins.',
  );
}
