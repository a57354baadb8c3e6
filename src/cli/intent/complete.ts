import { rebuildMap } from '../../hooks/outcome/map.ts';
import { parseIntents } from '../../orchestration/parse-intents.ts';
import { loadStatusEditor, readRegistryBytes, writeStatus } from '../../orchestration/registry.ts';
import type { CommonOptions } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { assertHuman } from '../humans-only.ts';
import { logEvent } from '../operator-log.ts';
import { say, sayJson } from '../output.ts';
import { humanEvent } from '../record-event.ts';
import { intentOf, withState } from '../state.ts';

/** `pactclaw intent complete ID`: only a human does it; every session that uses it is sent back (H-14). */
export function complete(id: string, options: CommonOptions): Promise<void> {
  assertHuman('`pactclaw intent complete`');
  const workspace = openWorkspace(options.workspace);
  return withState(workspace, async ({ store }) => {
    const edit = await loadStatusEditor();
    const before = store.transact((tx) => {
      const { status } = intentOf(parseIntents(readRegistryBytes(workspace.layout)).intents, id);
      if (status === 'COMPLETED') return status;
      tx.receipt(
        humanEvent('pactclaw.intent_completed', `a human completed the intent; it was ${status}`, {
          intent_id: id,
        }),
      );
      writeStatus(workspace.layout, edit, id, 'COMPLETED', null);
      rebuildMap(workspace, tx, parseIntents(readRegistryBytes(workspace.layout)).intents);
      return status;
    });
    const changed = before !== 'COMPLETED';
    if (changed) logEvent('info', 'intent_completed', { intent_id: id, was: before });
    if (options.json) return sayJson({ intent: id, was: before, status: 'COMPLETED', changed });
    say(
      changed
        ? `${id} is COMPLETED (was ${before}); its files are free for other intents`
        : `${id} was COMPLETED already`,
    );
  });
}
