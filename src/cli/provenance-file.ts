import { PactError } from '../core/errors.ts';
import { byPath } from '../ledger/provenance/lookup.ts';
import { readRecordAt } from '../ledger/why.ts';
import type { CommonOptions } from './command.ts';
import { openWorkspace } from './context.ts';
import { relativeIn, withIndex } from './explain-file.ts';
import { clean, columns, say, sayJson, shorten } from './output.ts';
import { withState } from './state.ts';

/** `pactclaw provenance file PATH`: who holds a file now, who did before, and what was done to it (H-84). */
export function file(asked: string, options: CommonOptions): Promise<void> {
  const workspace = openWorkspace(options.workspace);
  const path = relativeIn(workspace, asked);
  const records = withIndex(workspace, (store) =>
    byPath(store.index, path, 50).flatMap((offset) => readRecordAt(store.layout.trace, offset) ?? []),
  );
  return withState(workspace, ({ store, intents }) => {
    const owner = store.owner(path);
    if (!owner && records.length === 0)
      throw new PactError(
        'NOT_FOUND',
        `${path} is not in the intent map: no agent has changed it`,
        'Code without a record is unattributed.',
      );
    const holder = intents.find(({ id }) => id === owner?.intentId);
    const locked =
      owner !== null &&
      owner.contentHash !== '' &&
      (holder?.status === 'IN_PROGRESS' || holder?.status === 'BLOCKED');
    const report = {
      path,
      intent: owner && { id: owner.intentId, name: owner.intentName, locked, changed_at: owner.changedAt },
      content_hash: owner?.contentHash || null,
      earlier_intents: owner?.earlier ?? [],
      history: records.map(({ timestamp, intent_id, mutation, rationale, id }) => ({
        timestamp,
        intent_id,
        mutation,
        rationale,
        id,
      })),
    };
    if (options.json) {
      sayJson(report);
      return;
    }
    if (owner)
      say(
        `${clean(path)}  ${owner.intentId} ${clean(owner.intentName)}${locked ? '  LOCKED' : ''}${owner.contentHash === '' ? '  deleted' : ''}`,
      );
    if (report.earlier_intents.length > 0) say(`earlier: ${report.earlier_intents.join(', ')}`);
    say(
      columns(
        report.history.map((one) => [one.timestamp, one.intent_id, one.mutation, shorten(one.rationale, 90)]),
        '  ',
      ),
    );
  });
}
