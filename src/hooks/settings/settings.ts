import {
  cachedPolicy,
  compilePolicy,
  type PolicySources,
  readPolicySources,
  rememberPolicy,
} from '../../config/load-policy.ts';
import type { Policy } from '../../config/policy.ts';
import { type Intent, isSelectable } from '../../core/intent.ts';
import type { ReceiptDraft } from '../../core/receipt.ts';
import type { Tx } from '../../ledger/store.ts';
import {
  type CompiledCache,
  cachedRegistry,
  compileRegistry,
  readRegistryBytes,
  rememberRegistry,
  trustedIntents,
} from '../../orchestration/registry.ts';
import type { Workspace } from '../workspace.ts';

/** The human's files as compiled for one event. */
export interface Settings {
  readonly intents: readonly Intent[];
  readonly policy: Policy;
  /** Whether the files still hold the bytes that these settings were made from. */
  readonly hold: () => boolean;
  /** The registry has not been seen with these bytes before: a human, or the engine, has edited it. */
  readonly edited: boolean;
  /** Keeps what had to be compiled, for the next process. */
  readonly remember: (cache: CompiledCache) => void;
}

function sameBytes(a: Buffer | null, b: Buffer | null): boolean {
  return a === b || (a !== null && b !== null && a.equals(b));
}

function sameSources(a: PolicySources, b: PolicySources): boolean {
  return sameBytes(a.user, b.user) && sameBytes(a.workspace, b.workspace);
}

/**
 * Reads the registry and the policy. Parsers are loaded only for bytes never seen before. Throws a StateError when
 * a file is missing or wrong; the engine answers that with the fail-safe refusal (H-100, H-101).
 */
export async function loadSettings(
  workspace: Workspace,
  cache: Pick<CompiledCache, 'compiled'>,
): Promise<Settings> {
  const { layout } = workspace;
  const bytes = readRegistryBytes(layout);
  const sources = readPolicySources(layout);
  const knownRegistry = cachedRegistry(bytes, cache);
  const registry = knownRegistry ?? (await compileRegistry(bytes));
  const knownPolicy = cachedPolicy(sources, cache);
  const policy = knownPolicy ?? (await compilePolicy(sources));
  return {
    intents: trustedIntents(registry, layout),
    policy,
    hold: () =>
      sameBytes(bytes, readRegistryBytes(layout)) && sameSources(sources, readPolicySources(layout)),
    edited: knownRegistry === null,
    remember: (tx) => {
      if (!knownRegistry) rememberRegistry(bytes, registry, tx);
      if (!knownPolicy) rememberPolicy(sources, policy, tx);
    },
  };
}

/**
 * Intents as they count now. A trip that has not reached the file yet blocks its intent here; a trip whose intent
 * the human has set back opens a new budget window, with a receipt that says so (H-91, H-92).
 */
export function effectiveIntents(
  tx: Pick<Tx, 'trips'> & { readonly receipt: (draft: ReceiptDraft) => unknown },
  intents: readonly Intent[],
  conversation: string,
): readonly Intent[] {
  const trips = new Map(tx.trips().map((trip) => [trip.intentId, trip]));
  if (trips.size === 0) return intents;
  return intents.map((intent) => {
    const trip = trips.get(intent.id);
    if (!trip || intent.status === 'BLOCKED') return intent;
    if (!trip.written) return { ...intent, status: 'BLOCKED' as const, blockedReason: trip.reason };
    if (!isSelectable(intent.status)) return intent;
    tx.receipt({
      phase: 'event',
      conversation_id: conversation,
      tool: 'pactclaw.intent_reset',
      args_hash: intent.id,
      result_hash: intent.status,
      status: 'allowed',
      risk: 'low',
      intent_id: intent.id,
      intent_event: { event: 'reset', intent_id: intent.id },
      note: 'a human set the intent back: a new budget window opens',
    });
    return intent;
  });
}
