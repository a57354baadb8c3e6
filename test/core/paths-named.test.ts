import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathsNamed, pathsRead, targetNamed } from '../../src/core/paths-named.ts';

describe('F-9: what a file: URI names', () => {
  test.each([
    ['file:///etc/x', '/etc/x'],
    ['file:/etc/x', '/etc/x'],
    ['file:etc/x', '/etc/x'],
    ['FILE:///etc/x', '/etc/x'],
    [' file:///etc/x', '/etc/x'],
    ['fi\tle:///etc/x', '/etc/x'],
    ['\u0001 file:///etc/x', '/etc/x'],
    ['file:\\\\\\etc\\x', '/etc/x'],
    ['file://localhost/etc/x', '/etc/x'],
    ['file:///%65tc/%78', '/etc/x'],
    ['file:////etc/x', '//etc/x'],
    ['file:///src/../etc/x', '/etc/x'],
    ['file:///src/a%20b', '/src/a b'],
  ])('%j is %s', (uri, path) => {
    expect(targetNamed(uri, 'read')).toEqual({ path, role: 'read' });
  });

  test.each([
    ['file://127.0.0.1/etc/x', 'host'],
    ['file://evil/etc/x', 'host'],
    ['file://%65vil/etc/x', 'host'],
    ['file:///etc%2Fx', 'encoded /'],
    ['file:///%ff', 'URI malformed'],
    ['file://[x/etc', 'Invalid URL'],
    [`file:///${'x'.repeat(5000)}`, 'longer than'],
    ['file:///safe?/../etc/x', 'goes up'],
  ])('%j cannot be told', (uri, why) => {
    expect(targetNamed(uri, 'read')).toMatchObject({ problem: expect.stringContaining(why) });
  });

  test('addresses of other schemes are no files', () => {
    for (const uri of ['https://example.org/etc/x', 'test://x', ''])
      expect(targetNamed(uri, 'read')).toBeNull();
  });
});

const guessed = (value: string) => pathsNamed({ anything: value }).map(({ path }) => path);

describe('F-24: paths under any name of an undeclared tool’s arguments', () => {
  test.each(['/etc/x', '//etc/x', '~/x', '~', '~root/x', '/tmp/a file.txt'])('%j may be one', (value) => {
    expect(guessed(value)).toEqual([value]);
    expect(pathsNamed({ a: [{ b: { c: [value] } }] })).toMatchObject([{ path: value, guess: true }]);
    expect(pathsNamed({ changes: { [value]: 'content' } })).toMatchObject([{ path: value }]);
    expect(pathsRead({ anything: value })).toMatchObject([{ path: value, role: 'read' }]);
  });

  test('a file: URI under any name is its file, and one that cannot be read has a problem', () => {
    expect(pathsNamed({ anything: 'file:etc/x' })).toEqual([{ path: '/etc/x', role: 'write' }]);
    expect(pathsNamed({ anything: 'file://host/x' })).toMatchObject([{ problem: expect.any(String) }]);
  });

  test.each([
    'and/or',
    'src/a/one.ts',
    './src',
    'https://example.org/a/b',
    's3://bucket/key',
    '2026/11/22',
    '22/11/2026 10:00',
    '~5 minutes',
    '~approx',
    '1/2',
    'application/json',
    '@scope/name',
    '^/etc/.*$',
    'see /etc/hosts',
    '// a comment\nlet a = 1;',
    '/** documentation\n */\nexport {}',
    'x'.repeat(5000),
    '',
  ])('%j is none', (value) => {
    expect(guessed(value)).toEqual([]);
  });

  test('a lone slash is a folder, but for a separator', () => {
    expect(pathsNamed({ dir: '/' })).toHaveLength(1);
    expect(pathsNamed({ separator: '/' })).toEqual([]);
  });

  test('however deep it lies, and what is too deep to be read throws', () => {
    const deep = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}"/etc/x"${'}'.repeat(levels)}`);
    expect(pathsNamed(deep(1000))).toHaveLength(1);
    let value: object = { a: '/etc/x' };
    for (let level = 0; level < 200_000; level += 1) value = { a: value };
    expect(() => pathsNamed(value as never)).toThrow(RangeError);
  });

  test('F-27: more paths than can be followed are refused before anyone looks at them', () => {
    const many = Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`path${at}`, `a/${at}`]));
    expect(() => pathsNamed(many)).toThrow('names more than 5000 paths');
    const text = Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`k${at}`, `a/${at}`]));
    expect(pathsNamed(text)).toEqual([]);
  });

  test('an absolute path is found under every key', () => {
    fc.assert(
      fc.property(fc.string(), fc.webSegment(), (key, name) => {
        expect(pathsNamed({ [key]: `/etc/${name}` }).map(({ path }) => path)).toContain(`/etc/${name}`);
      }),
    );
  });
});
