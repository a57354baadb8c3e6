import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read } from './support.ts';

/** Any name that a file may have, the awkward ones first. */
const name = fc
  .string({
    unit: fc.constantFrom(...'ab z.-_~*?[]{}()$`"\'\\!#&;|<>=,:%@+^éß漢😀'.match(/./gu)!),
    minLength: 1,
    maxLength: 12,
  })
  .filter((text) => text !== '.' && text !== '..');

const path = fc
  .tuple(fc.constantFrom('', '', '/tmp/', 'src/', '../'), name)
  .map(([folder, file]) => folder + file);

/** The ways to spell a word so that the shell takes every character literally. */
const STYLES: readonly ((text: string) => string)[] = [
  (text) => `'${text.replaceAll("'", "'\\''")}'`,
  (text) => `"${text.replace(/[\\"$`]/g, '\\$&')}"`,
  (text) => `$'${text.replace(/[\\']/g, '\\$&')}'`,
  (text) => `$'${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`,
  (text) => text.replace(/./gu, '\\$&'),
  (text) => text.replace(/./gu, (char) => (/\w/.test(char) ? `"${char}"` : `\\${char}`)),
];

const single = STYLES[0]!;

/** Layers that leave what the command does as it is. */
const LAYERS: readonly ((command: string) => string)[] = [
  (command) => `bash -c ${single(command)}`,
  (command) => `sh -ec ${single(command)}`,
  (command) => `env A=1 bash -c ${single(command)}`,
  (command) => `timeout 5 bash -c ${single(command)}`,
  (command) => `sudo -u root nice -n 3 sh -c ${single(command)}`,
  (command) => `eval ${single(command)}`,
  (command) => `( ${command} )`,
  (command) => `: $( ${command} )`,
  (command) => `: "$( ${command} )"`,
  (command) => `{ ${command}; }`,
  (command) => `if true; then ${command}; fi`,
  (command) => `true && ${command} && true`,
  (command) => `false || ${command} | cat`,
  (command) => `for i in 1 2; do ${command}; done`,
  (command) => `f() { ${command}; }; f`,
  (command) => `case x in x) ${command};; esac`,
  (command) => `while ${command}; do break; done`,
  (command) => `{ bash <<'END${command.length}'\n${command}\nEND${command.length}\n}`,
  (command) => `echo ${single(command)} | sh`,
  (command) => `A=b; ! ${command}`,
];

const layered = fc.tuple(
  path,
  fc.constantFrom(...STYLES),
  fc.array(fc.constantFrom(...LAYERS), { maxLength: 3 }),
);

/** Absolute, as a target spells it. */
function joined(text: string): string {
  const names = (text.startsWith('/') ? text : `/ws/${text}`).split('/');
  return `/${names.filter((part) => part !== '' && part !== '.').join('/')}`;
}

/** `echo` expands backslashes in some shells, so a piped text with one is not read; that must show. */
function isCovered(command: string, by: string, target: string): boolean {
  const reading = read(command);
  expect(reading.problems).toEqual([]);
  return reading.targets.some((one) => one.by === by && one.path === target) || reading.opaque.length > 0;
}

describe('a quoted path', () => {
  it.each([
    ['rm', (word: string) => `rm -- ${word}`],
    ['>', (word: string) => `echo x > ${word}`],
    ['touch', (word: string) => `A=1 touch -c -- b ${word}`],
  ])('is read off %s behind any layers', (by, spell) => {
    const property = fc.property(layered, ([text, quote, layers]) => {
      const command = layers.reduce((inner, layer) => layer(inner), spell(quote(text)));
      expect(isCovered(command, by, joined(text)), command).toBe(true);
    });
    fc.assert(property, { numRuns: 400 });
  });

  it('is not called opaque without a pipe', () => {
    const plain = LAYERS.filter((layer) => !layer('x').includes('| sh'));
    const property = fc.property(
      path,
      fc.array(fc.constantFrom(...plain), { maxLength: 3 }),
      (text, layers) => {
        const command = layers.reduce((inner, layer) => layer(inner), `rm -- ${single(text)}`);
        expect(read(command).opaque, command).toEqual([]);
        expect(read(command).targets.map((target) => target.path)).toEqual([joined(text)]);
      },
    );
    fc.assert(property, { numRuns: 200 });
  });
});
