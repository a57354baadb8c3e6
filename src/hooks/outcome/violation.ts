import type { Violation } from '../../core/receipt.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { quotedName, visible } from '../../core/unseen.ts';
import type { ViolationKind } from '../../core/words.ts';
import type { Undone } from '../command/undone.ts';

const MAX_LISTED = 10;

function lineOf({ path, why, kept, stands }: Undone): string {
  const where = kept === null ? '' : `; the changed version is kept in ${quotedName(kept)}`;
  return `- ${quotedName(path)}: ${why}${stands ? '; it was NOT undone' : where}`;
}

/** Words for a change that any of several calls may have made. */
function oneOf(beside: number): string {
  return `one of ${beside + 1} calls that ran at the same time`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command that puts the set-aside version of a file back in its place. */
function bringBack({ path, kept }: Undone): string {
  return `cp -a ${quoted(kept ?? '')} ${quoted(path)}`;
}

/** What a human and the agent read when a call changed what it may not. */
export function alarmOf(
  undone: readonly Undone[],
  call: ToolCall,
  intentId: string | null,
  beside: number,
): string {
  const own = call.command === undefined ? `the tool ${call.hostTool}` : 'the command';
  const actor = beside === 0 ? own : `${oneOf(beside)} (this one is ${own})`;
  // A name that cannot be typed as it is read is no help in a command.
  const kept = undone.find((one) => one.kept !== null && visible(one.path) === one.path);
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
    ...(kept
      ? [`Nothing is lost. If a person changed ${quotedName(kept.path)} meanwhile: ${bringBack(kept)}`]
      : []),
    'A human must review it and set the intent to IN_PROGRESS in .orchestration/active_intents.yaml.',
  ].join('\n');
}

/** What is wrong with changes of one kind. */
const FAULT: Readonly<Partial<Record<ViolationKind, string>>> = {
  scope: 'outside the scope',
  ownership: 'of files that belong to another intent',
  policy: 'of protected files',
  breadth: 'of more files than can be recorded',
  fail_safe: 'that could not be checked',
};

/** Kind of the rule that refuses a change. */
export function kindOf({ kind = 'policy' }: Undone): ViolationKind {
  return kind;
}

/** The violation for the receipt: its kind is that of the first change. */
export function violationOf(undone: readonly Undone[], beside: number): Violation {
  const [first] = undone;
  const standing = undone.filter(({ stands }) => stands).length;
  const paths = undone.slice(0, 5).map(({ path }) => quotedName(path));
  const kinds = new Set(undone.map(kindOf));
  const [kind = 'scope'] = kinds;
  const fault = (kinds.size === 1 && FAULT[kind]) || 'that no rule allows';
  const count = `${undone.length} change${undone.length === 1 ? '' : 's'} ${fault}`;
  return {
    kind,
    rule: 'reconcile',
    hook: 'ReconcileHook',
    ...(first ? { target: first.path.slice(0, 1024) } : {}),
    message:
      `Governance Violation: ${count}, ${undone.length - standing} undone${beside === 0 ? '' : ` (by ${oneOf(beside)})`}: ${paths.join(', ')}`.slice(
        0,
        2000,
      ),
  };
}
