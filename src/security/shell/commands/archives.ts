import type { Call, Handler } from '../call.ts';
import { parseOptions } from '../options.ts';
import { dropHead, headOf, STAR, staticOf, type Text, textOf } from '../text.ts';
import { withoutEnding } from './copies.ts';
import { folderIn } from './wrappers.ts';

/** Archivers and compressors. */
export const ARCHIVES: Readonly<Record<string, Handler>> = {
  tar: (call) => readTar(call),
  bsdtar: (call) => readTar(call),
  gtar: (call) => readTar(call),
  unzip: (call) => {
    const options = parseOptions(call.args, { short: 'dPx' });
    if (options.has('-l', '-t', '-v', '-Z', '-p', '-c', '-z')) return;
    const [folder = textOf('.')] = options.values('-d');
    call.touch(folder, 'write', { recursive: true });
  },
  zip: (call) => {
    const options = parseOptions(call.args, { short: 'bnOPtxis', long: ['--out', '--temp-path'] });
    const [archive, ...members] = options.operands;
    for (const path of [...(archive ? [archive] : []), ...options.values('-O', '--out', '-b')])
      call.touch(path, 'write');
    if (archive !== undefined && !/\.\w+$/.test(staticOf(archive) ?? '')) {
      call.touch(textOf(archive, '.zip'), 'write');
    }
    if (options.has('-m', '--move'))
      for (const path of members) call.touch(path, 'delete', { recursive: true });
    if (call.args.some((arg) => /^(-TT|--unzip-command)/.test(headOf(arg))))
      call.opaque('runs a program of its own choice');
  },
  ar: (call) => {
    const [mode, ...rest] = call.args;
    if (mode === undefined || !/[rqdmsx]/.test(headOf(mode))) return;
    for (const path of rest.slice(0, 1)) call.touch(path, 'write');
    if (headOf(mode).includes('x')) call.touch(textOf('.'), 'write', { recursive: true });
  },
  cpio: (call) => {
    call.opaque('writes what the archive names');
    for (const path of parseOptions(call.args, { short: 'CDEFHIMOR' }).values('-F', '-O'))
      call.touch(path, 'write');
  },
  '7z': (call) => {
    call.opaque('writes what the archive names');
    for (const arg of call.args)
      if (headOf(arg).startsWith('-o')) call.touch(dropHead(arg, 2), 'write', { recursive: true });
  },
  ...Object.fromEntries(
    [
      ...[
        ['gzip', '.gz'],
        ['pigz', '.gz'],
        ['bzip2', '.bz2'],
        ['pbzip2', '.bz2'],
        ['xz', '.xz'],
        ['lzma', '.lzma'],
        ['compress', '.Z'],
        ['lz4', '.lz4'],
        ['zstd', '.zst'],
        ['brotli', '.br'],
      ],
      ...[
        ['gunzip', ''],
        ['unpigz', ''],
        ['bunzip2', ''],
        ['unxz', ''],
        ['unlzma', ''],
        ['uncompress', ''],
        ['unlz4', ''],
        ['unzstd', ''],
      ],
    ].map(([name, ending]) => [name!, (call: Call) => compress(call, ending!)] as const),
  ),
};

const ENDINGS = ['.gz', '.tgz', '.bz2', '.xz', '.lzma', '.Z', '.lz4', '.zst', '.br', '.z'];

/** Compressors that keep their input unless they are told otherwise. */
const KEEPING = /zstd|lz4|brotli/;

