import type { Place } from '../shared/in-process/desk.ts';
import type { PluginInput, SessionInfo } from './host.ts';

/** How many parents of a session are followed; deeper ones are taken for sessions of their own. */
const MAX_DEPTH = 16;

/** Whose session each of the host's is: a subagent works in a child session, and is governed in its parent's. */
export interface Places {
  of(session: string): Promise<Place>;
  /** What an event says of a session. */
  learn(info: SessionInfo): void;
}

export function createPlaces({ client, directory }: PluginInput): Places {
  const parents = new Map<string, string | null>();
  const parentOf = async (id: string): Promise<string | null> => {
    const known = parents.get(id);
    if (known !== undefined) return known;
    // Unknown here when it was made by another process. One that cannot be asked for stands for itself: it has to
    // make its own handshake.
    const answer = await client.session.get({ path: { id } }).catch(() => null);
    const parent = answer?.data?.parentID ?? null;
    if (answer?.data !== undefined) parents.set(id, parent);
    return parent;
  };
  return {
    async of(session) {
      let root = session;
      for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
        const parent = await parentOf(root);
        if (parent === null) break;
        root = parent;
      }
      return { session: root, agent: root === session ? null : session, cwd: directory };
    },
    learn: ({ id, parentID }) => {
      parents.set(id, parentID ?? null);
    },
  };
}
