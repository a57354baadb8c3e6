import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FOLDER_VARIABLES, FOOTPRINTS } from '../src/core/footprints/index.ts';
import { governingImages } from '../src/hooks/command/vault.ts';
import { applyPlans } from '../src/hosts/shared/install/apply.ts';
import type { Machine } from '../src/hosts/shared/install/installer.ts';
import { planInstall } from '../src/hosts/shared/install/plan.ts';
import { OBEYED_FOLDERS, protectedAs } from '../src/security/protected.ts';
import { ADAPTERS, INSTALLERS } from './hosts/support/all-hosts.ts';
import { TestWorkspace } from './support/workspace.ts';

const SRC = path.resolve(import.meta.dirname, '../src');

describe('the table of footprints', () => {
  test('has every host that has an adapter, once', () => {
    const hosts = FOOTPRINTS.map(({ host }) => host);
    expect([...hosts].sort()).toEqual(Object.keys(ADAPTERS).sort());
  });

  test('holds plain relative paths, each once a base', () => {
    for (const { host, places } of FOOTPRINTS) {
      const seen = places.flatMap(({ path: name, at }) => at.map((base) => `${base}:${name}`));
      expect(seen.length, host).toBe(new Set(seen).size);
      for (const { path: name } of places) expect(name).toMatch(/^[^/](?:(?!\/\/|\.\.).)*[^/]$/);
    }
  });
});

describe('F-7: whatever an installer writes is in the table', () => {
  let place: TestWorkspace;
  beforeEach(() => {
    place = new TestWorkspace([{ id: 'INT-001' }]);
  });
  afterEach(() => place[Symbol.dispose]());

  const cases = INSTALLERS.flatMap(({ host, scopes }) =>
    scopes.filter((scope) => scope !== 'managed').map((scope) => [host, scope] as const),
  );

  test('settings of the whole machine, which are not written here', () => {
    const { root, home } = place.workspace.ground;
    const wiring = { node: '/usr/bin/node', install: '/opt/pactclaw', workspace: null };
    for (const platform of ['linux', 'darwin'])
      for (const installer of INSTALLERS.filter(({ scopes }) => scopes.includes('managed')))
        for (const { file } of installer.parts(
          { project: root, home, platform, env: () => undefined },
          'managed',
          wiring,
        ))
          expect(protectedAs(file, place.workspace.ground), file).not.toBeNull();
  });

  test.each(cases)('%s, scope %s', (host, scope) => {
    const installer = INSTALLERS.find((one) => one.host === host);
    const { root, home } = place.workspace.ground;
    const machine: Machine = { project: root, home, platform: 'linux', env: () => undefined };
    const wiring = { node: '/usr/bin/node', install: '/opt/pactclaw', workspace: root };
    const before = new Set(walk(place.base));
    applyPlans(planInstall(installer?.parts(machine, scope, wiring) ?? [], {}), `${home}/.pactclaw`);
    const written = walk(place.base).filter((file) => !before.has(file));
    expect(written.length).toBeGreaterThan(0);
    const governed = new Set(governingImages(place.workspace).map((image) => image.path));
    for (const file of written) {
      expect(protectedAs(file, place.workspace.ground), file).not.toBeNull();
      const obeyed = OBEYED_FOLDERS.some((folder) => file.startsWith(`${root}/${folder}/`));
      expect(obeyed || governed.has(file), `${file} is not watched`).toBe(true);
    }
  });
});

describe('the launcher’s last words are those of the table', () => {
  const launcher = path.resolve(SRC, '../bin/pactclaw-hook');
  const launch = (host: string, event: string) =>
    spawnSync(launcher, ['/bin/false', host, '--event', event], {
      env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' },
      input: '{}',
      encoding: 'utf8',
    });

  test.each(FOOTPRINTS.map(({ host, lastWords }) => [host, lastWords] as const))('%s', (host, lastWords) => {
    const { status, stdout } = launch(host, 'PreToolUse');
    const reason = 'Fail-Safe Default: PactClaw could not judge this call (its hook ended with code 1)';
    expect([status, stdout.trim()]).toEqual([2, lastWords.refusal.replaceAll('REASON', reason)]);
    for (const event of lastWords.quiet) expect(launch(host, event)).toMatchObject({ status: 1, stdout: '' });
  });

  test('it hands on the variables that put a folder of a host elsewhere', () => {
    const loop = /for name in ((?:[A-Z_]+|\\\n|\s)+); do/.exec(readFileSync(launcher, 'utf8'))?.[1] ?? '';
    expect(loop.split(/[\s\\]+/)).toEqual(FOLDER_VARIABLES);
  });

  test('it is quiet at no event that no host knows', () => {
    const named = [...readFileSync(launcher, 'utf8').matchAll(/ --event (\w+) '/g)].map(([, event]) => event);
    const quiet = FOOTPRINTS.flatMap(({ lastWords }) => lastWords.quiet);
    expect([...new Set(named)].sort()).toEqual([...new Set(quiet)].sort());
  });
});

/** Files outside the table and a host's own folder that may spell a host's names, and why. */
const MAY_SPELL: Readonly<Record<string, string>> = {
  'hosts/shared/install/server.ts':
    'which file of an installation stands beside the entry that two hosts share',
};

test('no two places spell what a host’s files and marks are', () => {
  const names = FOOTPRINTS.flatMap(({ names: own, system, marks }) => [
    ...own,
    ...system,
    ...marks.flatMap((mark) => (typeof mark === 'string' ? [mark] : [])),
  ]).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`['"\`/](?:${[...new Set(names)].join('|')})(?![\\w.-])`);
  const hosts = FOOTPRINTS.map(({ host }) => `hosts/${host}/`);
  const found = walk(SRC)
    .map((file) => path.relative(SRC, file))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('core/footprints/'))
    .filter((file) => !hosts.some((host) => file.startsWith(host)))
    .filter((file) => pattern.test(codeOf(readFileSync(path.join(SRC, file), 'utf8'))));
  expect(found.sort()).toEqual(Object.keys(MAY_SPELL).sort());
});

/** The text without comments; a string that looks like one goes too, which here can only hide a name in a URL. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}

function walk(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    return statSync(file).isDirectory() ? walk(file) : [file];
  });
}
