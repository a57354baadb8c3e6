import type { Command } from 'commander';
import { PactError } from '../../core/errors.ts';
import type { Intent } from '../../core/intent.ts';
import { limitsOf } from '../../hooks/attempt/gather.ts';
import { executionReport } from '../../hooks/contained/report.ts';
import { toFailSafe } from '../../hooks/fail-safe.ts';
import type { Workspace } from '../../hooks/workspace.ts';
import { userFolder } from '../../platform/home.ts';
import { readEstop } from '../../security/estop.ts';
import { type CommonOptions, example, reporting } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { clean, columns, paint, plural, say, sayJson, shorten } from '../output.ts';
import { EXIT } from '../run.ts';
import { type OpenState, withState } from '../state.ts';
import { type HostWiring, wiringOf } from '../wiring/faults.ts';
import { machineFor } from './install.ts';

const SESSIONS = 5;

function intentReport(state: OpenState, intent: Intent) {
  const { maxTurns, maxTokens } = limitsOf(intent, state.policy);
  const reason =
    intent.blockedReason ?? state.store.trips().find(({ intentId }) => intentId === intent.id)?.reason;
  return {
    id: intent.id,
    name: intent.name,
    status: intent.status,
    usage: state.store.usage(intent.id),
    limits: { max_turns: maxTurns, max_tokens: maxTokens },
    scope_fault: intent.scope.fault,
    ...(intent.status === 'BLOCKED' && reason ? { blocked_reason: reason } : {}),
  };
}

function stateReport(state: OpenState) {
  const sessions = state.store.sessions(SESSIONS).map((row) => ({
    id: row.id,
    state: row.state,
    intent_id: row.intentId,
    host: row.host,
    model: row.model,
    updated_at: row.updatedAt,
    ...(row.haltReason === null ? {} : { halt_reason: row.haltReason }),
  }));
  return {
    intents: state.intents.map((intent) => intentReport(state, intent)),
    sessions,
    ledger: state.store.logSize('trace'),
    receipts: state.store.logSize('receipts'),
  };
}

async function gatherStatus(workspace: Workspace) {
  const common = {
    workspace: workspace.layout.root,
    estop: readEstop(),
    hosts: await wiringOf({ ...machineFor(workspace.layout.root), home: workspace.ground.home }, 'clients'),
    user_folder: userFolder(),
  };
  try {
    const report = async (state: OpenState) => ({
      ...stateReport(state),
      execution: await executionReport(workspace, state.policy),
    });
    return { ...common, fail_safe: null, ...(await withState(workspace, report)) };
  } catch (error) {
    if (!(error instanceof PactError) && !(error instanceof Error && 'code' in error)) throw error;
    return {
      ...common,
      fail_safe: toFailSafe(error),
      intents: [],
      sessions: [],
      ledger: null,
      receipts: null,
      execution: null,
    };
  }
}

type Status = Awaited<ReturnType<typeof gatherStatus>>;

/** Whether what is registered with hosts is in force. Without a host only what passes a proxy is governed. */
function governanceRows(hosts: readonly HostWiring[]): string[][] {
  const broken = hosts.filter(({ faults }) => faults.length > 0);
  const rows = broken.flatMap(({ host, faults }) => faults.map((fault) => `${host}: ${clean(fault)}`));
  if (rows.length > 0)
    return [
      ['governance', paint.red('NOT IN FORCE')],
      ...rows.map((row) => ['', row]),
      ...broken.map(({ host }) => ['', `mend it: pactclaw install ${host}; then: pactclaw verify ${host}`]),
    ];
  return [['governance', hosts.length > 0 ? paint.green('on') : paint.yellow('of no agent host')]];
}

function sayHead(status: Status): void {
  const { fail_safe: failSafe, hosts, ledger, receipts, execution } = status;
  const rows = [['workspace', status.workspace]];
  if (failSafe) {
    const place = failSafe.file ? ` (${failSafe.file}${failSafe.line ? `:${failSafe.line}` : ''})` : '';
    rows.push(
      ['governance', paint.red(`FAIL-SAFE: ${clean(failSafe.reason)}${place}`)],
      ['', failSafe.remedy],
    );
  } else rows.push(...governanceRows(hosts));
  rows.push(['estop', status.estop ? paint.red(`SET (${status.estop}); pactclaw estop --clear`) : 'not set']);
  rows.push([
    'hosts',
    hosts.length === 0
      ? 'none: pactclaw install claude-code'
      : hosts.map(({ host, files }) => `${host} (${files.join(', ')})`).join(', '),
  ]);
  if (execution)
    rows.push(['commands', execution.why === null ? execution.run : `${execution.run}: ${execution.why}`]);
  if (ledger && receipts)
    rows.push(['ledger', plural(ledger.lines, 'mutation')], ['receipts', plural(receipts.lines, 'receipt')]);
  say(columns(rows));
}

function sayStatus(status: Status): void {
  sayHead(status);
  if (status.intents.length > 0) {
    const rows = status.intents.map((one) => [
      one.id,
      one.scope_fault ? paint.red(`${one.status} (broad)`) : one.status,
      `${one.usage.turns}/${one.limits.max_turns}`,
      `${one.usage.tokens}/${one.limits.max_tokens}`,
      shorten(one.blocked_reason ? `${one.name}  [${one.blocked_reason}]` : one.name, 100),
    ]);
    say(`\n${columns([['INTENT', 'STATUS', 'TURNS', 'TOKENS', 'NAME'], ...rows])}`);
  }
  if (status.sessions.length > 0) {
    const rows = status.sessions.map((one) => [
      shorten(one.id, 36),
      one.state,
      one.intent_id ?? '-',
      one.host ?? '-',
      one.updated_at,
    ]);
    say(`\n${columns([['SESSION', 'STATE', 'INTENT', 'HOST', 'LAST EVENT'], ...rows])}`);
  }
}

async function status(options: CommonOptions): Promise<void> {
  const report = await gatherStatus(openWorkspace(options.workspace));
  if (report.fail_safe || report.hosts.some(({ faults }) => faults.length > 0))
    process.exitCode = EXIT.failed;
  if (options.json) sayJson(report);
  else sayStatus(report);
}

/** `pactclaw status`: what governs here and now; exit code 1 in fail-safe, and where a registration is not in force. */
export function register(program: Command): void {
  const command = reporting(program.command('status'))
    .description(
      'show whether governance holds, the emergency stop, intents with their use, and the last sessions',
    )
    .action(status);
  example(command, 'pactclaw status --json');
}
