import type { Command } from 'commander';
import { PIPELINE } from '../../hooks/pipeline.ts';
import { example } from '../command.ts';
import { columns, say, sayJson } from '../output.ts';

function list(options: { readonly json?: boolean }): void {
  const hooks = PIPELINE.map((hook, at) => ({
    order: at + 1,
    phase: hook.phase,
    name: hook.name,
    rule: hook.at === 'judge' ? hook.rule.name : null,
    summary: hook.summary,
  }));
  if (options.json) {
    sayJson(hooks);
    return;
  }
  const rows = hooks.map((hook) => [
    String(hook.order),
    hook.phase,
    hook.name,
    hook.rule ?? '-',
    hook.summary,
  ]);
  say(columns([['#', 'PHASE', 'HOOK', 'RULE', 'WHAT IT DOES'], ...rows]));
}

/** `pactclaw hooks list` (H-31). */
export function register(program: Command): void {
  const group = program.command('hooks').description('the pipeline that every tool call passes');
  const command = group
    .command('list')
    .description('list the hooks in order')
    .option('--json', 'print JSON')
    .action(list);
  example(command, 'pactclaw hooks list');
}
