import type { Call, Handler, RunOptions } from '../call.ts';
import { checkVariable } from '../environment.ts';
import type { ShellRole } from '../found.ts';
import { type OptionRules, type Options, parseOptions } from '../options.ts';
import { joinPath } from '../paths.ts';
import type { Flow } from '../state.ts';
import { cutText, staticOf, type Text, textOf } from '../text.ts';

/** How a command that runs another one is spelled. */
interface Wrapper {
  readonly rules: OptionRules;
  /** Operands before the wrapped command: the duration of `timeout`, the file of `flock`. */
  readonly skip?: number;
  /** Options whose value is a file that it writes. */
  readonly writes?: readonly string[];
  /** Options whose value is script text. */
  readonly scripts?: readonly string[];
  readonly isBackground?: boolean;
  /** Runs builtins in the present shell. */
  readonly isInternal?: boolean;
  /** What cannot be read about it, whatever it runs. */
  readonly opaque?: string;
}

const SUDO: Wrapper = {
  rules: {
    short: 'CDghpRrTtuU',
    long: [
      '--user',
      '--group',
      '--chdir',
      '--host',
      '--prompt',
      '--chroot',
      '--close-from',
      '--other-user',
      '--role',
      '--type',
      '--command-timeout',
    ],
  },
};

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: SUDO,
  doas: { rules: { short: 'aCu' } },
  nohup: { rules: {}, isBackground: true },
  setsid: { rules: {}, isBackground: true },
  daemonize: { rules: { short: 'aceEloupv' }, isBackground: true, writes: ['-o', '-e', '-p', '-l'] },
  daemon: { rules: { short: 'nFXPMDuUaoOlrR' }, isBackground: true },
  timeout: { rules: { short: 'ks', long: ['--kill-after', '--signal'] }, skip: 1 },
  nice: { rules: { short: 'n', long: ['--adjustment'] } },
  ionice: { rules: { short: 'cnpPu', long: ['--class', '--classdata', '--pid'] } },
  chrt: { rules: { short: 'TPDp' }, skip: 1 },
  taskset: { rules: {}, skip: 1 },
  numactl: {
    rules: { short: 'ipmNCl', long: ['--interleave', '--membind', '--cpunodebind', '--physcpubind'] },
  },
  stdbuf: { rules: { short: 'ioe', long: ['--input', '--output', '--error'] } },
  unbuffer: { rules: {} },
  'ssh-agent': { rules: { short: 'aEOPt' } },
  time: { rules: { short: 'of', long: ['--output', '--format'] }, writes: ['-o', '--output'] },
  command: { rules: {}, isInternal: true },
  builtin: { rules: {}, isInternal: true },
  exec: { rules: { short: 'a' } },
  strace: { rules: { short: 'eopuaISPUXEOb', long: ['--output', '--trace'] }, writes: ['-o', '--output'] },
  ltrace: { rules: { short: 'aAeFlnopsuxX' }, writes: ['-o', '--output'] },
  fakeroot: { rules: { short: 'lsibfu' } },
  setarch: { rules: {}, skip: 1 },
  linux64: { rules: {} },
  linux32: { rules: {} },
  setpriv: {
    rules: {
      long: [
        '--reuid',
        '--regid',
        '--groups',
        '--inh-caps',
        '--ambient-caps',
        '--bounding-set',
        '--securebits',
        '--pdeathsig',
        '--selinux-label',
        '--apparmor-profile',
      ],
    },
  },
  runuser: {
    rules: { short: 'ugGcsw', long: ['--user', '--command', '--shell'] },
    scripts: ['-c', '--command'],
  },
  su: {
    rules: { short: 'cgGswT', long: ['--command', '--shell', '--group'] },
    scripts: ['-c', '--command'],
    skip: Number.POSITIVE_INFINITY,
  },
  unshare: { rules: { short: 'RwSG', long: ['--root', '--wd', '--setuid', '--setgid', '--propagation'] } },
  chroot: { rules: { long: ['--userspec', '--groups'] }, skip: 1, opaque: 'runs in another root folder' },
  bwrap: { rules: {}, opaque: 'rearranges the file system for what it runs' },
  'systemd-run': {
    rules: {
      short: 'pEHMtu',
      long: [
        '--unit',
        '--property',
        '--uid',
        '--gid',
        '--setenv',
        '--slice',
        '--on-active',
        '--on-calendar',
        '--working-directory',
        '--description',
      ],
    },
    isBackground: true,
  },
  'dbus-run-session': { rules: {} },
  'xvfb-run': { rules: { short: 'efnswp' } },
  caffeinate: { rules: { short: 'tw' } },
  prlimit: { rules: { short: 'po' } },
  cpulimit: { rules: { short: 'lpe' } },
  'run-parts': { rules: {}, skip: Number.POSITIVE_INFINITY, opaque: 'runs every program of a folder' },
  chronic: { rules: {} },
  ifne: { rules: {} },
};

