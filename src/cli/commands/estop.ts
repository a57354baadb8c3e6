import type { Command } from 'commander';
import { messageOf } from '../../core/errors.ts';
import { workspaceAt } from '../../hooks/workspace.ts';
import { Store } from '../../ledger/store.ts';
import { nowIso } from '../../platform/clock.ts';
import { clearEstop, estopFile, setEstop } from '../../security/estop.ts';
import { type CommonOptions, example, reporting } from '../command.ts';
import { installFolder, workspaceRoot } from '../context.ts';
import { assertHuman } from '../humans-only.ts';
import { logEvent } from '../operator-log.ts';
import { paint, say, sayJson, tell } from '../output.ts';
import { humanEvent } from '../record-event.ts';

/**
 * Leaves a receipt in the workspace, when there is one. The stop itself is set by then: no missing, broken or locked
 * workspace may keep it from taking hold. Returns the receipt's id, or null.
 */
function record(option: string | undefined, event: 'triggered' | 'cleared'): string | null {
  try {
    const { layout } = workspaceAt(workspaceRoot(option), installFolder());
    using store = Store.open(layout, { busyMs: 2_000 });
    const note =
      event === 'triggered' ? 'a human set the emergency stop' : 'a human cleared the emergency stop';
    return store.transact((tx) => tx.receipt(humanEvent(`pactclaw.estop_${event}`, note))).id;
  } catch (error) {
    logEvent('warn', 'receipt_written', { receipt: null, why: messageOf(error) });
    return null;
  }
}

function clear(options: CommonOptions): void {
  assertHuman('`pactclaw estop --clear`');
  const changed = clearEstop();
  const receipt = changed ? record(options.workspace, 'cleared') : null;
  if (changed) logEvent('warn', 'estop_cleared', { receipt });
  if (options.json) {
    sayJson({ estop: false, changed, file: estopFile(), receipt });
    return;
  }
  say(changed ? `${paint.green('cleared')}: agents may act again` : 'the emergency stop was not set');
}

function estop(options: CommonOptions & { readonly clear?: boolean }): void {
  if (options.clear) {
    clear(options);
    return;
  }
  const changed = setEstop(`set by \`pactclaw estop\` at ${nowIso()}\n`);
  const receipt = changed ? record(options.workspace, 'triggered') : null;
  logEvent('warn', 'estop_triggered', { changed, receipt });
  if (options.json) {
    sayJson({ estop: true, changed, file: estopFile(), receipt });
    return;
  }
  say(
    `${paint.red('EMERGENCY STOP')}${changed ? '' : ' (was set already)'}: every tool call of every agent of this user is refused`,
  );
  tell(`clear it with \`pactclaw estop --clear\` (${estopFile()})`);
}

/** `pactclaw estop [--clear]` (R-25, R-138…R-143). */
export function register(program: Command): void {
  const command = reporting(program.command('estop'))
    .description('stop every agent of this user at its next tool call, in all workspaces')
    .option('--clear', 'let them act again (humans only)')
    .action(estop);
  example(command, 'pactclaw estop', 'pactclaw estop --clear');
}
