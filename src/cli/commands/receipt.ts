import type { Command } from 'commander';
import type { Receipt } from '../../core/receipt.ts';
import { type Attempt, checkChain, listReceipts } from '../../ledger/read.ts';
import { type CommonOptions, example, reporting } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { type ListOptions, listing, needLog, sayDamage, toFilter } from '../listing.ts';
import { clean, columns, paint, say, sayJson, shorten, startProgress } from '../output.ts';
import { sayChain } from '../verify-output.ts';

function statusOf({ receipt, outcome }: Attempt): Receipt['status'] {
  return outcome?.status ?? receipt.status;
}

function paintStatus(attempt: Attempt): string {
  const status = statusOf(attempt);
  const open = attempt.receipt.phase === 'pre' && status === 'allowed' && !attempt.outcome ? '…' : '';
  const colour = status === 'allowed' ? paint.green : status === 'denied' ? paint.red : paint.yellow;
  return colour(status + open);
}

function list(options: ListOptions & { readonly violations?: boolean }): void {
  const { layout } = openWorkspace(options.workspace);
  needLog(layout.receipts);
  const progress = startProgress('reading receipts');
  const filter = { ...toFilter(options), ...(options.violations ? { violations: true } : {}) };
  const found = listReceipts(layout.receipts, filter, (lines) => progress.step(lines, 'lines'));
  progress.end();
  if (options.json) {
    sayJson(
      found.entries.map((attempt) => ({
        position: attempt.position,
        ...attempt.receipt,
        final_status: statusOf(attempt),
        outcome: attempt.outcome,
      })),
    );
    return;
  }
  const rows = found.entries.map((attempt) => {
    const { position, receipt, outcome } = attempt;
    const violation = receipt.violation ?? outcome?.violation;
    const what = [receipt.target, violation && `${violation.hook}: ${violation.message}`, receipt.note];
    return [
      String(position),
      receipt.timestamp,
      paintStatus(attempt),
      clean(receipt.tool),
      receipt.intent_id ?? '-',
      shorten(receipt.conversation_id, 12),
      shorten(what.filter((part) => part).join('  '), 110),
    ];
  });
  if (rows.length > 0) say(columns([['#', 'TIME', 'STATUS', 'TOOL', 'INTENT', 'SESSION', 'WHAT'], ...rows]));
  else say(options.violations ? 'no violations' : 'no receipts');
  sayDamage('receipt', found.damagedLines);
}

function verify(options: CommonOptions): void {
  const { layout } = openWorkspace(options.workspace);
  needLog(layout.receipts);
  const progress = startProgress('verifying receipts');
  const check = checkChain(layout, 'receipts', (lines) => progress.step(lines, 'records'));
  progress.end();
  sayChain(check, layout.receipts, 'receipt', options.json === true);
}

/** `pactclaw receipt list|verify`. */
export function register(program: Command): void {
  const group = program
    .command('receipt')
    .description('every attempt of an agent: allowed, denied or failed');
  const listCommand = listing(group.command('list'), 'attempts')
    .description('list receipts in order, each outcome folded into its attempt')
    .option('--violations', 'only what broke a rule')
    .action(list);
  example(listCommand, 'pactclaw receipt list --violations --since 2h');
  const verifyCommand = reporting(group.command('verify'))
    .description('replay the chain and name the first broken receipt')
    .action(verify);
  example(verifyCommand, 'pactclaw receipt verify');
}
