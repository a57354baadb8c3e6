// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text is full of ${…}
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effortOf } from '../../support/effort.ts';
import { runs } from '../../support/runs.ts';
import { read } from './support.ts';

const LIMIT = 64 * 1024;

const FRAGMENTS =
  '$( "$( ( { (( [[ ` \\` <( >( ${x:- "${x:- $(( if while case for select function coproc time ! {a, {a,b} a[ @( [ * ? <<E <<-E > >> >& <> && || | & ; ;; ) } ]] )) fi done esac then do in EOF $\' \' " \\ $x ${x} ~ a=b a=( rm mv cd sed -i -- -t eval bash -c sudo env find -exec {} xargs git exit return trap 1 é'.split(
    ' ',
  );

/** Texts of the greatest length that is read, each made to cost some part of the reader a lot. */
const COSTLY: readonly [string, string][] = [
  ...FRAGMENTS.map((part): [string, string] => [part, `${part} `.repeat(LIMIT / (part.length + 1))]),
  ...FRAGMENTS.map((part): [string, string] => [`${part} tight`, part.repeat(LIMIT / part.length)]),
  ['balanced substitutions', `echo ${'$('.repeat(15_000)}x${')'.repeat(15_000)}`],
  ['balanced subshells', `${'('.repeat(15_000)}x${')'.repeat(15_000)}`],
  ['substitutions up to the bound', `echo ${'$(: '.repeat(30)}${'x '.repeat(30_000)}${')'.repeat(30)}`],
  ['assignments', Array.from({ length: 6000 }, (_, at) => `a${at}=${at}`).join('\n')],
  ['one growing value', `${'a=$a$a$a;'.repeat(4000)} rm $a`],
  ['growth from known text', `a=xxxxxxxx;${'a=$a$a;'.repeat(5000)} rm $a`],
  ['long words', `a=${'x'.repeat(3000)}; rm ${'$a'.repeat(20_000)}`],
  [
    'many values',
    `for a in {1..100}; do for b in {1..100}; do for c in {1..100}; do rm $a$b$c; done; done; done`,
  ],
  ['nested loops that change', `${'while a=$a; do b=$b$c; '.repeat(30)} rm $a; ${'done; '.repeat(30)}`],
  [
    'functions that multiply',
    Array.from({ length: 60 }, (_, at) => `f${at}() { f${at + 1}; f${at + 1}; }; `)
      .concat('f0')
      .join(''),
  ],
  ['braces', `rm ${'{a,b}'.repeat(5000)}`],
  ['nested braces', `rm ${'{a,'.repeat(10_000)}${'}'.repeat(10_000)}`],
  ['a long range', 'rm {1..999999999}'],
  ['many ranges', `rm ${'{1..200} '.repeat(5000)}`],
  ['many commands', 'rm a;'.repeat(13_000)],
  ['many pipes', `cat ${'| cat '.repeat(10_000)}`],
  ['wrappers', `${'env '.repeat(16_000)} rm a`],
  [
    'nested shells',
    Array.from({ length: 12 }).reduce<string>(
      (inner) => `bash -c '${inner.replaceAll("'", "'\\''")}'`,
      'rm a',
    ),
  ],
  ['one long here-document', `cat <<E\n${'$(rm a)\n'.repeat(7000)}E`],
  ['awk', `awk '${'print > '.repeat(8000)}'`],
  ['sed', `sed '${'s/[a/b/'.repeat(8000)}' f`],
  ['globs', `a='${'['.repeat(30_000)}'; rm $a`],
  ['a long glob removal', `a=${'ab'.repeat(15_000)}; rm \${a##a*${'b'.repeat(1000)}}`],
  ['sums', `echo $((${'1+'.repeat(30_000)}1))`],
  ['if chains', `${'if a; then b; el'.repeat(3000)}se c; fi`],
  ['cds', 'cd a; '.repeat(10_000)],
  ['evals', `${"eval 'rm a'; ".repeat(4000)}`],
];

describe('hostile text', () => {
  it.each(COSTLY)('ends soon: %s', (_, command) => {
    expect(effortOf(() => read(command.slice(0, LIMIT)))).toBeLessThan(2);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => void read(text)),
      { numRuns: runs(500) },
    );
    const soup = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 });
    const blank = fc.constantFrom('', ' ', '\n');
    fc.assert(
      fc.property(soup, blank, (parts, glue) => {
        const { understood, problems } = read(parts.join(glue));
        expect(understood).toBe(problems.length === 0);
        // A fault of ours refuses the command, but it is a fault.
        for (const problem of problems) expect(problem).not.toContain('the reader failed');
      }),
      { numRuns: runs(3000) },
    );
  });

  it.each([
    ['a NUL', 'rm a\0b'],
    ['too long', 'x'.repeat(LIMIT + 1)],
    ['an open quote', 'rm "a'],
    ['an open here-document', 'cat <<E\nx'],
    ['an open here-document inside', 'echo $(cat <<E\nx)'],
    ['an error inside a substitution', 'echo $(if)'],
    ['an error inside backticks', 'echo `if`'],
    ['an error inside a nested shell', "bash -c 'if'"],
    ['an error inside eval', "eval 'rm )'"],
    ['an error inside a piped script', "echo 'rm )' | sh"],
    ['an error inside quotes', 'echo "$(rm a"'],
    ['an error in a default', 'echo ${x:-$(if)}'],
    ['an error in a here-document', 'cat <<E\n$(if)\nE'],
    ['an error in arithmetic', 'echo $(( $(if) ))'],
    ['an error in a process substitution', 'cat <(if)'],
    ['an error in a function never called', 'f() { echo $(if); }'],
    ['an error in a brace expansion', 'rm {a,$(if)}'],
    ['a lone surrogate', 'rm \ud800'],
    ['too deep', `echo ${'$('.repeat(100)}x${')'.repeat(100)}`],
    ['too many wrappers', `${'env '.repeat(300)}rm a`],
  ])('is not understood: %s', (_, command) => {
    expect(read(command).understood).toBe(false);
    expect(read(command).problems.join()).not.toContain('the reader failed');
  });
});
