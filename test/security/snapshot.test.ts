import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { layoutOf } from '../../src/core/layout.ts';
import { MAX_CONTENT } from '../../src/security/intake.ts';
import { Snapshots, UNSEEN_MODE } from '../../src/security/snapshot.ts';
import { temporaryFolder } from '../support/ledger.ts';

let root: string;
let seal: string | null;
beforeEach(() => {
  root = fs.realpathSync(temporaryFolder('snapshot'));
  seal = null;
  fs.mkdirSync(`${root}/.orchestration`);
  put('src/a.ts', 'a\n');
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function put(file: string | Buffer, text: string): void {
  const place = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(file)]);
  fs.mkdirSync(path.dirname(place.toString()), { recursive: true });
  fs.writeFileSync(place, text);
}

function snapshots(timeoutMs = 60_000): Snapshots {
  return new Snapshots(layoutOf(root), timeoutMs, seal);
}

function take(begins = false, timeoutMs = 60_000): string {
  const some = snapshots(timeoutMs);
  const tree = some.take(begins);
  seal = some.seal;
  return tree;
}

/** What some work changes, as the next snapshot tells it. */
function changesOf(work: () => void): string[] {
  const before = take(true);
  work();
  return snapshots()
    .changes(before, take())
    .map(({ path, afterMode }) => `${path}${afterMode === UNSEEN_MODE ? ' (unseen)' : ''}`);
}

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: root, stdio: 'ignore' });
}

/** What in a folder others than its owner may read or change, the folder itself too. */
function openIn(folder: string): string[] {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return ['.', ...names].filter((name) => (fs.lstatSync(`${folder}/${name}`).mode & 0o077) !== 0);
}

describe('what a snapshot sees', () => {
  test('nothing where nothing changed, and the index is left as it is', () => {
    put('.gitignore', '*.log\n');
    take(true);
    const { ino } = fs.statSync(`${root}/.orchestration/shadow/index`);
    expect(changesOf(() => undefined)).toEqual([]);
    expect(fs.statSync(`${root}/.orchestration/shadow/index`).ino).toBe(ino);
  });

  test('new, changed, removed and replaced files', () => {
    put('b', 'b');
    put('d/e', 'e');
    expect(
      changesOf(() => {
        put('src/a.ts', 'b\n');
        fs.rmSync(`${root}/b`);
        put('b/c', 'c');
        fs.rmSync(`${root}/d`, { recursive: true });
        fs.symlinkSync('src', `${root}/d`);
      }),
    ).toEqual(['b', 'b/c', 'd', 'd/e', 'src/a.ts']);
  });

  test('a folder that was replaced by a link to the same files', () => {
    expect(
      changesOf(() => {
        fs.renameSync(`${root}/src`, `${root}/kept`);
        fs.symlinkSync('kept', `${root}/src`);
      }),
    ).toEqual(['kept/a.ts', 'src', 'src/a.ts']);
  });

  test('F-12: single ignored files beside one whose name is not UTF-8', () => {
    put('.gitignore', '.env\n*.log\n');
    put(Buffer.from([0x78, 0xff, ...Buffer.from('.log')]), 'x');
    put('.env', 'KEY=1');
    expect(changesOf(() => put('.env', 'KEY=2'))).toEqual(['.env']);
  });

  test('F-12: a name that is not UTF-8 is put back byte by byte', () => {
    const name = Buffer.from([0x78, 0xff]);
    put('.gitignore', 'x*\n');
    put(name, 'ours');
    const before = take(true);
    put(name, 'theirs');
    snapshots().restore(before, snapshots().changes(before, take()));
    expect(fs.readFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), 'utf8')).toBe('ours');
  });

  test('F-12: more ignored files than fit into one list are no changes', () => {
    put('.gitignore', '*.o\n');
    for (let n = 0; n < 700; n += 1) put(`o/${n}.o`, '');
    put('o/x.ts', '');
    expect(changesOf(() => undefined)).toEqual([]);
  });

  test('F-12: tracked files in ignored folders, and no other files there', () => {
    git('init', '-q');
    put('.gitignore', 'dist/\n');
    put('dist/keep.js', 'ours');
    put('dist/new.js', 'built');
    git('add', '-f', 'dist/keep.js');
    expect(
      changesOf(() => {
        put('dist/keep.js', 'theirs');
        put('dist/new.js', 'built again');
      }),
    ).toEqual(['dist/keep.js']);
    // Added to git by the command itself: its content was never judged, and still is not.
    expect(changesOf(() => git('add', '-f', 'dist/new.js'))).toEqual([]);
  });

  test('F-13: a sparse file of 4 GB is known by its mark', () => {
    const work = () => fs.truncateSync(`${root}/src/a.ts`, 4 * 2 ** 30);
    expect(changesOf(work)).toEqual(['src/a.ts (unseen)']);
    expect(changesOf(() => undefined)).toEqual([]);
    expect(changesOf(() => fs.truncateSync(`${root}/src/a.ts`, MAX_CONTENT + 1))).toEqual([
      'src/a.ts (unseen)',
    ]);
  });

  test.each(['.gitignore', 'src/.gitignore', 'src/.gitattributes'])(
    'F-13: a pipe called %s does not stop git',
    (name) => {
      put('src/b.ts', 'b');
      const before = take(true);
      fs.rmSync(`${root}/${name}`, { force: true });
      execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', `${root}/${name}`]);
      put('src/a.ts', 'changed\n');
      const some = new Snapshots(layoutOf(root), 6_000, seal);
      expect(some.changes(before, some.take()).map(({ path }) => path)).toEqual(['src/a.ts']);
      if (name !== 'src/.gitattributes' || some.displaced.length > 0)
        expect(some.displaced).toMatchObject([{ path: name }]);
    },
  );

  test('a file that nobody can read is known by its mark', () => {
    expect(
      changesOf(() => {
        put('src/closed', 'x');
        fs.chmodSync(`${root}/src/closed`, 0);
      }),
    ).toEqual([process.getuid?.() === 0 ? 'src/closed' : 'src/closed (unseen)']);
  });
});

describe('F-11: nobody else can read what is kept', () => {
  test('whatever the umask', () => {
    const old = process.umask(0);
    try {
      take(true);
    } finally {
      process.umask(old);
    }
    expect(openIn(`${root}/.orchestration/shadow`)).toEqual([]);
  });

  test('and where it could be read before', () => {
    const shadow = `${root}/.orchestration/shadow`;
    take(true);
    execFileSync('chmod', ['-R', 'go+rX', shadow]);
    take(true);
    expect(openIn(shadow)).toEqual([]);
  });
});

test('F-10: another tree under the name of the one before is found', () => {
  const before = take(true);
  const some = snapshots();
  expect(() => some.verify(before, some.digest)).not.toThrow();
  put('src/a.ts', 'EVIL\n');
  const objects = `${root}/.orchestration/shadow/objects`;
  const fileOf = (id: string) => `${objects}/${id.slice(0, 2)}/${id.slice(2)}`;
  const evil = take();
  fs.chmodSync(fileOf(before), 0o600);
  fs.copyFileSync(fileOf(evil), fileOf(before));
  expect(some.changes(before, evil)).toEqual([]);
  expect(() => some.verify(before, some.digest)).toThrow('forged');
});
