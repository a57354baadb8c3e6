import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appendDurably, createFile, replaceFile, truncateFile } from '../../src/platform/durable-files.ts';
import { markOf, sameMark } from '../../src/platform/file-mark.ts';
import { readFileState } from '../../src/platform/file-state.ts';
import {
  isDirectory,
  listNames,
  moveAside,
  readIfThere,
  readRegular,
  readSlice,
} from '../../src/platform/files.ts';
import { readLines } from '../../src/platform/read-lines.ts';
import { temporaryFolder } from '../support/ledger.ts';

let base: string;
let count = 0;
let file: string;
beforeAll(() => {
  base = temporaryFolder('files');
});
beforeEach(() => {
  count += 1;
  mkdirSync(`${base}/${count}`);
  file = `${base}/${count}/file`;
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const namesBeside = () => readdirSync(`${base}/${count}`);

describe('appendDurably', () => {
  test('appends where the file ends and tells its new mark', () => {
    writeFileSync(file, 'one\n');
    const mark = appendDurably(file, Buffer.from('two\n'), 4);
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
    expect(mark).toEqual(markOf(file));
  });

  test('refuses when somebody else appended meanwhile, and leaves it alone', () => {
    writeFileSync(file, 'one\nmore\n');
    expect(() => appendDurably(file, Buffer.from('two\n'), 4)).toThrow('grew while it was locked');
    expect(readFileSync(file, 'utf8')).toBe('one\nmore\n');
  });

  test('makes no file', () => {
    expect(() => appendDurably(file, Buffer.from('x'), 0)).toThrow('ENOENT');
    expect(existsSync(file)).toBe(false);
  });
});

describe('createFile and replaceFile', () => {
  test('createFile never touches what is there', () => {
    expect(createFile(file, 'first', 0o600)).toBe(true);
    expect(createFile(file, 'second')).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('first');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(namesBeside()).toEqual(['file']);
  });

  test('createFile does not follow a dangling link', () => {
    symlinkSync(`${base}/${count}/elsewhere`, file);
    expect(createFile(file, 'x')).toBe(false);
    expect(existsSync(`${base}/${count}/elsewhere`)).toBe(false);
  });

  test.each([true, false])('replaceFile keeps the mode and leaves nothing beside (durable %s)', (durable) => {
    writeFileSync(file, 'old', { mode: 0o640 });
    replaceFile(file, 'new', { durable });
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(namesBeside()).toEqual(['file']);
  });

  test('replaceFile keeps the mode whatever the umask', () => {
    writeFileSync(file, 'old', { mode: 0o644 });
    const before = process.umask(0o077);
    try {
      replaceFile(file, 'new', { durable: false });
    } finally {
      process.umask(before);
    }
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  test('replaceFile that fails leaves the old file and nothing beside', () => {
    mkdirSync(file);
    expect(() => replaceFile(file, 'new', { durable: true })).toThrow();
    expect(isDirectory(file)).toBe(true);
    expect(namesBeside()).toEqual(['file']);
  });

  test('replaceFile gives a second hard link its own life', () => {
    writeFileSync(file, 'old');
    linkSync(file, `${file}-twin`);
    replaceFile(file, 'new', { durable: false });
    expect(readFileSync(`${file}-twin`, 'utf8')).toBe('old');
  });
});

describe('reading', () => {
  test('a file that is not there is null, a folder is not', () => {
    expect(readIfThere(file)).toBeNull();
    expect(readIfThere(`${file}/below`)).toBeNull();
    writeFileSync(file, 'x');
    expect(readIfThere(`${file}/below`)).toBeNull();
    expect(() => readIfThere(base)).toThrow();
    expect(readRegular(base, 10)).toBeNull();
    expect(readRegular(file, 0)).toBeNull();
    expect(readRegular('/dev/zero', 10)).toBeNull();
    expect(listNames(`${base}/nothing`)).toEqual([]);
    expect(listNames(file)).toEqual([]);
  });

  test('a mark changes with size, content and name, and not by itself', () => {
    expect(markOf(file)).toBeNull();
    writeFileSync(file, 'one');
    const mark = markOf(file);
    expect(mark && sameMark(mark, markOf(file) as typeof mark)).toBe(true);
    writeFileSync(`${file}-twin`, 'one');
    expect(sameMark(mark as never, markOf(`${file}-twin`) as never)).toBe(false);
    appendFileSync(file, '!');
    expect(sameMark(mark as never, markOf(file) as never)).toBe(false);
    expect(() => markOf(base)).toThrow('is not a regular file');
  });

  test('a slice is shorter at the end', () => {
    writeFileSync(file, '0123456789');
    expect(readSlice(file, 3, 4).toString()).toBe('3456');
    expect(readSlice(file, 8, 9).toString()).toBe('89');
    expect(readSlice(file, 99, 9)).toHaveLength(0);
    truncateFile(file, 2);
    expect(readFileSync(file, 'utf8')).toBe('01');
  });

  test('moving what is not there is no error', () => {
    moveAside(file, `${file}-away`);
    writeFileSync(file, 'x');
    moveAside(file, `${file}-away`);
    expect(namesBeside()).toEqual(['file-away']);
  });
});

describe('readLines', () => {
  test('cuts at newlines alone, with the places of the bytes', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '😀', '\n', '\r', '\u2028', ' ', '\0'), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, (parts) => {
        const bytes = Buffer.from(parts.join(''));
        writeFileSync(file, bytes);
        const lines = [...readLines(file)];
        const pieces = parts.join('').split('\n');
        const whole = pieces.slice(0, -1);
        const tail = pieces.at(-1) === '' ? [] : pieces.slice(-1);
        expect(lines.map((line) => line.text)).toEqual([...whole, ...tail]);
        for (const [at, line] of lines.entries()) {
          expect(line.number).toBe(at + 1);
          expect(line.torn).toBe(at === whole.length);
          expect(line.utf8).toBe(true);
          expect(bytes.toString('utf8', line.offset, line.torn ? line.end : line.end - 1)).toBe(line.text);
        }
      }),
    );
  });

  test('lines longer than its window, and a start in the middle', () => {
    const long = 'x'.repeat((1 << 20) + 7);
    writeFileSync(file, `${long}\nshort\n${long}`);
    const lines = [...readLines(file)];
    expect(lines.map((line) => [line.text.length, line.torn])).toEqual([
      [long.length, false],
      [5, false],
      [long.length, true],
    ]);
    expect([...readLines(file, long.length + 1)].map(({ text, offset }) => [text.length, offset])).toEqual([
      [5, long.length + 1],
      [long.length, long.length + 7],
    ]);
    expect([...readLines(`${file}-none`)]).toEqual([]);
  });

  test('bytes that are no UTF-8 are told', () => {
    writeFileSync(
      file,
      Buffer.concat([Buffer.from('a\n'), Buffer.from([0xf0, 0xbf, 0xbd, 10]), Buffer.from('b')]),
    );
    expect([...readLines(file)].map(({ utf8 }) => utf8)).toEqual([true, false, true]);
  });
});

describe('F-27: a pipe in a file’s place', () => {
  const readers: [string, (file: string) => unknown][] = [
    ['a slice', (file) => readSlice(file, 0, 1)],
    ['its lines', (file) => [...readLines(file)]],
    ['its content', (file) => readIfThere(file)],
    ['its state', (file) => readFileState(file, 1)],
  ];
  test.each(readers)('is not waited for: %s', (_name, read) => {
    const folder = temporaryFolder('pipe');
    try {
      execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', `${folder}/p`]);
      let got: unknown = null;
      try {
        got = read(`${folder}/p`);
      } catch (error) {
        expect(String(error)).toContain('is not a regular file');
      }
      expect(got).toBeNull();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
