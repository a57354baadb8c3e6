import type { ShellFacts } from '../../core/facts.ts';
import { FOOTPRINTS, OTHER_AGENTS } from '../../core/footprints/index.ts';
import { RUNNERS } from '../../core/runners.ts';
import type { NamedTarget, ToolCall } from '../../core/tool-call.ts';
import { isDirectory } from '../../platform/files.ts';
import {
  type Ground,
  mentionsProtected,
  mentionsWiring,
  protectedAs,
  protectedSamples,
} from '../../security/protected.ts';
import type { ShellReading, ShellTarget } from '../../security/shell/index.ts';

/** What a command names and what its reading says. */
export interface CommandFacts {
  readonly shell: ShellFacts;
  readonly targets: readonly NamedTarget[];
  /** What it names besides, to read or for any other end: paths and file globs, absolute. */
  readonly named: readonly string[];
  readonly namedGlobs: readonly string[];
}

/** Sub-commands of ours that only look; everything else changes how agents are governed. */
const LOOKING: ReadonlySet<string> = new Set([
  ...['status', 'why', 'check', 'fsck', 'help', '--help', '-h', '--version', '-V', 'completion'],
  ...[
    'intent list',
    'intent show',
    'intent validate',
    'hooks list',
    'mcp pins',
    'trace list',
    'trace show',
    'trace verify',
  ],
  ...[
    'receipt list',
    'receipt verify',
    'provenance hash',
    'provenance line',
    'provenance file',
    'provenance check',
  ],
]);
const OURS: ReadonlySet<string> = new Set(['pactclaw', 'pactclaw-hook', 'cli.mjs', 'hook.cjs']);
/** Programs that run another one named in their arguments, shells among them. */
const STARTERS: ReadonlySet<string> = new Set([...RUNNERS, 'sh', 'bash', 'dash', 'zsh']);
/** Starting another agent from a shell starts one without these hooks. */
const AGENTS: ReadonlySet<string> = new Set([
  ...FOOTPRINTS.flatMap(({ programs }) => programs),
  ...OTHER_AGENTS,
]);

function base(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

type Argv = readonly (string | null)[];

/** What follows the program when an argv runs one of `names`, itself or through a runner; null when it does not. */
function argumentsOf(argv: Argv, names: ReadonlySet<string>): Argv | null {
  const [program] = argv;
  if (typeof program !== 'string') return null;
  if (names.has(base(program))) return argv.slice(1);
  if (!STARTERS.has(base(program))) return null;
  const at = argv.findIndex((word, index) => index > 0 && word !== null && names.has(base(word)));
  return at < 0 ? null : argv.slice(at + 1);
}

function onlyLooks(args: Argv): boolean {
  const [verb, noun] = args;
  if (typeof verb !== 'string' || args.includes(null)) return false;
  if (!args.includes('--') && (args.includes('--help') || args.includes('-h'))) return true;
  if (args.includes('--repair')) return false;
  return LOOKING.has(verb) || LOOKING.has(`${verb} ${noun}`);
}

/** Only sub-commands before the request: a word that looks like one may be the value of an option, or a prompt. */
function asksForHelp(args: Argv): boolean {
  const last = args.at(-1) ?? '';
  const words = args.slice(0, -1);
  if (last === '--version' || last === '-V') return words.length === 0;
  return (last === '--help' || last === '-h') && words.every((word) => /^[a-z][a-z-]*$/.test(word ?? '.'));
}

function adminCommand(reading: ShellReading): string | null {
  for (const { argv } of reading.invocations) {
    const own = argumentsOf(argv, OURS);
    if (own && !onlyLooks(own)) return `pactclaw ${own.map((word) => word ?? '…').join(' ')}`.trim();
    const host = argumentsOf(argv, AGENTS);
    if (host && !asksForHelp(host)) return base(argv.at(-host.length - 1) ?? '');
  }
  return null;
}

async function touchesProtected(reading: ShellReading, ground: Ground): Promise<string | null> {
  for (const unread of reading.unread) {
    const named = mentionsProtected(unread.pattern, ground.root) ?? protectedAs(unread.pattern, ground);
    if (named !== null) return named;
    // A value of which nothing is known could be anything; what it does is found after the command ran.
    if (!/[^*/?]/.test(unread.pattern) && !unread.glob) continue;
    const { matcherOf } = await import('../../security/file-globs.ts');
    const sample = protectedSamples(ground).find(matcherOf(unread, reading.seesDots));
    if (sample !== undefined) return sample;
  }
  if (reading.opaque.length === 0) return null;
  for (const word of reading.words) {
    const named = mentionsWiring(word, ground.root);
    if (named !== null) return named;
  }
  return null;
}

/** Whether a target counts: `cp a b` writes `b/a` only if `b` is a folder on disk. */
function holds({ onlyIf }: ShellTarget): boolean {
  return onlyIf === undefined || isDirectory(onlyIf.path) === onlyIf.isFolder;
}

/** Reads a call's command with a real shell parser, which is loaded only now (H-63). Null for other calls. */
export async function commandFacts(call: ToolCall, ground: Ground): Promise<CommandFacts | null> {
  if (call.command === undefined) return null;
  const { readShell } = await import('../../security/shell/index.ts');
  const reading = readShell(call.command, { cwd: call.cwd, home: ground.home });
  return {
    shell: {
      understood: reading.understood,
      problems: reading.problems,
      background: reading.background || call.background === true,
      touchesProtected: await touchesProtected(reading, ground),
      adminCommand: adminCommand(reading),
    },
    targets: [
      ...reading.targets.filter(holds).map(({ path, role }) => ({ path, role })),
      ...(reading.unread.length === 0
        ? []
        : (await import('../../security/file-globs.ts')).globTargets(reading, call.command)),
    ],
    named: reading.named,
    namedGlobs: reading.namedGlobs,
  };
}
