import { expect, test } from 'vitest';
import { forbiddenAmong, forbiddenPlaces } from '../../src/security/forbidden.ts';
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
