import { DEFAULT_POLICY } from '../../config/policy.ts';
import type { Facts, FailSafe } from '../../core/facts.ts';
import type { Intent } from '../../core/intent.ts';
import { asDecoded } from '../../core/unnamed.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { SessionRow } from '../../ledger/port.ts';
import type { Store, Tx } from '../../ledger/store.ts';
import { toFailSafe } from '../fail-safe.ts';
import { stepsAt } from '../pipeline.ts';
import type { PreToolRequest } from '../requests.ts';
import { countsFor, NOTHING_SEEN, readUsage, type SeenUsage } from '../session/usage.ts';
import { effectiveIntents, loadSettings, type Settings } from '../settings/settings.ts';
import type { KeepStep } from '../steps.ts';
import type { Workspace } from '../workspace.ts';
import { type CommandFacts, commandFacts } from './command-facts.ts';
import { askedIntent, gatherFacts } from './gather.ts';

/** What an event is judged from before the lock is taken: files that need a parser, and the command's reading. */
export interface Prepared {
  readonly settings: Settings | null;
  readonly failSafe: FailSafe | null;
  readonly command: CommandFacts | null;
  readonly keeps: readonly KeepStep[];
}

/** Reads all that needs no lock. State that cannot be used is a fact too: the fail-safe rule refuses by it. */
export async function prepare(
  workspace: Workspace,
  store: Store,
  request: PreToolRequest,
): Promise<Prepared> {
  const command = await commandFacts(request.call, workspace.ground);
  const keeps = await stepsAt('keep');
  try {
    return { settings: await loadSettings(workspace, store), failSafe: null, command, keeps };
  } catch (error) {
    return { settings: null, failSafe: toFailSafe(error), command, keeps };
  }
}

/** The intent that a handshake asks for: other calls of the same response are its work (C-100). */
function chosenBy({ call }: PreToolRequest, intents: readonly Intent[]): string | null {
  if (call.tool !== HANDSHAKE_TOOL) return null;
  return intents.find(({ id }) => id === askedIntent(call))?.id ?? null;
}

interface UnderLock {
  readonly facts: Facts;
  readonly session: SessionRow;
  /** The intent whose budget `seen` is taken from. */
  readonly usageFor: string | null;
  readonly seen: SeenUsage;
}

/** Facts for a call under the lock. */
export function factsUnderLock(
  workspace: Workspace,
  tx: Tx,
  request: PreToolRequest,
  prepared: Prepared,
  joined = false,
): UnderLock {
  const session = tx.session(request.sessionId);
  const intents = prepared.settings ? effectiveIntents(tx, prepared.settings.intents, request.sessionId) : [];
  const actsFor = countsFor(tx, session);
  // The handshake's own response is known by what it asks for; a call that is joined was counted before.
  const counts = request.call.tool !== HANDSHAKE_TOOL && actsFor !== null && !joined;
  const seen = prepared.failSafe
    ? NOTHING_SEEN
    : readUsage(tx, request, counts ? asDecoded(request.call) : null);
  const usageFor = actsFor ?? (seen.isNew ? chosenBy(request, intents) : null);
  const policy = prepared.settings?.policy ?? DEFAULT_POLICY;
  const { failSafe, command } = prepared;
  const counted = usageFor === null ? NOTHING_SEEN : seen;
  const facts = gatherFacts({
    workspace,
    request,
    tables: tx,
    session,
    intents,
    policy,
    failSafe,
    command,
    seen: { ...counted, calls: seen.calls },
    joined,
  });
  return { facts, session, usageFor, seen: { ...counted, model: seen.model, calls: seen.calls } };
}
