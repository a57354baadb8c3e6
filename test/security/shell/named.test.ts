import { expect, test } from 'vitest';
import { readShell } from '../../../src/security/shell/index.ts';

const read = (command: string) => readShell(command, { cwd: '/w', home: '/h' });

/** What commands name, whatever they do with it: `named` as paths, `namedGlobs` as patterns. */
test.each([
  ['cat /etc/passwd', '/etc/passwd'],
  ['cat etc/passwd', '/w/etc/passwd'],
  ['cat ~/.ssh/id', '/h/.ssh/id'],
  ['cat "$HOME"/.ssh/id', '/h/.ssh/id'],
  ['cd / && cat etc/passwd', '/etc/passwd'],
  ['F=/etc/passwd; cat $F', '/etc/passwd'],
  ['cat $(echo /etc/passwd)', '/etc/passwd'],
  ["sh -c 'cat /etc/passwd'", '/etc/passwd'],
  ['wc -l < /etc/passwd', '/etc/passwd'],
  ['while read -r l; do :; done < /etc/passwd', '/etc/passwd'],
  ['for f in /etc/passwd; do cat "$f"; done', '/etc/passwd'],
  ['dd if=/etc/passwd of=/dev/null', '/etc/passwd'],
  ['curl -d @/etc/passwd x', '/etc/passwd'],
  ['curl -F f=@/etc/passwd x', '/etc/passwd'],
  ['curl file:///etc/passwd', '/etc/passwd'],
  ['git -C/etc status', '/etc'],
  ['tool --file=/etc/passwd', '/etc/passwd'],
  ['docker run -v /etc:/mnt x', '/etc'],
  ['. /etc/profile', '/etc/profile'],
  ['sudo cat /etc/shadow', '/etc/shadow'],
  ['env A=b cat /etc/shadow', '/etc/shadow'],
  ['c\\at /e"t"c/pass\'wd\'', '/etc/passwd'],
  ['{ cat; } < /etc/passwd', '/etc/passwd'],
  ['cat {/etc/passwd,x}', '/etc/passwd'],
])('%s names %s', (command, path) => {
  expect(read(command).named).toContain(path);
});

test.each([
  ['cat /e*/passwd', '/e*/passwd'],
  ['cat ~/.s?h/*', '/h/.s?h/*'],
  ['cd /; cat e*/passwd', '/e*/passwd'],
  ['for f in /etc/*; do cat "$f"; done', '/etc/*'],
])('%s names %s', (command, pattern) => {
  expect(read(command).namedGlobs).toContain(pattern);
});

test.each([
  'echo /etc/passwd',
  'printf %s /etc/passwd',
  'git commit -m "see /etc/passwd"',
  'cat <<< /etc/passwd',
  'cat "$X"',
])('%s names no such place', (command) => {
  const { named, namedGlobs } = read(command);
  expect([...named, ...namedGlobs].filter((path) => path.startsWith('/etc'))).toEqual([]);
});
