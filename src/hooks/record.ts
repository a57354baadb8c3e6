import { changedBlocks } from '../core/blocks.ts';
import { digestOf, sha256 } from '../core/digest.ts';
import type { JsonValue } from '../core/json.ts';
import type { TraceDraft } from '../core/trace-record.ts';
import type { Mutation } from '../core/words.ts';
import type { FileChange, Snapshots } from '../security/snapshot.ts';

/** A file before and after a call; bytes are null where it did not exist. */
export interface FileDelta {
  readonly path: string;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** Where a moved file came from. */
  readonly fromPath?: string;
}

/** What every record of one call has in common. */
export type CallContext = Omit<
  TraceDraft,
  'content_hash' | 'previous_content_hash' | 'ranges' | 'path' | 'from_path' | 'mutation'
>;

function mutationOf({ before, after, fromPath }: FileDelta): Mutation {
  if (fromPath !== undefined) return 'move';
  if (after === null) return 'delete';
  return before === null ? 'create' : 'modify';
}

/**
 * Ledger drafts of file changes, from the true bytes before and after (H-71…H-73). A delete records the hash of
 * what was removed (H-78). A file whose bytes did not change gives none.
 */
export function draftsOf(context: CallContext, deltas: readonly FileDelta[]): TraceDraft[] {
  return deltas.flatMap((delta) => {
    const { before, after, path, fromPath } = delta;
    if (before === null && after === null) return [];
    const previous = before === null ? null : sha256(before);
    const hash = after === null ? (previous ?? sha256('')) : sha256(after);
    if (previous === hash && after !== null && fromPath === undefined) return [];
    const ranges = after === null ? [] : changedBlocks(before, after).ranges;
    return [
      {
        ...context,
        path,
        ...(fromPath === undefined ? {} : { from_path: fromPath }),
        mutation: mutationOf(delta),
        content_hash: hash,
        previous_content_hash: previous,
        ranges,
      },
    ];
  });
}

/** The record of a command that changed no file: the hash of the run (H-78). */
export function commandDraft(
  context: CallContext,
  command: string,
  result: JsonValue,
  ok: boolean,
): TraceDraft {
  return {
    ...context,
    path: null,
    mutation: 'command',
    content_hash: digestOf({
      command: command.toWellFormed(),
      ok,
      result: sha256(JSON.stringify(result) ?? 'null'),
    }),
    previous_content_hash: null,
    ranges: [],
  };
}

/** Largest file whose lines a command's record describes; a larger one is known by its hashes. */
const MAX_READ = 64 << 20;

/** Turns snapshot changes into deltas; a file that vanished where the same bytes appeared was moved. */
export function deltasOf(changes: readonly FileChange[], snapshots: Snapshots): FileDelta[] {
  const gone = new Map(
    changes
      .filter((change) => change.after === null && change.before !== null)
      .map((change) => [change.before as string, change]),
  );
  const moved = new Map<FileChange, FileChange>();
  for (const change of changes) {
    const source = change.before === null && change.after !== null ? gone.get(change.after) : undefined;
    if (!source) continue;
    moved.set(change, source);
    gone.delete(source.before as string);
  }
  const sources = new Set(moved.values());
  const bytes = (object: string | null): Buffer | null => {
    const content = object === null ? null : snapshots.read(object);
    return content !== null && content.length > MAX_READ ? content.subarray(0, 0) : content;
  };
  return changes
    .filter((change) => !sources.has(change))
    .map((change) => {
      const source = moved.get(change);
      const after = bytes(change.after);
      return source
        ? { path: change.path, before: after, after, fromPath: source.path }
        : { path: change.path, before: bytes(change.before), after };
    });
}