function compress(call: Call, ending: string): void {
  const options = parseOptions(call.args, {
    short: 'SobTMDp',
    long: ['--suffix', '--output', '--threads', '--memlimit', '--output-dir-flat', '--output-dir-mirror'],
  });
  for (const path of options.values('-o', '--output')) call.touch(path, 'write');
  for (const path of options.values('--output-dir-flat', '--output-dir-mirror'))
    call.touch(path, 'write', { recursive: true });
  if (options.has('-c', '--stdout', '--to-stdout', '-t', '--test', '-l', '--list')) return;
  const isUnpacking = ending === '' || options.has('-d', '--decompress', '--uncompress');
  const recursive = options.has('-r', '--recursive');
  const keeps = KEEPING.test(call.name) && !options.has('--rm', '-j');
  if (keeps && options.has('-o', '--output')) return;
  const [suffix = textOf(ending)] = options.values('-S', '--suffix');
  for (const path of options.operands) {
    if (!keeps && !options.has('-k', '--keep')) call.touch(path, 'delete', { recursive });
    if (recursive) call.touch(path, 'write', { recursive });
    const made = isUnpacking ? (withoutEnding(path, ENDINGS) ?? textOf(path, STAR)) : textOf(path, suffix);
    call.touch(made, 'write');
  }
}

/** Options of tar with a value; the others are flags. */
const TAR = {
  short: 'bCfFgHIKLNTVX',
  long: [
    '--file',
    '--directory',
    '--exclude',
    '--exclude-from',
    '--files-from',
    '--use-compress-program',
    '--to-command',
    '--transform',
    '--xform',
    '--strip-components',
    '--owner',
    '--group',
    '--mode',
    '--mtime',
    '--format',
    '--listed-incremental',
    '--checkpoint-action',
    '--info-script',
    '--new-volume-script',
    '--rsh-command',
    '--rmt-command',
    '--index-file',
    '--newer',
    '--suffix',
    '--label',
    '--starting-file',
    '--one-top-level',
    '--blocking-factor',
    '--tape-length',
    '--volno-file',
    '--sort',
    '--occurrence',
  ],
};
const TAR_RUNS = [
  '-I',
  '--use-compress-program',
  '--to-command',
  '--checkpoint-action',
  '-F',
  '--info-script',
  '--new-volume-script',
  '--rsh-command',
  '--rmt-command',
];

function readTar(call: Call): void {
  const options = parseOptions(oldStyle(call.args), TAR);
  if (options.has(...TAR_RUNS)) call.opaque('runs a program of its own choice');
  for (const action of options.values('--checkpoint-action')) {
    const command = /^exec=(.+)$/s.exec(staticOf(action) ?? '')?.[1];
    if (command !== undefined) call.guess(command);
  }
  let cwd = call.cwd;
  const folders = options.values('-C', '--directory');
  // Every `-C` is relative to the one before it.
  const places = folders.map((folder) => {
    const place = { folder, cwd };
    cwd = folderIn(cwd, folder);
    return place;
  });
  const archives = options.values('-f', '--file').filter((path) => staticOf(path) !== '-');
  if (
    options.has(
      '-c',
      '-r',
      '-u',
      '-A',
      '--create',
      '--append',
      '--update',
      '--delete',
      '--catenate',
      '--concatenate',
    )
  ) {
    for (const path of archives) call.touch(path, 'write');
  }
  for (const path of options.values('--index-file', '-g', '--listed-incremental', '--volno-file'))
    call.touch(path, 'write');
  if (options.has('--remove-files'))
    for (const path of options.operands) call.touch(path, 'delete', { cwd, recursive: true });
  if (!options.has('-x', '--extract', '--get') || options.has('-O', '--to-stdout')) return;
  if (options.has('-P', '--absolute-names')) call.opaque('writes the absolute paths that the archive names');
  const [top] = options.values('--one-top-level');
  if (places.length === 0) call.touch(top ?? textOf('.'), 'write', { recursive: true });
  for (const place of places) call.touch(place.folder, 'write', { recursive: true, cwd: place.cwd });
}

/** `tar xzf a.tgz -C d`: the first word is a cluster whose values follow in order. */
function oldStyle(args: readonly Text[]): readonly Text[] {
  const [first, ...rest] = args;
  const letters = first === undefined ? null : staticOf(first);
  if (letters === null || letters.startsWith('-') || letters === '') return args;
  const words: Text[] = [];
  let at = 0;
  for (const letter of letters) {
    words.push(textOf(`-${letter}`));
    if (TAR.short.includes(letter) && rest[at] !== undefined) words.push(rest[at++]!);
  }
  return [...words, ...rest.slice(at)];
}
