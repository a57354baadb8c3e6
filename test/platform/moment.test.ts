import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { replaceFile } from '../../src/platform/durable-files.ts';
import { inMoment, oneMoment } from '../../src/platform/moment.ts';
import { realPathOf } from '../../src/platform/resolve-path.ts';
import { readSteady } from '../../src/platform/steady-file.ts';

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'pactclaw-moment-')));
afterAll(() => fs.rmSync(folder, { recursive: true }));

test('looks once in a moment, and anew in the next and outside of one', () => {
  let looks = 0;
  const look = () => {
    looks += 1;
    return looks;
  };
  expect(oneMoment(() => [inMoment('a', look), inMoment('a', look)])).toEqual([1, 1]);
  expect(oneMoment(() => inMoment('a', look))).toBe(2);
  expect([inMoment('a', look), inMoment('a', look)]).toEqual([3, 4]);
});

test('a moment ends when its work throws, and keeps no failure', () => {
  const fail = () => {
    throw new Error('unreadable');
  };
  expect(() => oneMoment(() => inMoment('b', fail))).toThrow('unreadable');
  expect(oneMoment(() => inMoment('b', () => 'read'))).toBe('read');
});

test('what a link leads to, and what a file says, is seen anew in the next moment', () => {
  const [link, file] = [path.join(folder, 'link'), path.join(folder, 'words')];
  for (const [target, words] of [
    ['one', 'first'],
    ['two', 'second'],
  ] as const) {
    fs.rmSync(link, { force: true });
    fs.symlinkSync(path.join(folder, target), link);
    fs.writeFileSync(file, words);
    oneMoment(() => {
      expect(realPathOf(link, '/').absolute).toBe(path.join(folder, target));
      expect(readSteady(file)?.toString()).toBe(words);
    });
  }
});

test('a file that the moment itself replaces is read anew in it', () => {
  const file = path.join(folder, 'own');
  fs.writeFileSync(file, 'before');
  oneMoment(() => {
    expect(readSteady(file)?.toString()).toBe('before');
    replaceFile(file, 'after', { durable: false });
    expect(readSteady(file)?.toString()).toBe('after');
  });
});
