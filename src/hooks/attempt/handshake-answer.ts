import { PactError } from '../../core/errors.ts';
import { type Intent, isSelectable } from '../../core/intent.ts';
import type { JsonObject } from '../../core/json.ts';
import { readRecordAt } from '../../ledger/why.ts';
import { readBrain } from '../../orchestration/brain.ts';
import { budgetOf, handshakeResult } from '../../orchestration/handshake-result.ts';
import { relevantLessons } from '../../orchestration/lessons.ts';
import { readDetail } from '../call-detail.ts';
import { openStore } from '../open-store.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import type { Workspace } from '../workspace.ts';
import { limitsOf } from './gather.ts';

const HISTORY = 20;

const NO_HOOK =
  'Hooks load only when the agent is started in the folder they were installed for. A human can check with `pactclaw verify` and the name of the host.';

function intentNamed(settings: Settings, id: string): Intent {
  const intent = settings.intents.find((one) => one.id === id);
  if (!intent)
    throw new PactError(
      'INVALID_INPUT',
      `Validation Error: unknown intent ${id}`,
      'Choose an intent of the registry.',
    );
  if (isSelectable(intent.status)) return intent;
  throw new PactError(
    'INVALID_INPUT',
    `Validation Error: intent ${id} is ${intent.status}`,
    'Choose an open intent.',
  );
}

/**
 * What `select_active_intent` answers on a host whose hooks make the transition (H-33…H-38). INVARIANT (no answer
 * without a gate): unless a hook has let this very handshake through a moment ago, the answer is an error, so that
 * an agent whose hooks are not loaded finds out at once instead of working ungoverned.
 */
export async function handshakeAnswer(workspace: Workspace, intentId: string): Promise<JsonObject> {
  using store = openStore(workspace);
  const settings = await loadSettings(workspace, store);
  const intent = intentNamed(settings, intentId);
  const gated = store
    .callsInFlight()
    .some((call) => call.intentId === intentId && readDetail(call.detail).handshake);
  if (!gated)
    throw new PactError(
      'INVARIANT_BROKEN',
      'State Violation: no hook has seen this handshake, so nothing would govern what follows',
      NO_HOOK,
    );
  const brain = readBrain(workspace.layout);
  const history = store.latestMutations(intentId, HISTORY).flatMap((offset) => {
    const record = readRecordAt(workspace.layout.trace, offset);
    return record
      ? [
          {
            timestamp: record.timestamp,
            path: record.path,
            mutation: record.mutation,
            rationale: record.rationale,
          },
        ]
      : [];
  });
  return handshakeResult({
    intent,
    usage: store.usage(intentId),
    limits: limitsOf(intent, settings.policy),
    guidelines: brain.guidelines,
    lessons: relevantLessons(brain.lessons, intent),
    history,
  });
}

/** Every intent as an agent may see it: status, scope, what is left of its budget. */
export async function intentsAnswer(workspace: Workspace): Promise<JsonObject> {
  using store = openStore(workspace);
  const settings = await loadSettings(workspace, store);
  return {
    active_intents: settings.intents.map((intent) => ({
      id: intent.id,
      name: intent.name,
      status: intent.status,
      owned_scope: [...intent.ownedScope],
      selectable: isSelectable(intent.status) && intent.scope.fault === null,
      budget: budgetOf(store.usage(intent.id), limitsOf(intent, settings.policy)),
    })),
  };
}
