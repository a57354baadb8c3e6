import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PactError } from '../../src/core/errors.ts';
import type { FileNote } from '../../src/hosts/shared/install/part.ts';
import { tomlPart } from '../../src/hosts/shared/install/toml-part.ts';

const TABLES = [
  { header: '[servers.ours]', lines: ['command = "x"', 'args = ["a", "b"]'] },
  { header: '[state."/p:0"]', lines: ['hash = "1"'] },
];
const part = tomlPart({
  file: 'config.toml',
  name: 'ours',
  tables: TABLES,
  isOurs: ({ header }) => header.startsWith('[servers.ours') || header.startsWith('[state."/p:'),
});
const noteOf = (kept: readonly string[]): FileNote => ({ created: false, madeFolders: 0, kept });
const added = (text: string) => part.add(text, null)!;

describe('what is added comes off again to the byte', () => {
  test.each([
    [''],
    ['a = 1\n'],
    ['a = 1'],
    ['a = 1\n\n\n'],
    ['# only a comment'],
    ['[t]\na = [\n  1,\n]\n'],
    ['a = """\nx\n"""\n'],
    ['\n'],
  ])('%j', (text) => {
    const { text: after, kept } = added(text);
    expect(part.strip(after, noteOf(kept))).toBe(text);
    expect(part.add(after, noteOf(kept))).toBeNull();
  });

  test('whatever stood there', () => {
    const line = fc.constantFrom('', 'a = 1', '# note', '[t]', '[t.u]', 'b = "x"');
    fc.assert(
      fc.property(fc.uniqueArray(line), fc.boolean(), (lines, ends) => {
        const text = lines.join('\n') + (ends && lines.length > 0 ? '\n' : '');
        const { text: after, kept } = added(text);
        expect(part.strip(after, noteOf(kept))).toBe(text);
      }),
    );
  });
});

describe('a host that rewrites the file', () => {
  test('its own tables after ours, and between them, stay', () => {
    const { text } = added('a = 1\n');
    const between = text.replace('[state', '[projects."/p"]\ntrust = "yes"\n\n[state');
    expect(part.strip(`${between}\n[other]\nb = 2\n`, null)).toBe(
      'a = 1\n\n[projects."/p"]\ntrust = "yes"\n\n[other]\nb = 2\n',
    );
  });

  test('what it notes below a table of ours goes with it', () => {
    const { text } = added('a = 1\n');
    expect(part.strip(`${text}\n[servers.ours.tools.x]\nmode = "y"\n`, null)).toBe('a = 1\n');
  });

  test('a comment that somebody wrote under ours stays', () => {
    const { text } = added('');
    const commented = text.replace('\n[state', '\n# about what follows\n[mine]\nx = 1\n\n[state');
    expect(part.strip(commented, null)).toContain('# about what follows\n[mine]\nx = 1\n');
  });
});

test('tables of ours that say something else are replaced', () => {
  const old = added('a = 1\n').text.replace('"x"', '"old"');
  expect(part.add(old, null)?.text).toBe(added('a = 1\n').text);
});

test.each([
  ['no TOML', 'a = = 1\n'],
  ['a table of the same name in another spelling', '[servers]\nours = { command = "y" }\n'],
])('%s: refused, and nothing changed', (_what, text) => {
  expect(() => part.add(text, null)).toThrow(PactError);
});
