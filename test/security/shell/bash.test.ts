// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text is full of ${…}
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import micromatch from 'micromatch';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readShell, type ShellReading } from '../../../src/security/shell/index.ts';
import { runs } from '../../support/runs.ts';

/** The real bash runs harmless commands in a folder of its own; what it changed must have been read off. */
const root = mkdtempSync(join(tmpdir(), 'pactclaw-shell-'));
/** Deep inside, so that `cd ..` stays in the folder. */
const cwd = join(root, 'u/v/w/x/y/z/ws');
const home = join(root, 'home');

function lay(): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  for (const file of ['a', 'b', 'c.txt', 'd/e', 'd/f.txt', 's/t/g', '-x', 'sp ace']) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), `line of ${file}\nsecond\n`);
  }
}

function snapshot(folder = root, into = new Map<string, string>()): Map<string, string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const stat = lstatSync(path);
    const content =
      entry.isFile() && stat.size < 1e6 ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
    into.set(path, `${stat.mode} ${content}`);
    if (entry.isDirectory()) snapshot(path, into);
  }
  return into;
}

function changedBy(command: string): readonly string[] {
  const before = snapshot();
  spawnSync('bash', ['-c', command], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, LC_ALL: 'C.UTF-8' },
    timeout: 5000,
  });
  const after = snapshot();
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

/** A path is covered by a target or its folders on the way, by what lies below a recursive one, or by a pattern. */
function isCovered(reading: ShellReading, path: string): boolean {
  const isTarget = reading.targets.some((target) => {
    const whole = resolve(target.path);
    return (
      path === whole || whole.startsWith(`${path}/`) || (target.recursive && path.startsWith(`${whole}/`))
    );
  });
  return isTarget || reading.unread.some((entry) => isMatch(entry, path));
}

function isMatch(entry: ShellReading['unread'][number], path: string): boolean {
  if (entry.glob && entry.recursive)
    return micromatch.isMatch(path, [entry.pattern, `${entry.pattern}/**`], { dot: true });
  if (entry.glob) return micromatch.isMatch(path, entry.pattern, { dot: true });
  // Any text at all may stand for `*`; the fixed tail must be the path's tail for a plain pattern.
  const tail = entry.pattern.replace(/^.*\*/s, '').replaceAll('\\', '');
  return path.endsWith(tail) || (entry.recursive ?? false);
}

function uncovered(command: string): readonly string[] {
  lay();
  const reading = readShell(command, { cwd, home });
  // A script that multiplies itself is refused for its size; everything else must be understood.
  if (reading.problems.some((problem) => /steps|deeper/.test(problem))) return [];
  expect(reading.problems, command).toEqual([]);
  // `g` and `h` may be called before they are defined: then they do nothing.
  if (reading.opaque.some((entry) => !/^[gh]: its effect/.test(entry))) return [];
  return changedBy(command).filter((path) => !isCovered(reading, path));
}

