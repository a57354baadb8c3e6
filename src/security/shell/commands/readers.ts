import type { Call, Handler } from '../call.ts';
import { type OptionRules, parseOptions } from '../options.ts';

/**
 * Commands that write no file, whatever their arguments. Everything that is neither here nor in a handler is
 * opaque: an unknown program may write anywhere.
 */
const READERS = new Set(
  `[ [[ : true false test echo cat tac head tail more nl wc od hexdump strings stat ls dir vdir exa eza lsd du df
  free uptime uname hostname whoami who w id groups users logname tty date cal sleep seq yes factor expr bc numfmt
  basename dirname realpath readlink pwd pathchk which type whereis whatis grep egrep fgrep zgrep cut paste join
  comm tr rev fold fmt pr expand unexpand column colrm look cmp diff diff3 colordiff cksum md5sum sha1sum sha224sum
  sha256sum sha384sum sha512sum b2sum sum shasum base64 base32 basenc jq zcat bzcat xzcat zdiff ps pgrep top htop
  vmstat iostat lsof lsblk lscpu lsmod dmesg ss netstat ping dig nslookup host getent locale nproc arch printenv
  kill pkill killall wait jobs fg times ulimit umask tput clear stty help tokei md5 getconf lsusb lspci sync tsort
  apropos mountpoint findmnt nm objdump readelf size shopt dirs unalias complete compgen compopt suspend caller`.split(
    /\s+/,
  ),
);

/** True for a command that is known to write nothing. */
export function isReadOnly(name: string): boolean {
  return READERS.has(name);
}

/** Commands that read, but for an option that names an output or a program. */
interface Exception {
  readonly rules?: OptionRules;
  readonly writes?: readonly string[];
  /** Options that run a program. */
  readonly runs?: readonly string[];
  /** Operands from this one on are written. */
  readonly outputFrom?: number;
}

const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  tree: { rules: { short: 'oLPIH', long: ['--charset', '--filelimit', '--timefmt'] }, writes: ['-o'] },
  less: {
    rules: { short: 'oObhjkpPtTxyz', long: ['--log-file', '--LOG-FILE'] },
    writes: ['-o', '-O', '--log-file', '--LOG-FILE'],
  },
  sdiff: {
    rules: { short: 'oIw', long: ['--output', '--width', '--diff-program'] },
    writes: ['-o', '--output'],
    runs: ['--diff-program'],
  },
  cloc: {
    rules: { long: ['--out', '--report-file', '--ignored', '--counted'] },
    writes: ['--out', '--report-file', '--ignored', '--counted'],
  },
  xxd: { rules: { short: 'cglnos' }, outputFrom: 1 },
  history: { rules: { short: 'awd' }, writes: ['-a', '-w'] },
  rg: { rules: { long: ['--pre', '--hostname-bin'] }, runs: ['--pre', '--hostname-bin'] },
  ag: { rules: { long: ['--pager'] }, runs: ['--pager'] },
  ack: { rules: { long: ['--pager'] }, runs: ['--pager'] },
  man: { rules: { short: 'PHS', long: ['--pager', '--html'] }, runs: ['-P', '-H', '--pager', '--html'] },
  bat: { rules: { long: ['--pager'] }, runs: ['--pager'] },
  file: { rules: { short: 'fFmeP' }, runs: ['-C', '-z', '-Z'] },
  locate: { rules: { short: 'dln' } },
};

/** Handlers of those commands. */
export const READER_HANDLERS: Readonly<Record<string, Handler>> = Object.fromEntries(
  Object.entries(EXCEPTIONS).map(
    ([name, exception]) => [name, (call: Call) => read(call, exception)] as const,
  ),
);

function read(call: Call, exception: Exception): void {
  const options = parseOptions(call.args, exception.rules ?? {});
  for (const path of options.values(...(exception.writes ?? []))) call.touch(path, 'write');
  for (const path of options.operands.slice(exception.outputFrom ?? options.operands.length))
    call.touch(path, 'write');
  const runs = exception.runs ?? [];
  if (runs.length > 0 && options.has(...runs)) {
    call.opaque('runs a program of its own choice');
  }
}
