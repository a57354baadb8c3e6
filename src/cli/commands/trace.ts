import type { Command } from 'commander';
import { PactError } from '../../core/errors.ts';
import type { TraceRecord } from '../../core/trace-record.ts';
import { checkChain, listTrace } from '../../ledger/read.ts';
import { readTrace } from '../../ledger/why.ts';
import { type CommonOptions, example, reporting } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { type ListOptions, listing, needLog, sayDamage, toFilter } from '../listing.ts';
import { clean, columns, say, sayJson, shorten, startProgress } from '../output.ts';
import { sayChain } from '../verify-output.ts';

function list(options: ListOptions): void {
  const { layout } = openWorkspace(options.workspace);
  needLog(layout.trace);
  const progress = startProgress('reading the ledger');
  const found = listTrace(layout.trace, toFilter(options), (lines) => progress.step(lines, 'lines'));
  progress.end();
  if (options.json) {
    sayJson(found.entries.map(({ position, record }) => ({ position, ...record })));
    return;
  }
  const rows = found.entries.map(({ position, record }) => [
    String(position),
    record.timestamp,
    record.intent_id,
    record.mutation,
    clean(record.path ?? '(no file)'),
    record.content_hash.slice(0, 12),
    shorten(record.rationale, 80),
  ]);
  if (rows.length > 0) say(columns([['#', 'TIME', 'INTENT', 'DID', 'FILE', 'HASH', 'WHY'], ...rows]));
  else say('no mutations');
  sayDamage('trace', found.damagedLines);
}

function isAsked(record: TraceRecord, asked: string): boolean {
  return record.id === asked || record.entry_hash === asked || record.receipt_id === asked;
}

function showOne(record: TraceRecord, position: number): void {
  const { contributor, vcs } = record;
  const facts: [string, string][] = [
    ['record', `${position}  ${record.id}`],
    ['time', record.timestamp],
    ['intent', `${record.intent_id}  ${clean(record.intent_name)}`],
    [
      'by',
      `${contributor.type}${contributor.model_id === undefined ? '' : `  ${clean(contributor.model_id)}`}`,
    ],
    ['did', `${record.mutation}  ${clean(record.path ?? '(no file)')}  with ${clean(record.tool_name)}`],
    ['why', clean(record.rationale)],
    ['content', record.content_hash],
    ['before', record.previous_content_hash ?? '(nothing)'],
    ['session', clean(record.session_id)],
    ['receipt', record.receipt_id],
    ['commit', vcs?.revision ?? '(none)'],
    ['entry', `${record.entry_hash}  (seq ${record.seq} of writer ${record.writer})`],
  ];
  if (record.from_path !== undefined) facts.splice(5, 0, ['from', clean(record.from_path)]);
  say(columns(facts));
  for (const range of record.ranges)
    say(`lines    ${range.start_line}-${range.end_line}  ${range.content_hash}`);
}

function show(asked: string, options: CommonOptions): void {
  const { layout } = openWorkspace(options.workspace);
  needLog(layout.trace);
  const progress = startProgress('searching the ledger');
  const found: { position: number; record: TraceRecord }[] = [];
  let position = 0;
  for (const { record } of readTrace(layout.trace, 0)) {
    position += 1;
    if (position % 1_000 === 0) progress.step(position, 'records');
    if (isAsked(record, asked) || String(position) === asked) found.push({ position, record });
  }
  progress.end();
  if (found.length === 0)
    throw new PactError('NOT_FOUND', `no ledger record ${asked}`, 'See `pactclaw trace list`.', {
      file: layout.trace,
    });
  if (options.json) {
    sayJson(found.map((one) => ({ position: one.position, ...one.record })));
    return;
  }
  for (const [index, one] of found.entries()) {
    if (index > 0) say();
    showOne(one.record, one.position);
  }
}

function verify(options: CommonOptions): void {
  const { layout } = openWorkspace(options.workspace);
  needLog(layout.trace);
  const progress = startProgress('verifying the ledger');
  const check = checkChain(layout, 'trace', (lines) => progress.step(lines, 'records'));
  progress.end();
  sayChain(check, layout.trace, 'record', options.json === true);
}

/** `pactclaw trace list|show|verify` (H-77). */
export function register(program: Command): void {
  const group = program
    .command('trace')
    .description('the audit ledger: what was changed, for which intent and why');
  const listCommand = listing(group.command('list'), 'mutations')
    .description('list mutations in order')
    .action(list);
  example(listCommand, 'pactclaw trace list --intent INT-001 --limit 10');
  const showCommand = reporting(group.command('show'))
    .description('show records whole')
    .argument('<id>', 'position, record id, entry hash, or id of the receipt they came from')
    .action(show);
  example(showCommand, 'pactclaw trace show 12');
  const verifyCommand = reporting(group.command('verify'))
    .description('replay the chain and name the first broken record')
    .action(verify);
  example(verifyCommand, 'pactclaw trace verify');
}
