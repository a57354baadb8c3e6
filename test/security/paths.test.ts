import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decide } from '../../src/core/decide.ts';
import { scopeRule } from '../../src/core/rules/scope.ts';
import { selfProtectionRule } from '../../src/core/rules/self-protection.ts';
import type { TargetRole } from '../../src/core/tool-call.ts';
import { realPathOf } from '../../src/platform/resolve-path.ts';
import { forbiddenAmong, forbiddenPlaces } from '../../src/security/forbidden.ts';
import type { Ground } from '../../src/security/protected.ts';
import { resolveTarget } from '../../src/security/resolve-target.ts';
import { call, facts, intent } from '../support/facts.ts';

const NFC = 'caf\u00e9';
const NFD = 'cafe\u0301';
const SCOPE = ['src/components/**', `src/${NFC}/*`];

let base: string;
let root: string;
let ground: Ground;

/** A workspace with every kind of link, a folder beside it, and one name in two Unicode forms. */
function build(): void {
  rmSync(base, { recursive: true, force: true });
  for (const folder of [
    'src/components/deep',
    `src/${NFC}`,
    `src/${NFD}`,
    'src/Components',
    '.orchestration',
  ])
    mkdirSync(`${root}/${folder}`, { recursive: true });
  mkdirSync(`${base}/out/deep`, { recursive: true });
  for (const file of [
    'src/components/a.ts',
    'src/secret.ts',
    'src/linked.ts',
    'src/Components/a.ts',
    '.orchestration/x',
    `src/${NFD}/a.ts`,
  ])
    writeFileSync(`${root}/${file}`, file);
  writeFileSync(`${base}/out/x.ts`, 'outside');
  const links: readonly (readonly [string, string])[] = [
    ['folder', '../../../out'],
    ['file', '../secret.ts'],
    ['inside', 'deep'],
    ['absolute', `${base}/out`],
    ['dangling', '../../../out/new.ts'],
    ['loop', 'pool'],
    ['pool', 'loop'],
    ['up', '..'],
    ['top', '../..'],
    ['state', '../../.orchestration'],
    ['chain', 'folder/deep/..'],
  ];
  for (const [name, to] of links) symlinkSync(to, `${root}/src/components/${name}`);
  symlinkSync('src/components', `${root}/short`);
  linkSync(`${root}/src/linked.ts`, `${root}/src/components/hard.ts`);
}

beforeAll(() => {
  base = realpathSync(mkdtempSync(`${tmpdir()}/pactclaw-paths-`));
  root = `${base}/ws`;
  ground = { root, home: `${base}/home`, install: '' };
});
beforeEach(build);
afterAll(() => rmSync(base, { recursive: true, force: true }));

const places = (...folders: string[]) => forbiddenPlaces(folders, ground.home);

/** Whether a write to this spelling would be allowed. */
function allows(asked: string, role: TargetRole = 'write', cwd = root): boolean {
  const found = resolveTarget({ path: asked, role }, cwd, ground, []);
  const given = facts({ call: call({ cwd }), intent: intent({}, SCOPE), targets: found ? [found] : [] });
  return decide(given, [selfProtectionRule, scopeRule]).verdict === 'allow';
}

