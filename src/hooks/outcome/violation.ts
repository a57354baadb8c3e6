import type { Violation } from '../../core/receipt.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import type { Undone } from '../command/reconcile.ts';

const MAX_LISTED = 10;

function lineOf({ path, why, kept, stands }: Undone): string {
  const where = kept === null ? '' : `; the changed version is kept in ${kept}`;
  return `- ${path}: ${why}${stands ? '; it was NOT undone' : where}`;
}

/** What a human and the agent read when a call changed what it may not. */
export function alarmOf(undone: readonly Undone[], call: ToolCall, intentId: string | null): string {
  const actor = call.command === undefined ? `the tool ${call.hostTool}` : 'the command';
  const standing = undone.filter(({ stands }) => stands).length;
  const outcome =
    standing === 0
      ? ', and this was undone'
      : standing === undone.length
        ? ', and this could NOT be undone'
        : '; a part of this could NOT be undone';
  const list = undone.slice(0, MAX_LISTED).map(lineOf);
  const more = undone.length > MAX_LISTED ? [`- and ${undone.length - MAX_LISTED} more`] : [];
  return [
    `Governance Violation: ${actor} changed what it may not${outcome}${intentId === null ? '' : `. Intent ${intentId} is now BLOCKED`}`,
    ...list,
    ...more,
    'A human must review it and set the intent to IN_PROGRESS in .orchestration/active_intents.yaml.',
  ].join('\n');
}

/** The same for the receipt. */
export function violationOf(undone: readonly Undone[]): Violation {
  const [first] = undone;
  const standing = undone.filter(({ stands }) => stands).length;
  const paths = undone.slice(0, 5).map(({ path }) => path);
  const count = `${undone.length} change${undone.length === 1 ? '' : 's'} outside the scope`;
  return {
    kind: 'scope',
    rule: 'reconcile',
    hook: 'ReconcileHook',
    ...(first ? { target: first.path.slice(0, 1024) } : {}),
    message: `Governance Violation: ${count}, ${undone.length - standing} undone: ${paths.join(', ')}`.slice(
      0,
      2000,
    ),
  };
}