const COMMANDS = [
  'rm a',
  'rm -rf d',
  'rm -- -x',
  'rm "sp ace"',
  'rm sp\\ ace',
  "rm $'\\x61'",
  'rm {a,b}',
  'rm *.txt',
  'rm d/*',
  'rm [ab]',
  'rm ?',
  'D=a; rm $D',
  'for f in a b; do rm $f; done',
  'for f in *.txt d/*; do mv "$f" "$f.bak"; done',
  'cd d && rm e',
  'cd nowhere; rm a',
  'cd d; rm e',
  '(cd d; rm e); rm a',
  'f() { rm "$1"; }; f a',
  'mv a n',
  'mv a d',
  'mv a b d',
  'mv -t d a b',
  'mv -T d q',
  'mv d q',
  'mv d s',
  'cp a n',
  'cp a d',
  'cp a b d/',
  'cp -r d n',
  'cp -r d s',
  'cp -a d/. s',
  'cp -r d/. n',
  'cp --parents d/e s',
  'cp -b a b',
  'cp -S.old -b a b',
  'ln -s a n',
  'ln -sf a b',
  'ln a n',
  'ln -s d/e',
  'ln -s ../a d',
  'install -m 600 a n',
  'install -D a p/q/n',
  'install -d p/q',
  'install -t d a b',
  'touch n m',
  'touch -d yesterday n',
  'mkdir n',
  'mkdir -p n/m/o',
  'rmdir s',
  'rmdir -p s/t; rm s/t/g; rmdir -p s/t',
  'truncate -s 1 a',
  'tee n <<< x',
  'echo x | tee n m > o',
  'chmod -x a',
  'chmod 600 a b',
  'chmod -R go-r d',
  'chmod u+x,g-w a',
  'unlink a',
  'shred -u a',
  'dd if=a of=n',
  'dd if=a of=~/n',
  'split -l 1 a',
  'split -l 1 a pre-',
  'split -n 2 --additional-suffix=.z a',
  'csplit a 2',
  'csplit -f yy a 2',
  'sort -o a a',
  'sort -ro n a',
  'uniq a n',
  'sed -i s/line/x/ a',
  'sed -i.bak s/line/x/ a b',
  'sed -n -i.bak -e p -e "w out" a',
  'sed "s/line/x/w out" a',
  'sed -Ei "s/(l)ine/\\1/" a',
  'sed -i -e "/nd/{w o1" -e "}" a',
  "sed 's/[^/]*$/X/;w o' a",
  "sed ':a;N;$!ba;w o' a",
  "sed '1a\\\nw no\nw yes' a",
  'gzip a',
  'gzip -k a',
  'gzip a; gunzip a.gz',
  'gzip -r d',
  'bzip2 a',
  'xz -k a',
  'tar cf n.tar d',
  'tar cf n.tar d; mkdir o; tar xf n.tar -C o',
  'tar cf n.tar d; cd s && tar xf ../n.tar',
  'tar c d | tar x -C s',
  'tar -cf n --remove-files d',
  'echo x > n',
  'echo x >> a',
  'echo x &> n',
  'echo x >| n',
  'echo x >& n',
  'cat <> n',
  ': > a',
  '> n',
  'ls nowhere 2> err',
  '{ echo a; echo b; } > n 2> m',
  'for i in 1 2; do echo $i; done > n',
  'while read l; do echo "$l" > "$l"; done <<< n',
  'cat > n <<EOF\nx\nEOF',
  'exec 3> n; echo x >&3',
  'exec {fd}> n',
  'echo x > "$HOME/n"',
  'echo x > ~/n',
  'echo x > >(cat > n); sleep 0.05',
  'cat <(touch n)',
  'X=$(touch n)',
  'echo `touch n`',
  '[[ -n $(touch n) ]]',
  ': ${Y:=$(touch n)}',
  "bash -c 'touch n'",
  "bash -c 'touch $1' _ n",
  'bash <<EOF\ntouch n\nEOF',
  "echo 'touch n m' | sh",
  "printf 'touch %s\\n' n m | bash",
  'eval touch n',
  "eval 'cd d; touch n'",
  "env A=n bash -c 'touch $A'",
  'A=n; bash -c "touch $A"',
  "export A=n; bash -c 'touch $A'",
  'timeout 5 touch n',
  'nice -n 5 touch n',
  'nohup touch n',
  'env -C d touch n',
  'command touch n',
  'command cd d && touch n',
  'builtin cd d && touch n',
  'exec touch n',
  'stdbuf -oL touch n',
  'setsid -w touch n',
  'flock l touch n',
  "flock l -c 'touch n'",
  'xargs touch <<< "n m"',
  'echo n m | xargs touch',
  'ls | xargs -I{} cp -r {} {}.bak',
  'find . -name "*.txt" -delete',
  'find d -type f -exec rm {} \\;',
  'find d -type f -exec mv {} {}.x \\;',
  'find . -name e -execdir touch n \\;',
  'find . -fprint n',
  'find d -exec sh -c \'touch "$1.n"\' _ {} \\;',
  'TMPDIR=$PWD mktemp',
  'TMPDIR=s mktemp',
  'mktemp -d n.XXXX',
  'mktemp -p d',
  'export TMPDIR=$PWD; T=$(mktemp); echo x > $T; mv $T n',
  'export TMPDIR=$PWD; T=$(mktemp -d) && touch "$T/n"',
  'pushd d && touch n; popd; touch m',
  'cd d && cd - && touch n',
  'cd d/../s && touch n',
  'if cd d; then touch n; else touch m; fi',
  'cd d || exit; touch n',
  'false && cd d; touch n',
  '! cd d; touch n',
  'cd d | cat; touch n',
  '{ cd d; } ; touch n',
  'case x in x) cd d;; esac; touch n',
  'while cd d; do break; done; touch n',
  'g() { cd d && return; cd s; }; g; touch n',
  'set -- n m; touch "$@"',
  'set -- n m; shift; touch $1',
  'F=c.txt; mv $F ${F%.txt}.md',
  'F=d/e; touch ${F##*/}.n',
  'touch {n,m}{1,2}',
  'touch x{1..3}',
  'touch "{n,m}"',
  'touch \\*',
  'IFS=:; F=n:m; touch $F',
  'read F <<< n; touch $F',
  'D=d; for i in 1 2; do touch $D/n; D=s; done',
  'A=(n m); touch "${A[@]}"',
  'trap "touch n" EXIT',
  'trap "touch n" EXIT; cd d',
  'unset -f x; touch n',
  'local A=n 2>/dev/null; touch $A',
  'declare A=n; touch $A',
  'A=n B=m; touch $A$B',
  'A=n; A+=m; touch $A',
  'touch $((1+1))',
  'touch n$RANDOM',
  'i=0; while ((i++ < 3)); do touch n$i; done',
  'for ((i=0;i<2;i++)); do touch n$i; done',
  'awk \'BEGIN { print 1 > "n" }\'',
  'git init -q r',
  'git init -q',
  'git init -q r && cd r && touch n && git add n && git rm -qf n',
  'HOME=$PWD; touch ~/n',
  'rm -r d s; mkdir -p d/q',
  'touch -- -n',
  'touch n; rm -f n; touch n/',
  'script -qc "touch n" log',
  'mkfifo p',
  'cat a - <<< x > n | tee m',
];