describe('spellings of a path (H-61)', () => {
  test.each([
    'src/components/a.ts',
    './src/components/a.ts',
    'src//components///a.ts',
    'src/components/./a.ts',
    'src/components/deep/../a.ts',
    'src/components/new/deeper/x.ts',
    'src/components/inside/x.ts',
    'short/a.ts',
    `src/${NFC}/x.ts`,
  ])('%j is in the scope', (asked) => {
    expect(allows(asked)).toBe(true);
    expect(allows(`${root}/${asked}`)).toBe(true);
  });

  test.each([
    ['src/secret.ts', null],
    ['src/components/../secret.ts', null],
    ['src/components/../../../out/x.ts', null],
    ['src/components', null],
    ['src', null],
    ['', 'it is empty'],
    ['.', null],
    ['..', null],
    ['/', null],
    ['/etc/passwd', null],
    ['src/components/folder/x.ts', null],
    ['src/components/absolute/x.ts', null],
    ['src/components/file', null],
    ['src/components/dangling', null],
    ['src/components/chain/x.ts', 'it goes up with `..` after a symbolic link'],
    ['src/components/up/secret.ts', null],
    ['src/components/top/src/secret.ts', null],
    ['src/components/state/x', null],
    ['src/components/loop', 'its symbolic links form a loop'],
    ['src/components/loop/x', 'its symbolic links form a loop'],
    ['src/components/folder/../a.ts', 'it goes up with `..` after a symbolic link'],
    ['src/components/missing/../a.ts', 'it goes up with `..` from a folder that does not exist'],
    ['src/components/a.ts/x', 'a part of it is not a folder'],
    ['src/components/hard.ts', 'it has another hard link'],
    ['src/components/a\0.ts', 'it holds a control character'],
    ['src/secret.ts\0/../components/a.ts', 'it holds a control character'],
    ['src/components/a\n.ts', 'it holds a control character'],
    ['src/components/\ud800', 'it is not well-formed Unicode'],
    [`src/components/${'x'.repeat(5000)}`, 'it is longer than 4096 characters'],
    [`src/components/${'x'.repeat(300)}`, 'it cannot be looked up (ENAMETOOLONG)'],
    ['src/Components/a.ts', null],
    ['SRC/components/a.ts', null],
    [`src/${NFD}/a.ts`, null],
    ['src\\components\\a.ts', null],
    ['~/x', 'it begins with `~`, which not every tool reads alike; spell it out'],
  ])('%j is not', (asked, problem) => {
    const roles: TargetRole[] = asked === 'src/components' ? [] : ['write', 'delete', 'move-from', 'move-to'];
    for (const role of roles) expect(allows(asked, role), role).toBe(false);
    expect(resolveTarget({ path: asked, role: 'write' }, root, ground, [])?.problem).toBe(problem);
  });

  test.each(['x.ts', 'src/components/a.ts', '-other/x.ts'])(
    'a sibling folder whose name begins with the workspace’s is outside: %s',
    (name) => {
      for (const folder of [`${root}-other`, `${root}x`, `${root}.old`]) {
        const spellings: [string, string][] = [
          [`${folder}/${name}`, root],
          [name, folder],
          [`../${path.basename(folder)}/${name}`, root],
        ];
        for (const [asked, cwd] of spellings) {
          const found = resolveTarget({ path: asked, role: 'write' }, cwd, ground, []);
          expect(found).toMatchObject({ relative: null, absolute: `${folder}/${name}` });
          const given = facts({ call: call({ cwd }), intent: intent({}, ['**']), targets: [found!] });
          expect(decide(given, [scopeRule]).verdict).toBe(found?.scratch ? 'allow' : 'deny');
        }
      }
    },
  );

  test('a home path is judged where a host would read it', () => {
    expect(
      resolveTarget({ path: '~/.ssh/id_rsa', role: 'read' }, root, ground, places('~/.ssh'))?.forbiddenBy,
    ).toBe('~/.ssh');
    expect(
      resolveTarget({ path: '~/.pactclaw/ESTOP', role: 'write' }, root, ground, [])?.protectedAs,
    ).not.toBeNull();
  });

  test('a read of a hard link is no problem', () => {
    expect(
      resolveTarget({ path: 'src/components/hard.ts', role: 'read' }, root, ground, [])?.problem,
    ).toBeNull();
  });

  test('the working folder counts, and a link in it is followed', () => {
    expect(allows('a.ts', 'write', `${root}/src/components`)).toBe(true);
    expect(allows('a.ts', 'write', `${root}/src`)).toBe(false);
    expect(allows('x.ts', 'write', `${root}/src/components/folder`)).toBe(false);
    expect(allows('../a.ts', 'write', `${root}/src/components/folder`)).toBe(false);
  });

  test.each([
    ['/etc/../etc/hosts', '/etc'],
    ['/ETC/hosts', '/etc'],
    ['src/components/folder/x.ts', 'OUT'],
  ])('%s lies under the forbidden %s', (asked, forbidden) => {
    const place = forbidden === 'OUT' ? `${base}/out/` : forbidden;
    expect(resolveTarget({ path: asked, role: 'read' }, root, ground, places(place))?.forbiddenBy).toBe(
      place,
    );
    expect(
      resolveTarget({ path: asked, role: 'read' }, root, ground, places(`${place.replace(/\/$/, '')}x`))
        ?.forbiddenBy,
    ).toBeNull();
  });

  test('a forbidden folder that is a link is forbidden by both its names', () => {
    const linked = { ...ground, home: `${base}/home-link` };
    symlinkSync(ground.home, linked.home);
    const forbidden = forbiddenPlaces(['~/.ssh'], linked.home);
    for (const home of [ground.home, linked.home])
      expect(
        resolveTarget({ path: `${home}/.ssh/id_rsa`, role: 'read' }, root, ground, forbidden)?.forbiddenBy,
      ).toBe('~/.ssh');
  });

  test('what lets a program in at the engine is not read, whatever the policy says', () => {
    for (const asked of ['~/.pactclaw/run/engine', `${ground.home}/.PactClaw/x/../run`])
      expect(resolveTarget({ path: asked, role: 'read' }, root, ground, places())?.forbiddenBy).toBe(
        '~/.pactclaw/run',
      );
  });

  test.each([
    [[], ['/e*/passwd'], '/etc'],
    [[], ['/[e]tc/passwd'], null],
    [[], ['/ETC/*'], '/etc'],
    [[], ['/etcetera/*'], null],
    [[], ['/e\\\\(c/*', '/etc/*'], '/etc'],
    [[], ['/e?'], null],
    [['/etc'], [], '/etc'],
    [['/usr/../etc/passwd'], [], '/etc'],
    [['/proc/self/root/etc/passwd'], [], '/etc'],
    [['/proc/self/status'], [], null],
    [['/etcetera'], [], null],
    [[], [], null],
  ])('of paths %j and globs %j, what lies under a forbidden place: %j', (named, namedGlobs, by) => {
    expect(forbiddenAmong({ named, namedGlobs }, places('/etc'))?.by ?? null).toBe(by);
  });

  test('a link to a forbidden place is one', () => {
    const named = [`${root}/src/components/folder/x.ts`];
    expect(forbiddenAmong({ named, namedGlobs: [] }, places(`${base}/out`))?.by).toBe(`${base}/out`);
  });

  test('a sink is no target, deleting one is', () => {
    expect(resolveTarget({ path: '/dev/null', role: 'write' }, root, ground, [])).toBeNull();
    expect(resolveTarget({ path: '/dev/null', role: 'delete' }, root, ground, [])).not.toBeNull();
    expect(allows('/dev/sda')).toBe(false);
  });
});

