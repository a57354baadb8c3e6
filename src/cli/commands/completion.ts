import { type Command, InvalidArgumentError } from 'commander';
import { example } from '../command.ts';
import { completionScript, SHELLS, type Shell } from '../completion.ts';
import { say } from '../output.ts';

function toShell(text: string): Shell {
  const shell = SHELLS.find((one) => one === text);
  if (!shell) throw new InvalidArgumentError(`Shells are ${SHELLS.join(', ')}.`);
  return shell;
}

/** `pactclaw completion bash|zsh|fish`. */
export function register(program: Command): void {
  const command = program
    .command('completion')
    .description('print the completion script of a shell')
    .argument('<shell>', SHELLS.join(', '), toShell)
    .action((shell: Shell) => say(completionScript(program, shell)));
  example(command, 'pactclaw completion bash > ~/.local/share/bash-completion/completions/pactclaw');
}