/** Handlers of the wrappers that only have options before the command, and of those with a way of their own. */
export const WRAPPER_HANDLERS: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(
    Object.entries(WRAPPERS).map(([name, wrapper]) => [name, (call: Call) => wrap(call, wrapper)] as const),
  ),
  busybox: (call) => call.run(call.args),
  toybox: (call) => call.run(call.args),
  watch: (call) => {
    const { operands } = parseOptions(call.args, {
      short: 'nq',
      long: ['--interval', '--equexit'],
      stopAtOperand: true,
    });
    call.script(spaced(operands));
  },
  script: (call) => {
    const options = parseOptions(call.args, {
      short: 'cEIOoBTtm',
      long: ['--command', '--log-out', '--log-in', '--log-io', '--log-timing'],
    });
    for (const text of options.values('-c', '--command')) call.script(text);
    const logs = options.values('-O', '-I', '-B', '-T', '--log-out', '--log-in', '--log-io', '--log-timing');
    for (const file of [...logs, ...options.operands.slice(0, 1)]) call.touch(file, 'write');
    if (logs.length + options.operands.length === 0) call.touch(textOf('typescript'), 'write');
    if (!options.has('-c', '--command')) {
      if (options.operands.length > 1) call.run(options.operands.slice(1));
      else call.opaque('opens a shell');
    }
  },
  flock: (call) => {
    const options = parseOptions(call.args, {
      short: 'wEc',
      long: ['--timeout', '--wait', '--conflict-exit-code', '--command'],
      stopAtOperand: true,
    });
    const [file, ...rest] = options.operands;
    if (file !== undefined && !/^\d+$/.test(staticOf(file) ?? '')) call.touch(file, 'write');
    const isText = rest[0] !== undefined && /^(-c|--command)$/.test(staticOf(rest[0]) ?? '');
    if (isText && rest[1] !== undefined) call.script(rest[1]);
    else if (rest.length > 0) call.run(rest);
  },
};

export function spaced(words: readonly Text[]): Text {
  return textOf(...words.flatMap((word, at) => (at === 0 ? [word] : [' ', word])));
}

function wrap(call: Call, wrapper: Wrapper): Flow | undefined {
  const options = parseOptions(call.args, { ...wrapper.rules, stopAtOperand: wrapper.scripts === undefined });
  if (wrapper.isBackground) call.background();
  if (wrapper.opaque) call.opaque(wrapper.opaque);
  for (const file of options.values(...(wrapper.writes ?? []))) call.touch(file, 'write' satisfies ShellRole);
  for (const text of options.values(...(wrapper.scripts ?? []))) call.script(text);
  if (call.name === 'command' && options.has('-v', '-V')) return undefined;
  const rest = options.operands.slice(wrapper.skip ?? 0);
  const { argv, env } = leadingAssignments(call, rest);
  if (argv.length === 0 && call.name === 'exec') call.walker.isStdinMoved = true;
  if (argv.length > 0 && wrapper.isInternal) return call.runHere(argv);
  if (argv.length > 0) call.run(argv, { ...folderFrom(call, options), env });
  else if (/^(sudo|su|doas)$/.test(call.name) && !options.has('-c', '--command', '-l', '-v', '-k')) {
    call.opaque('opens a shell');
  }
  return undefined;
}

/** `sudo -D DIR`, `env -C DIR`. */
export function folderFrom(call: Call, options: Options): RunOptions {
  const [folder] = options.values(
    '--chdir',
    ...(call.name === 'sudo' ? ['-D'] : ['-C']),
    '--working-directory',
  );
  if (folder === undefined || /^(doas|ltrace|setarch)$/.test(call.name)) return {};
  return { cwd: folderIn(call.cwd, folder) };
}

/** A folder named by an option, or null when it cannot be known. */
export function folderIn(cwd: string | null, folder: Text): string | null {
  const path = staticOf(folder);
  if (path === null || (cwd === null && !path.startsWith('/'))) return null;
  return joinPath(cwd ?? '/', path);
}

/** `env A=b cmd`, `sudo A=b cmd`: assignments before the command. */
export function leadingAssignments(
  call: Call,
  words: readonly Text[],
): { argv: readonly Text[]; env: Map<string, Text> } {
  const env = new Map<string, Text>();
  let at = 0;
  if (!/^(env|sudo|doas)$/.test(call.name)) return { argv: words, env };
  for (; at < words.length; at++) {
    const cut = cutText(words[at]!, '=');
    if (cut === null) break;
    checkVariable(cut.before, cut.after, call.walker, call.state);
    env.set(cut.before, cut.after);
  }
  return { argv: words.slice(at), env };
}