/** Everything below a folder with what it holds, files of the scope left out. */
function outsideOf(folder: string, prefix = ''): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const at = prefix === '' ? name : `${prefix}/${name}`;
      const stat = lstatSync(`${folder}/${name}`);
      if (stat.isSymbolicLink()) return [`${at} -> ${readlinkSync(`${folder}/${name}`)}`];
      const owned = /^ws\/src\/(components\/|caf\u00e9\/)/.test(at);
      if (stat.isDirectory()) return [...(owned ? [] : [at]), ...outsideOf(`${folder}/${name}`, at)];
      return owned ? [] : [`${at} = ${readFileSync(`${folder}/${name}`, 'utf8')}`];
    });
}

test('no spelling that is allowed lets the kernel or a normalising host write outside the scope', () => {
  const name = fc.constantFrom(
    ...[
      'src',
      'components',
      'deep',
      '.',
      '..',
      '..',
      '',
      'a.ts',
      'secret.ts',
      'x.ts',
      'new.ts',
      'out',
      'ws',
      'short',
    ],
    ...['folder', 'file', 'inside', 'absolute', 'dangling', 'loop', 'up', 'top', 'state', 'chain', 'hard.ts'],
    ...['Components', NFC, NFD, 'a\0', 'n\n', '.orchestration', '~', ' ', '-'],
  );
  const prefix = fc.constantFrom(
    '',
    'src/components/',
    './',
    '/',
    'ROOT/',
    'ROOT/src/components/',
    'ROOT/../ws/',
    '~/',
  );
  const cwd = fc.constantFrom(
    '',
    '/src/components',
    '/src',
    '/src/components/folder',
    '/src/components/inside',
  );
  let allowed = 0;
  const untouched = outsideOf(base);
  fc.assert(
    fc.property(prefix, fc.array(name, { minLength: 1, maxLength: 6 }), cwd, (before, parts, from) => {
      const asked = `${before.replace('ROOT', root)}${parts.join('/')}`;
      if (!allows(asked, 'write', `${root}${from}`)) return;
      allowed += 1;
      const start = `${root}${from}`;
      for (const file of [path.isAbsolute(asked) ? asked : `${start}/${asked}`, path.resolve(start, asked)]) {
        try {
          writeFileSync(file, 'MARK');
        } catch {
          // A folder, or one that is not there: nothing was written.
        }
      }
      const touched = outsideOf(base);
      build();
      expect(touched, asked).toEqual(untouched);
    }),
    { numRuns: 700 },
  );
  expect(allowed).toBeGreaterThan(20);
});

test('realPathOf agrees with the kernel on every path that exists', () => {
  const name = fc.constantFrom('src', 'components', 'deep', '.', 'a.ts', 'folder', 'file', 'inside', 'absolute', 'up', 'top', 'chain', 'x.ts', 'short', '..', 'secret.ts'); // biome-ignore format: one list
  let compared = 0;
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (parts) => {
      const asked = parts.join('/');
      let kernel: string;
      try {
        kernel = realpathSync.native(`${root}/${asked}`);
      } catch {
        return;
      }
      const found = realPathOf(asked, root);
      if (found.problem !== null) return;
      compared += 1;
      expect(found.absolute).toBe(kernel);
      expect(found.exists).toBe(true);
    }),
    { numRuns: 1000 },
  );
  expect(compared).toBeGreaterThan(20);
});