beforeEach(lay);
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(!existsSync('/bin/bash'))('what bash changes is read off', () => {
  it.each(COMMANDS)('%s', (command) => {
    expect(uncovered(command)).toEqual([]);
  });

  it('for the tables above, hardly ever by calling them opaque', () => {
    const opaque = COMMANDS.filter((command) => readShell(command, { cwd, home }).opaque.length > 0);
    expect(opaque.length, opaque.join('\n')).toBeLessThan(8);
  });

  it('for random scripts with folders, variables, branches, loops and functions', () => {
    const property = fc.property(script, (command) => {
      expect(uncovered(command), command).toEqual([]);
    });
    fc.assert(property, { numRuns: runs(120) });
  });
});

const word = fc.constantFrom(
  'a',
  'b',
  'd',
  'd/e',
  's',
  'n',
  'm',
  '"$V"',
  '$W',
  '"$1"',
  'n$V',
  '$(echo n)',
  '{n,m}',
  '*.txt',
  'd/$V',
  '"$V/$W"',
  '~/n',
  '${V%e}',
  '${W:-o}',
  '$(basename "$V")',
);
const simple = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'touch',
          'rm -rf',
          'mkdir -p',
          'cp -r a',
          'mv a',
          'echo x >',
          'ln -sf a',
          'echo y | tee -a',
          'cp b c.txt',
        ),
        word,
      )
      .map((parts) => parts.join(' ')),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'cd d',
      'cd s',
      'cd ..',
      'cd s/t',
      'cd nowhere',
      'cd -',
      'cd "$V"',
      'cd',
      'pushd d',
      'popd',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'V=a',
      'V=d',
      'W=s',
      'W="n m"',
      'V=$W',
      'W=$V/e',
      'V=',
      'unset W',
      'V+=e',
      'export V=d',
      'read V <<< q',
      'set -- m n',
      'shift',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('true', 'false', 'g', 'g n', 'h', 'return', 'break', 'continue', 'exit'),
  },
);
const { script } = fc.letrec<{ script: string; part: string }>((tie) => ({
  script: fc.array(tie('part'), { minLength: 1, maxLength: 5 }).chain((parts) =>
    fc
      .array(fc.constantFrom('; ', '\n', ' && ', ' || '), {
        minLength: parts.length,
        maxLength: parts.length,
      })
      .map((glue) => parts.map((part, at) => (at === 0 ? part : glue[at] + part)).join('')),
  ),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: simple },
    { weight: 1, arbitrary: tie('script').map((inner) => `( ${inner} )`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `{ ${inner}\n}`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('script'), tie('script'), tie('script'))
        .map(([a, b, c]) => `if ${a}\nthen ${b}\nelse ${c}\nfi`),
    },
    { weight: 1, arbitrary: tie('script').map((inner) => `for V in d "a b" n; do ${inner}\ndone`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `for i in 1 2; do ${inner}\ndone`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `g() { ${inner}\n}\ng d`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `h() { ${inner}\n}`) },
    {
      weight: 1,
      arbitrary: tie('script').map((inner) => `case $V in d) ${inner}\n;& a) touch q;; *) touch p;; esac`),
    },
    { weight: 1, arbitrary: tie('script').map((inner) => `eval '${inner.replaceAll("'", "'\\''")}'`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `bash -c '${inner.replaceAll("'", "'\\''")}'`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `: $( ${inner}\n)`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `{ ${inner}\n} | cat`) },
    { weight: 1, arbitrary: tie('script').map((inner) => `! { ${inner}\n}`) },
  ),
}));
