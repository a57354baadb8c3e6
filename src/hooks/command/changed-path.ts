import type { Policy } from '../../config/policy.ts';
import type { Owner, ResolvedTarget } from '../../core/facts.ts';
import { holdsLocks, type Intent } from '../../core/intent.ts';
import { judgeChange } from '../../core/rules/judge-change.ts';
import type { PathRefusal } from '../../core/ruling.ts';
import type { Reading } from '../../ledger/port.ts';
import { type ForbiddenPlace, forbiddenPlaces } from '../../security/forbidden.ts';
import { standingOf } from '../../security/resolve-target.ts';
import { isTemporary } from '../../security/scratch.ts';
import type { Workspace } from '../workspace.ts';

/** The open intent that holds a workspace-relative path, or null (H-65, H-66). */
export function ownerOf(
  tables: Pick<Reading, 'owner'>,
  intents: readonly Intent[],
  relative: string | null,
): Owner | null {
  const owner = relative === null ? null : tables.owner(relative);
  if (!owner || owner.contentHash === '') return null;
  const holder = intents.find(({ id }) => id === owner.intentId);
  return holder && holdsLocks(holder.status) ? owner : null;
}

/** What changes of one call are judged from, all of it as the human wrote it. */
export interface ChangeSources {
  readonly workspace: Workspace;
  readonly tables: Pick<Reading, 'owner'>;
  readonly intents: readonly Intent[];
  readonly policy: Pick<Policy, 'forbiddenPaths'>;
  /** ID of the intent that the call was made for. */
  readonly own: string | null;
}

/** A path that was changed. `absolute` is where it stands; no link in it is followed. */
export type ChangedPath = Pick<ResolvedTarget, 'absolute' | 'role' | 'problem'>;

/** A judge of the changes of one call. Null allows a change. */
export function changeJudge(sources: ChangeSources): (change: ChangedPath) => PathRefusal | null {
  const { workspace, tables, intents, policy, own } = sources;
  const { ground } = workspace;
  const forbidden: readonly ForbiddenPlace[] = forbiddenPlaces(policy.forbiddenPaths, ground.home);
  const intent = intents.find(({ id }) => id === own) ?? null;
  return (change) => {
    const standing = standingOf(change.absolute, ground, forbidden);
    const asked = standing.relative ?? change.absolute;
    // A call that names scratch was let through by the same word (U-9).
    const isFree = change.problem === null && isTemporary(change.absolute, change.role, ground);
    return judgeChange(
      {
        ...standing,
        ...(isFree ? { scratch: true } : {}),
        ...change,
        asked,
        owner: ownerOf(tables, intents, standing.relative),
      },
      intent,
    );
  };
}
