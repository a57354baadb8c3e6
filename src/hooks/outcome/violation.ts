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

/** The receipt's word on a contained command of which nothing was kept. */
export function refusalOf(refused: readonly Undone[]): Violation {
  const { count, kind, paths } = summaryOf(refused);
  return {
    kind,
    rule: 'contained',
    hook: 'ContainmentHook',
    ...(refused[0] ? { target: refused[0].path.slice(0, 1024) } : {}),
    message: `Governance Violation: ${count}, so nothing of the command was kept: ${paths}`.slice(0, 2000),
  };
}

/** What an agent reads when nothing of a contained command was kept. */
export function containedText(refused: readonly Undone[], remedy: string): string {
  const more = refused.length > MAX_LISTED ? [`- and ${refused.length - MAX_LISTED} more`] : [];
  return [
    'Governance Violation: the command changed what it may not. It ran in a container, so nothing that it wrote was kept and the project is as it was before:',
    ...refused.slice(0, MAX_LISTED).map(lineOf),
    ...more,
    remedy,
    'Run it again so that it writes only there: what it wrote inside the scope was not kept either.',
  ].join('\n');
}

/** What changes are in a few words; their kind is that of the first. */
function summaryOf(changes: readonly Undone[]): { count: string; kind: ViolationKind; paths: string } {
  const paths = changes.slice(0, 5).map(({ path }) => quotedName(path));
  const kinds = new Set(changes.map(kindOf));
  const [kind = 'scope'] = kinds;
  const fault = (kinds.size === 1 && FAULT[kind]) || 'that no rule allows';
  return {
    count: `${changes.length} change${changes.length === 1 ? '' : 's'} ${fault}`,
    kind,
    paths: paths.join(', '),
  };
}

/** The violation for the receipt: its kind is that of the first change. */
export function violationOf(undone: readonly Undone[], beside: number): Violation {
  const [first] = undone;
  const standing = undone.filter(({ stands }) => stands).length;
  const { count, kind, paths } = summaryOf(undone);
  return {
    kind,
    rule: 'reconcile',
    hook: 'ReconcileHook',
    ...(first ? { target: first.path.slice(0, 1024) } : {}),
    message:
      `Governance Violation: ${count}, ${undone.length - standing} undone${beside === 0 ? '' : ` (by ${oneOf(beside)})`}: ${paths}`.slice(
        0,
        2000,
      ),
  };
}
