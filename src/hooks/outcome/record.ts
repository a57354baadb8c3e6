import { changedBlocks } from '../../core/blocks.ts';
import { digestOf, sha256 } from '../../core/digest.ts';
import type { JsonValue } from '../../core/json.ts';
import type { TraceDraft } from '../../core/trace-record.ts';
import type { Mutation } from '../../core/words.ts';
import type { FileState } from '../../platform/file-state.ts';
import { type FileChange, type Snapshots, UNSEEN_MODE } from '../../security/snapshot.ts';

/** A file before and after a call; null where it did not exist. */
export interface FileDelta {
  readonly path: string;
  readonly before: FileState | null;
  readonly after: FileState | null;
  /** Where a moved file came from. */
  readonly fromPath?: string;
  /** The lines that were written, where they are known and the bytes need not be kept for them. */
  readonly ranges?: TraceDraft['ranges'];
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
    const previous = before?.hash ?? null;
    const hash = after?.hash ?? previous ?? sha256('');
    if (previous === hash && after !== null && fromPath === undefined) return [];
    const known = after?.content && (before === null || before.content !== null);
    const ranges =
      delta.ranges ?? (known ? changedBlocks(before?.content ?? null, after.content).ranges : []);
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

/** Largest file whose lines a command's record describes; a larger one is known by its hash. */
const MAX_READ = 64 << 20;

/** Turns snapshot changes into deltas; a file that vanished where the same bytes appeared was moved. */
export function deltasOf(changes: readonly FileChange[], snapshots: Snapshots): FileDelta[] {
  const gone = new Map(
    changes.flatMap((change) =>
      change.after === null && change.before !== null ? [[change.before, change] as const] : [],
    ),
  );
  const moved = new Map<FileChange, FileChange>();
  for (const change of changes) {
    const source = change.before === null && change.after !== null ? gone.get(change.after) : undefined;
    if (!source) continue;
    moved.set(change, source);
    gone.delete(source.before ?? '');
  }
  const sources = new Set(moved.values());
  // What a snapshot could not look into has no bytes to describe.
  const seen = (object: string | null, mode: string) => (mode === UNSEEN_MODE ? null : object);
  const contents = snapshots.read(
    changes.flatMap(({ before, beforeMode, after, afterMode }) =>
      [seen(before, beforeMode), seen(after, afterMode)].filter((object) => object !== null),
    ),
  );
  const stateOf = (object: string | null): FileState | null => {
    const content = object === null ? undefined : contents.get(object);
    return content ? { hash: sha256(content), content: content.length > MAX_READ ? null : content } : null;
  };
  return changes
    .filter((change) => !sources.has(change))
    .map((change) => {
      const source = moved.get(change);
      const after = stateOf(change.after);
      return source
        ? { path: change.path, before: after, after, fromPath: source.path }
        : { path: change.path, before: stateOf(change.before), after };
    });
}
