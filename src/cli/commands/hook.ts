import type { Command } from 'commander';
import { ADAPTER_NAMES } from '../../hosts/index.ts';
import { example } from '../command.ts';
import { tell } from '../output.ts';

/**
 * `pactclaw hook HOST` for the help page: `bin/pactclaw` runs the hook bundle before this program is ever loaded. Who
 * comes here started the program by another way; exit code 2 is what a host takes for a refusal.
 */
export function register(program: Command): void {
  const command = program
    .command('hook')
    .description(
      'answer one event of an agent host: its JSON on standard input, the answer on standard output',
    )
    .argument('<host>', ADAPTER_NAMES.join(', '))
    .option('--workspace <dir>', 'workspace folder (default: the project that the host names)')
    .option('--event <name>', 'event that the input must be of; also how to refuse when it cannot be read')
    .action(() => {
      tell('Fail-Safe Default: the hook is run by `bin/pactclaw hook`, not from here');
      process.exitCode = 2;
    });
  example(command, 'pactclaw hook claude-code --workspace . < event.json');
}
