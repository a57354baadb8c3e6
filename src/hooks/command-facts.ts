import type { ShellFacts } from '../core/facts.ts';
import type { NamedTarget, ToolCall } from '../core/tool-call.ts';
import { isDirectory } from '../platform/files.ts';
import { type Ground, mentionsProtected, protectedAs, protectedSamples } from '../security/protected.ts';
import type { ShellReading, ShellTarget, ShellUnread } from '../security/shell/index.ts';

/** What a command names and what its reading says. */
export interface CommandFacts {
  readonly shell: ShellFacts;
  readonly targets: readonly NamedTarget[];
}

/** Sub-commands of ours that only look. Everything else changes how agents are governed. */
const LOOKING = new Set([
  'status',
  'why',
  'provenance',
  'trace',
  'receipt',
  'check',
  'hooks',
  'help',
  '--help',
  '-h',
  '--version',
  '-V',
  'completion',
]);
/** Their sub-commands that are not just looking. */
const CHANGING = new Set(['rebuild', '--repair', 'add', 'complete', 'clear']);
const OURS = new Set(['pactclaw', 'pactclaw-hook', 'pactclaw.cjs', 'hook.cjs']);
/** Starting another agent from a shell starts one without these hooks. */
const HOSTS = new Set(['claude']);

function base(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

function adminCommand(reading: ShellReading): string | null {
  for (const { argv } of reading.invocations) {
    const at = argv.findIndex((word) => word !== null && OURS.has(base(word)));
    if (at >= 0 && at <= 4) {
      const rest = argv.slice(at + 1);
      const [verb] = rest;
      const looks =
        typeof verb === 'string' &&
        (LOOKING.has(verb) ||
          (verb === 'intent' && (rest[1] === 'list' || rest[1] === 'show' || rest[1] === 'validate')));
      const changes = rest.some((word) => word === null || CHANGING.has(word));
      if (!looks || changes) return `pactclaw ${rest.map((word) => word ?? '…').join(' ')}`.trim();
    }
    const [program] = argv;
    if (typeof program === 'string' && HOSTS.has(base(program)) && argv[1] !== '--version')
      return base(program);
  }
  return null;
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** A pattern as a test: a file glob stays in its folder, a value that nobody knows may be any text. */
async function matcherOf({ pattern, glob }: ShellUnread): Promise<(path: string) => boolean> {
  if (glob) {
    const { default: micromatch } = await import('micromatch');
    return micromatch.matcher(pattern.startsWith('/') ? pattern : `**/${pattern}`, { dot: false });
  }
  const source = pattern.replace(/\\(.)|(\*+)|(\?)|([^\\*?]+)/gs, (_all, escaped, stars, one, text) =>
    stars ? '.*' : one ? '.' : escapeRegex(escaped ?? text),
  );
  const regex = new RegExp(`(^|/)${source}$`, 's');
  return (path) => regex.test(path);
}

async function touchesProtected(reading: ShellReading, ground: Ground): Promise<string | null> {
  for (const unread of reading.unread) {
    const named = mentionsProtected(unread.pattern) ?? protectedAs(unread.pattern, ground);
    if (named !== null) return named;
    // A value of which nothing is known could be anything; what it does is found after the command ran.
    if (!/[^*/?]/.test(unread.pattern) && !unread.glob) continue;
    const matches = await matcherOf(unread);
    const sample = protectedSamples(ground).find(matches);
    if (sample !== undefined) return sample;
  }
  if (reading.opaque.length === 0) return null;
  for (const word of reading.words) {
    const named = mentionsProtected(word);
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
  const { readShell } = await import('../security/shell/index.ts');
  const reading = readShell(call.command, { cwd: call.cwd, home: ground.home });
  return {
    shell: {
      understood: reading.understood,
      problems: reading.problems,
      background: reading.background || call.background === true,
      touchesProtected: await touchesProtected(reading, ground),
      adminCommand: adminCommand(reading),
    },
    targets: reading.targets.filter(holds).map(({ path, role }) => ({ path, role })),
  };
}
