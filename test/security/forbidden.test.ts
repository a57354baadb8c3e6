import { expect, test } from 'vitest';
import { forbiddenAmong, forbiddenOver, forbiddenPlaces } from '../../src/security/forbidden.ts';
import { resolveTarget } from '../../src/security/resolve-target.ts';
import { readShell } from '../../src/security/shell/index.ts';

const PLACES = forbiddenPlaces(['/etc', '~/.ssh'], '/h');
const found = (command: string) => forbiddenAmong(readShell(command, { cwd: '/w', home: '/h' }), PLACES);

test.each([
  ['cat ~/.s*/id', '~/.ssh'],
  ['cat ~/.*/id', '~/.ssh'],
  ['cat /e?c/passwd', '/etc'],
  ['cat ~/@(.ssh)/id', '~/.ssh'],
  ['shopt -s dotglob; cat ~/*/id', '~/.ssh'],
  ['setopt globdots; cat ~/*/id', '~/.ssh'],
  ['setopt GLOB_DOTS; cat ~/?ssh/id', '~/.ssh'],
  ['cat /proc/self/root/etc/passwd', '/etc'],
  ['cat /proc/self/root/proc/1/root/etc/passwd', '/etc'],
  ['cat ~/.pactclaw/run/x', '~/.pactclaw/run'],
  ['cat ~/.pactclaw/r*/*', '~/.pactclaw/run'],
  ['grep -r . ~/.pactclaw', '~/.pactclaw/run'],
  ['find ~/.pactclaw -type f -exec cat {} +', '~/.pactclaw/run'],
])('%s is in %s', (command, place) => {
  expect(found(command)?.by).toBe(place);
});

/** `*` does not stand for names that begin with a dot. */
test.each(['ls -d ~/*', 'du -sh ~/*', 'cat ~/?ssh', 'cat ~/.pactclaw/config.toml', 'ls ~/.pactclaw-x'])(
  '%s is in no forbidden place',
  (command) => {
    expect(found(command)).toBeNull();
  },
);

test('a search that is given the folder above the engine’s key is refused, one of its files is not', () => {
  const ground = { root: '/w', home: '/h', install: '/i' };
  const by = (path: string) => resolveTarget({ path, role: 'read' }, '/w', ground, PLACES)?.forbiddenBy;
  expect(by('~/.pactclaw')).toBe('~/.pactclaw/run');
  expect(by('/h/x/../.pactclaw/')).toBe('~/.pactclaw/run');
  expect(by('~/.pactclaw/config.toml')).toBeNull();
});

/** A forbidden folder that is a link has two names. */
const LINKED = [{ name: '~/s', paths: ['/h/s', '/vault/s'], above: [] }];

test.each([
  ['/h/s', '~/s'],
  ['/h/s/x', '~/s'],
  ['/vault/s', '~/s'],
  ['/vault/s/x', '~/s'],
  ['/vault/sx', null],
  ['/vault', null],
])('the real path %s is forbidden by %s', (path, name) => {
  expect(forbiddenOver(path, LINKED)).toBe(name);
});

test.each([
  ['/h/?', '/h/s', true],
  ['/vault/?/id', '/vault/s', true],
  ['/h/*', '/h/.ssh', false],
  ['/h/**', '/h/.ssh', true],
  ['/h/x*', '/h/x.y', true],
  ['/h/a.b*', '/h/axb', false],
  ['/h/\\*', '/h/ab', false],
  ['/h/\\*', '/h/*', true],
  ['/*', '/h/s', false],
])('the file glob %s against %s: %s', (glob, folder, reached) => {
  const places = [{ name: 'other', paths: [folder, '/far/off/it'], above: [] }];
  expect(forbiddenAmong({ named: [], namedGlobs: [glob] }, places)).toEqual(
    reached ? { asked: glob, by: 'other' } : null,
  );
});

test('a path that leads through a forbidden place is refused wherever it ends', () => {
  const asked = '/etc/../w/x';
  expect(forbiddenAmong({ named: [asked], namedGlobs: [] }, PLACES)).toEqual({ asked, by: '/etc' });
});
