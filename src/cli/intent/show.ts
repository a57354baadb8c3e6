import { holdsLocks, type Intent } from '../../core/intent.ts';
import { limitsOf } from '../../hooks/attempt/gather.ts';
import { readRecordAt } from '../../ledger/why.ts';
import type { CommonOptions } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { clean, columns, paint, say, sayJson, shorten } from '../output.ts';
import { intentOf, type OpenState, withState } from '../state.ts';
import { scopeFiles, scopeRemark } from './report.ts';

const HISTORY = 10;

function historyOf({ store }: OpenState, id: string) {
  return store.latestMutations(id, HISTORY).flatMap((offset) => {
    const record = readRecordAt(store.layout.trace, offset);
    if (!record) return [];
    const { timestamp, path, mutation, rationale, session_id } = record;
    return [{ timestamp, path, mutation, rationale, session_id }];
  });
}

function reportOf(state: OpenState, intent: Intent) {
  const { maxTurns, maxTokens, maxScopeFiles } = limitsOf(intent, state.policy);
  const { root } = state.store.layout;
  const files = scopeFiles(root, intent);
  const locks = holdsLocks(intent.status)
    ? state.store.owners().filter((owner) => owner.intentId === intent.id && owner.contentHash !== '')
    : [];
  const reason =
    intent.blockedReason ??
    state.store.trips().find(({ intentId }) => intentId === intent.id)?.reason ??
    null;
  return {
    id: intent.id,
    name: intent.name,
    status: intent.status,
    blocked_reason: intent.status === 'BLOCKED' ? reason : null,
    line: intent.line,
    owned_scope: intent.ownedScope,
    scope_files: files.count,
    scope_problem: scopeRemark(root, intent, state.policy)?.message ?? null,
    constraints: intent.constraints,
    acceptance_criteria: intent.acceptanceCriteria,
    usage: state.store.usage(intent.id),
    limits: {
      max_turns: maxTurns,
      max_tokens: maxTokens,
      max_scope_files: maxScopeFiles,
      from: {
        max_turns: intent.budget.maxTurns === undefined ? 'settings' : 'intent',
        max_tokens: intent.budget.maxTokens === undefined ? 'settings' : 'intent',
      },
    },
    locks: locks.map(({ path, changedAt }) => ({ path, changed_at: changedAt })),
    history: historyOf(state, intent.id),
  };
}

function sayIntent(report: ReturnType<typeof reportOf>): void {
  const { usage, limits } = report;
  say(paint.bold(`${report.id}  ${clean(report.name)}`));
  say(
    columns([
      ['status', report.blocked_reason ? `${report.status}: ${clean(report.blocked_reason)}` : report.status],
      ['turns', `${usage.turns} of ${limits.max_turns} (from ${limits.from.max_turns})`],
      ['tokens', `${usage.tokens} of ${limits.max_tokens} (from ${limits.from.max_tokens})`],
      ['files', `${report.scope_files ?? 'not counted'} of ${limits.max_scope_files}`],
    ]),
  );
  if (report.scope_problem) say(paint.red(report.scope_problem));
  const section = (title: string, items: readonly string[]) => {
    if (items.length > 0) say(`\n${title}\n${items.map((item) => `  ${clean(item)}`).join('\n')}`);
  };
  section('Owned scope', report.owned_scope);
  section('Constraints', report.constraints);
  section('Acceptance criteria', report.acceptance_criteria);
  section(
    'Locked files',
    report.locks.map(({ path }) => path),
  );
  section(
    'Last mutations',
    report.history.map(
      (one) => `${one.timestamp}  ${one.mutation}  ${one.path ?? '(no file)'}  ${shorten(one.rationale, 90)}`,
    ),
  );
}

/** `pactclaw intent show ID` (H-85, H-95). */
export function show(id: string, options: CommonOptions): Promise<void> {
  return withState(openWorkspace(options.workspace), (state) => {
    const report = reportOf(state, intentOf(state.intents, id));
    if (options.json) sayJson(report);
    else sayIntent(report);
  });
}
