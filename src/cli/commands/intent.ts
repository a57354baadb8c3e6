import type { Command } from 'commander';
import { example, gather, reporting, toCount } from '../command.ts';
import { add } from '../intent/add.ts';
import { complete } from '../intent/complete.ts';
import { list } from '../intent/list.ts';
import { show } from '../intent/show.ts';
import { validate } from '../intent/validate.ts';

/** `pactclaw intent list|show|validate|add|complete`. */
export function register(program: Command): void {
  const group = program
    .command('intent')
    .description('what may be done, where and under which rules: active_intents.yaml');
  const listed = reporting(group.command('list')).description('list the intents').action(list);
  example(listed, 'pactclaw intent list');
  const shown = reporting(group.command('show'))
    .description('show one intent with its use, limits, locked files and last mutations')
    .argument('<id>', 'the intent')
    .action(show);
  example(shown, 'pactclaw intent show INT-001 --json');
  const validated = reporting(group.command('validate'))
    .description(
      'list every fault of active_intents.yaml with its line, scopes that are too broad among them',
    )
    .action(validate);
  example(validated, 'pactclaw intent validate');
  const added = reporting(group.command('add'))
    .description('append an intent to active_intents.yaml, leaving every byte of it (humans only)')
    .option('--id <id>', 'its ID (default: the next INT-n)')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scope <glob>', 'files it may change; repeat it, "!glob" excludes', gather)
    .option('--constraint <text>', 'a rule that binds the agent; repeat it', gather)
    .option('--accept <text>', 'how you will know that it is done; repeat it', gather)
    .option('--max-turns <n>', 'limit of model turns', toCount)
    .option('--max-tokens <n>', 'limit of tokens', toCount)
    .action(add);
  example(added, 'pactclaw intent add --name "Fix login" --scope "src/auth/**" --accept "npm test passes"');
  const completed = reporting(group.command('complete'))
    .description('set an intent COMPLETED; sessions that use it are stopped at their next call (humans only)')
    .argument('<id>', 'the intent')
    .action(complete);
  example(completed, 'pactclaw intent complete INT-001');
}
