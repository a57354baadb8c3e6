import { changedBlocks } from '../../core/blocks.ts';
import { sha256 } from '../../core/digest.ts';
import type { TreeChange } from '../../execution/changes.ts';
import { type FileState, readFileState } from '../../platform/file-state.ts';
import { below, linkTarget } from '../../platform/tree.ts';
import type { FileDelta } from '../outcome/record.ts';

/** Largest file whose lines a record describes; a larger one is known by its hash. */
const MAX_READ = 64 << 20;

function stateAt(folder: string, name: Buffer, kind: string | undefined): FileState | null {
  const place = below(Buffer.from(folder), name);
  if (kind === 'file') return readFileState(place, MAX_READ);
  if (kind !== 'link') return null;
  const content = linkTarget(place);
  return { hash: sha256(content), content };
}

/** A file that went where the same bytes appeared was moved. */
function withMoves(deltas: readonly FileDelta[]): FileDelta[] {
  const gone = new Map(
    deltas.flatMap((delta) =>
      delta.after === null && delta.before ? [[delta.before.hash, delta] as const] : [],
    ),
  );
  const sources = new Set<FileDelta>();
  const moved = deltas.map((delta) => {
    const source = delta.before === null && delta.after ? gone.get(delta.after.hash) : undefined;
    if (!source || !delta.after) return delta;
    gone.delete(delta.after.hash);
    sources.add(source);
    return { ...delta, before: delta.after, fromPath: source.path };
  });
  return moved.filter((delta) => !sources.has(delta));
}

function withoutContent(state: FileState | null): FileState | null {
  return state === null ? null : { hash: state.hash, content: null };
}

/** A delta that a journal can hold: hashes and lines, and no bytes. */
function described(delta: FileDelta): FileDelta {
  const { before, after } = delta;
  const known = after?.content && (before === null || before.content !== null);
  const ranges = known ? changedBlocks(before?.content ?? null, after.content).ranges : [];
  return { ...delta, before: withoutContent(before), after: withoutContent(after), ranges };
}

/** What the ledger records of changes, read before they become real: from the true bytes of before and after. */
export function contentsOf(changes: readonly TreeChange[], folder: string, upper: string): FileDelta[] {
  const deltas = withMoves(
    changes.map(({ name, before, after }) => ({
      path: name.toString(),
      before: stateAt(folder, name, before?.kind),
      after: stateAt(upper, name, after?.kind),
    })),
  );
  return deltas.map(described);
}
