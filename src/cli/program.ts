import { Command } from 'commander';
import { register as check } from './commands/check.ts';
import { register as completion } from './commands/completion.ts';
import { register as demo } from './commands/demo.ts';
import { register as estop } from './commands/estop.ts';
import { register as fsck } from './commands/fsck.ts';
import { register as hook } from './commands/hook.ts';
import { register as hooks } from './commands/hooks.ts';
import { register as init } from './commands/init.ts';
import { register as install } from './commands/install.ts';
import { register as intent } from './commands/intent.ts';
import { register as mcp } from './commands/mcp.ts';
import { register as provenance } from './commands/provenance.ts';
import { register as receipt } from './commands/receipt.ts';
import { register as status } from './commands/status.ts';
import { register as trace } from './commands/trace.ts';
import { register as uninstall } from './commands/uninstall.ts';
import { register as verify } from './commands/verify.ts';
import { register as why } from './commands/why.ts';

declare const PACTCLAW_VERSION: string | undefined;

/** Commands in the order and groups in which the help shows them. */
const GROUPS: readonly (readonly [heading: string, members: readonly ((program: Command) => void)[]])[] = [
  ['Set up:', [init, install, uninstall, verify, demo]],
  ['Watch and steer:', [status, intent, check, estop]],
  ['Ask for reasons:', [why, provenance, trace, receipt]],
  ['Keep in order:', [fsck, hooks, completion]],
  ['Run by agent hosts:', [hook, mcp]],
];

const ABOUT = `PactClaw governs AI agents: an agent selects an intent before it acts, and every tool call is judged, bounded,
recorded and can be explained.`;

/** Every command tells of wrong use in the same way, and throws instead of ending the process. */
function behaveAlike(command: Command): void {
  command.exitOverride();
  command.configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'pactclaw: ')) });
  const names: string[] = [];
  for (let at: Command | null = command; at; at = at.parent) names.unshift(at.name());
  command.showHelpAfterError(
    `usage: ${names.join(' ')} ${command.usage()}\nSee \`${names.join(' ')} --help\`.`,
  );
  command.commands.forEach(behaveAlike);
}

/** The whole command line as a tree; nothing runs until it is parsed. */
export function buildProgram(): Command {
  const version = typeof PACTCLAW_VERSION === 'string' ? PACTCLAW_VERSION : 'development';
  const program = new Command('pactclaw')
    .description(ABOUT)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ helpWidth: 110, showGlobalOptions: false })
    .helpCommand('help [command]', 'print the help of a command');
  for (const [heading, members] of GROUPS) {
    program.commandsGroup(heading);
    for (const register of members) register(program);
  }
  program.commandsGroup('Help:');
  program.addHelpText(
    'after',
    '\nExit codes: 0 done, 1 failed, 2 wrong use, 3 refused by a rule (check), 70 a fault of PactClaw.\n\nBegin with:\n  $ pactclaw demo',
  );
  behaveAlike(program);
  return program;
}
