import path from 'node:path';
import { PactError } from '../core/errors.ts';
import type { Workspace } from '../hooks/workspace.ts';
import type { LineExplanation } from '../ledger/provenance/explain.ts';
import type { OriginFacts } from '../ledger/provenance/facts.ts';
import { Store } from '../ledger/store.ts';
import { refreshIndex, whyLines } from '../ledger/why.ts';
import { readRegular } from '../platform/files.ts';
import { realPathOf } from '../platform/resolve-path.ts';
import { clean, paint, plural, say, startProgress } from './output.ts';

const MAX_FILE = 64 << 20;

/** A file that was named at the command line, workspace-relative. */
export function relativeIn(workspace: Workspace, file: string): string {
  const { absolute, problem } = realPathOf(file, process.cwd());
  if (problem !== null)
    throw new PactError('INVALID_INPUT', `${file}: ${problem}`, 'Name a file of the workspace.');
  const { root } = workspace.ground;
  if (absolute.startsWith(`${root}/`)) return absolute.slice(root.length + 1);
  throw new PactError(
    'NOT_FOUND',
    `${file} is not in the workspace ${root}`,
    'Name a file of it, or use --workspace.',
  );
}

/** The workspace's state with its provenance index up to the ledger, for the time of `work`. */
export function withIndex<T>(workspace: Workspace, work: (store: Store) => T): T {
  using store = Store.open(workspace.layout, { busyMs: workspace.busyMs });
  // Nothing is explained from a ledger that does not verify.
  store.transact(() => undefined);
  const progress = startProgress('indexing the ledger');
  try {
    refreshIndex(store, (records) => progress.step(records, 'records'));
  } finally {
    progress.end();
  }
  return work(store);
}

/** A file's lines as they are now, explained. */
export function explainFile(
  workspace: Workspace,
  file: string,
  range?: { start: number; end: number },
): { path: string; lines: LineExplanation[] } {
  const relative = relativeIn(workspace, file);
  const read = (name: string) => readRegular(path.join(workspace.ground.root, name), MAX_FILE);
  const content = read(relative);
  if (!content)
    throw new PactError('NOT_FOUND', `${file} is not a file that can be read`, 'Name a file of up to 64 MB.');
  const lines = withIndex(workspace, (store) =>
    whyLines(store, { path: relative, content, ...(range ? { range } : {}) }, { readFile: read }),
  );
  if (lines.length > 0 || (content.length === 0 && !range)) return { path: relative, lines };
  const why = content.includes(0) ? 'holds binary data and has no lines' : `has no line ${range?.start ?? 1}`;
  throw new PactError('NOT_FOUND', `${file} ${why}`, 'For a whole file use `pactclaw provenance file`.');
}

/** Neighbouring lines with the same answer. */
export interface Run {
  readonly start: number;
  end: number;
  readonly answer: LineExplanation;
}

function keyOf(answer: LineExplanation): string {
  if (answer.status === 'attributed')
    return JSON.stringify([
      answer.evidence,
      answer.origin.traceId,
      answer.origin.blockHash,
      answer.touchedBy.map(({ traceId }) => traceId),
    ]);
  const others = answer.status === 'ambiguous' ? answer.origins : answer.touchedBy;
  return JSON.stringify([answer.status, others.map(({ traceId }) => traceId)]);
}

/** Joins lines into runs; a run of moved code stays together only while its origin goes on line by line. */
export function toRuns(lines: readonly LineExplanation[]): Run[] {
  const runs: Run[] = [];
  let key = '';
  for (const answer of lines) {
    const last = runs.at(-1);
    const goesOn =
      last !== undefined &&
      keyOf(answer) === key &&
      (answer.status !== 'attributed' ||
        last.answer.status !== 'attributed' ||
        answer.origin.originalLine - last.answer.origin.originalLine === answer.line - last.start);
    key = keyOf(answer);
    if (goesOn) last.end = answer.line;
    else runs.push({ start: answer.line, end: answer.line, answer });
  }
  return runs;
}

function originLine({ intentId, intentName }: OriginFacts): string {
  return `${paint.bold(intentId)} ${clean(intentName)}`;
}

function touched(touchedBy: readonly OriginFacts[]): void {
  for (const one of touchedBy)
    say(
      `    touched by   ${one.intentId} ${clean(one.intentName)}  ${one.timestamp}  ${clean(one.rationale)}`,
    );
}

function sayRun(path: string, { start, end, answer }: Run): void {
  const place = paint.cyan(`${clean(path)}:${start}${end > start ? `-${end}` : ''}`);
  if (answer.status === 'unattributed') {
    say(`${place}  ${paint.yellow('unattributed')}: no record of an agent says where this comes from`);
    touched(answer.touchedBy);
    return;
  }
  if (answer.status === 'ambiguous') {
    say(`${place}  ${paint.yellow('ambiguous')}: several records wrote this text`);
    for (const one of answer.origins)
      say(
        `    perhaps      ${one.intentId} ${clean(one.intentName)}  ${one.timestamp}  ${clean(one.originalPath)}:${one.originalLine}`,
      );
    return;
  }
  const { origin, evidence } = answer;
  say(`${place}  ${originLine(origin)}`);
  say(`    why          ${clean(origin.rationale)}`);
  say(
    `    when         ${origin.timestamp}  by ${clean(origin.model ?? origin.contributor)}  in session ${clean(origin.sessionId)}`,
  );
  say(
    `    written at   ${clean(origin.originalPath)}:${origin.originalLine}  (${origin.mutation}, evidence: ${evidence})`,
  );
  say(`    record       ${origin.traceId}  receipt ${origin.receiptId}`);
  touched(answer.touchedBy);
}

/** Says the answers run by run, and how much of them is known. */
export function sayLines(path: string, lines: readonly LineExplanation[]): void {
  for (const run of toRuns(lines)) sayRun(path, run);
  if (lines.length < 2) return;
  const count = (status: LineExplanation['status']) => lines.filter((one) => one.status === status).length;
  say(
    `${plural(lines.length, 'line')}: ${count('attributed')} attributed, ${count('ambiguous')} ambiguous, ${count('unattributed')} unattributed`,
  );
}
