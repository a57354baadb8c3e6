import { Command } from 'commander';

declare const PACTCLAW_VERSION: string | undefined;

/** A file of `commands/`. */
interface CommandModule {
  readonly register: (program: Command) => void;
}

/** Commands in the order and groups in which the help shows them. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, () => Promise<CommandModule>>>>> = {
  'Set up:': {
    init: () => import('./commands/init.ts'),
    install: () => import('./commands/install.ts'),
    uninstall: () => import('./commands/uninstall.ts'),
    wrap: () => import('./commands/wrap.ts'),
    verify: () => import('./commands/verify.ts'),
    demo: () => import('./commands/demo.ts'),
  },
  'Watch and steer:': {
    status: () => import('./commands/status.ts'),
    watch: () => import('./commands/watch.ts'),
    intent: () => import('./commands/intent.ts'),
    check: () => import('./commands/check.ts'),
    estop: () => import('./commands/estop.ts'),
  },
  'Ask for reasons:': {
    why: () => import('./commands/why.ts'),
    provenance: () => import('./commands/provenance.ts'),
    trace: () => import('./commands/trace.ts'),
    receipt: () => import('./commands/receipt.ts'),
  },
  'Run by agent hosts:': {
    hook: () => import('./commands/hook.ts'),
    serve: () => import('./commands/serve.ts'),
    mcp: () => import('./commands/mcp.ts'),
    llm: () => import('./commands/llm.ts'),
  },
  'Keep in order:': {
    fsck: () => import('./commands/fsck.ts'),
    hooks: () => import('./commands/hooks.ts'),
    completion: () => import('./commands/completion.ts'),
  },
};

/** Commands that speak of all the others. */
const NEEDS_ALL = new Set(['completion']);

const ABOUT = `PactClaw governs AI agents: an agent selects an intent before it acts, and every tool call is judged, bounded,
recorded and can be explained.`;

const AFTER = `
Exit codes: 0 done, 1 failed, 2 wrong use, 3 refused by a rule (check), 70 a fault of PactClaw.

Begin with:
  $ pactclaw demo`;

/** Every command tells of wrong use in the same way, and throws instead of ending the process. */
function behaveAlike(command: Command): void {
  command.exitOverride();
  command.configureOutput({
    outputError: (text, write) => write(text.replace(/^error: /, 'pactclaw: ')),
  });
  const names: string[] = [];
  for (let at: Command | null = command; at; at = at.parent) names.unshift(at.name());
  command.showHelpAfterError(
    `usage: ${names.join(' ')} ${command.usage()}\nSee \`${names.join(' ')} --help\`.`,
  );
  command.commands.forEach(behaveAlike);
}

/**
 * The command line as a tree; nothing runs until it is parsed. With the name of a command only that one is loaded,
 * since most of a command's time would else go into loading the others; with any other word, all are.
 */
export async function buildProgram(only?: string): Promise<Command> {
  const version = typeof PACTCLAW_VERSION === 'string' ? PACTCLAW_VERSION : 'development';
  const program = new Command('pactclaw')
    .description(ABOUT)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ helpWidth: 110 })
    .addHelpText('after', AFTER);
  const isKnown = Object.values(GROUPS).some((members) => only !== undefined && Object.hasOwn(members, only));
  const loadsAll = !isKnown || NEEDS_ALL.has(only ?? '');
  for (const [heading, members] of Object.entries(GROUPS)) {
    program.commandsGroup(heading);
    for (const [name, load] of Object.entries(members))
      if (loadsAll || name === only) (await load()).register(program);
  }
  program.helpCommand('help [command]', 'print the help of a command');
  behaveAlike(program);
  return program;
}
