import path from 'node:path';
import type { Command } from 'commander';
import { PactError } from '../../core/errors.ts';
import { rebuildMap } from '../../hooks/outcome/map.ts';
import type { Workspace } from '../../hooks/workspace.ts';
import { type Finding, type FsckReport, fsck } from '../../ledger/fsck.ts';
import { type Repair, repair } from '../../ledger/repair.ts';
import { parseIntents } from '../../orchestration/parse-intents.ts';
import { readRegistryBytes, trustedIntents } from '../../orchestration/registry.ts';
import { type CommonOptions, example, reporting } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { checkMap } from '../fsck/check-map.ts';
import { assertHuman } from '../humans-only.ts';
import { logEvent } from '../operator-log.ts';
import { clean, paint, plural, say, sayJson, startProgress } from '../output.ts';
import { humanEvent } from '../record-event.ts';
import { EXIT, toReport } from '../run.ts';
import { withState } from '../state.ts';

function findingOf(error: unknown): Finding {
  const { message, file, line } = toReport(error);
  return { level: 'error', part: 'state', message, file, line };
}

/** The ledger's own check, and what only the registry and the map can tell. Changes nothing. */
function inspect(workspace: Workspace): FsckReport {
  const progress = startProgress('fsck');
  const report = fsck(workspace.layout, (what, count) => progress.step(count, `(${what})`));
  progress.end();
  try {
    const { layout } = workspace;
    if (report.findings.some(({ part }) => part === 'logs' || part === 'state'))
      trustedIntents(parseIntents(readRegistryBytes(layout)), layout);
    else report.findings.push(...checkMap(workspace));
  } catch (error) {
    if (!(error instanceof PactError)) throw error;
    report.findings.push(findingOf(error));
  }
  return report;
}

/** Repairs logs, views and the map. Reports again what only the human can correct. */
async function mend(workspace: Workspace, before: FsckReport): Promise<Repair[]> {
  assertHuman('`pactclaw fsck --repair`');
  const errors = before.findings.filter(({ level }) => level === 'error');
  const isBehind = before.findings.some(({ level, part }) => level === 'note' && part === 'state');
  if (errors.length === 0 && !isBehind) return [];
  if (errors.length === 0) {
    await withState(workspace, () => undefined);
    return [{ what: 'the logs are good as they are; state.db was made from them', kept: null, sha256: null }];
  }
  const derived = errors.some(
    ({ part, message }) => part === 'index' || (part === 'state' && message.includes('differs')),
  );
  const repairs = repair(workspace.layout, derived, humanEvent);
  try {
    await withState(workspace, ({ store, intents }) => {
      const stale = checkMap(workspace).some(({ level }) => level === 'error');
      if (!stale) return;
      store.transact((tx) => rebuildMap(workspace, tx, intents));
      repairs.push({ what: 'intent_map.md was made anew from the ledger', kept: null, sha256: null });
    });
  } catch (error) {
    // The registry is broken: the check that follows names the line.
    if (!(error instanceof PactError)) throw error;
  }
  for (const { what, kept, sha256 } of repairs) logEvent('warn', 'recovered', { what, kept, sha256 });
  return repairs;
}

function sayFinding({ level, message, file, line }: Finding): void {
  const place =
    file === null ? '' : `${path.relative(process.cwd(), file)}${line === null ? '' : `:${line}`}: `;
  say(`${level === 'error' ? paint.red('error') : paint.dim('note ')}  ${place}${clean(message)}`);
}

async function run(options: CommonOptions & { readonly repair?: boolean }): Promise<void> {
  const workspace = openWorkspace(options.workspace);
  let report = inspect(workspace);
  const found = report.findings;
  const repairs = options.repair ? await mend(workspace, report) : [];
  if (repairs.length > 0) report = inspect(workspace);
  const errors = report.findings.filter(({ level }) => level === 'error').length;
  if (errors > 0) process.exitCode = EXIT.failed;
  if (options.json)
    return sayJson({ sound: errors === 0, ...report, ...(options.repair ? { found, repairs } : {}) });
  if (repairs.length > 0) found.filter(({ level }) => level === 'error').forEach(sayFinding);
  for (const { what, kept, sha256 } of repairs) {
    say(`${paint.green('fixed')}  ${clean(what)}`);
    if (kept !== null) say(`       kept in ${kept}${sha256 === null ? '' : `, SHA-256 ${sha256}`}`);
  }
  report.findings.forEach(sayFinding);
  const { receipts, trace } = report.logs;
  const size = `${plural(receipts.records, 'receipt')}, ${plural(trace.records, 'ledger record')}`;
  if (errors === 0)
    return say(paint.green(`sound: ${size}; state.db, the index and the map agree with them`));
  say(paint.red(`${plural(errors, 'error')} in ${size}`));
  if (!options.repair)
    say('`pactclaw fsck --repair` sets damaged files aside (deleting nothing) and makes the rest anew.');
}

/** `pactclaw fsck [--repair]`. */
export function register(program: Command): void {
  const command = reporting(program.command('fsck'))
    .description('re-derive everything from the two logs and compare; changes nothing without --repair')
    .option('--repair', 'set damaged files aside, go on from the good part, and record that (humans only)')
    .action(run);
  example(command, 'pactclaw fsck', 'pactclaw fsck --repair');
}
