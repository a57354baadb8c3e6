/** What every host's installation must do, one suite for all of them: install, verify, uninstall, and nothing lost. */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PactError } from '../../src/core/errors.ts';
import { isEverywhere } from '../../src/hosts/shared/install/installer.ts';
import { INSTALLERS, verifierNamed } from './support/all-hosts.ts';
import { ScratchMachine } from './support/installed.ts';

const CASES = INSTALLERS.flatMap((installer) =>
  installer.scopes.map((scope) => [installer.host, scope, installer] as const),
);

/** Folders that PactClaw is installed in: this repository, whose programs can be started, and one that is gone. */
const HERE = process.cwd();
const ELSEWHERE = '/opt/an older/pactclaw';

/** What a human has in settings of each format; neither has the layout that we write. */
const OWN: Readonly<Record<string, string>> = {
  '.json': '{\n\t"zz_own": {"a": [1, 2],   "b": null},\r\n\t"mcpServers": {}, "other": []}',
  '.toml': 'model = "x"\n\n[profiles.mine]\nmodel = "y"',
};

const MINE = { type: 'command', command: './mine.sh' };

/** Settings with lists at these places: a hook of somebody else in the first, nothing in the others. */
function foreignAt(places: readonly (readonly string[])[]): string {
  const root: Record<string, unknown> = {};
  for (const [index, steps] of places.entries()) {
    let at = root;
    for (const step of steps.slice(0, -1)) {
      at[step] ??= {};
      at = at[step] as Record<string, unknown>;
    }
    at[steps.at(-1) ?? ''] = index === 0 ? [{ matcher: 'x', hooks: [MINE], ...MINE }] : [];
  }
  return `${JSON.stringify(root, null, '\t')}\r\n`;
}

/** What a host must be told before it obeys hooks at all. */
const TRUST: Readonly<Record<string, (machine: ScratchMachine) => void>> = {
  codex: (machine) =>
    machine.put('home/.codex/config.toml', `[projects."${machine.project}"]\ntrust_level = "trusted"\n`),
};

let machine: ScratchMachine;
const { PATH = '' } = process.env;
beforeEach(() => {
  machine = new ScratchMachine({ node: process.execPath, install: HERE });
  // Where settings that are shared look for PactClaw.
  process.env.PATH = [`${HERE}/bin`, path.dirname(process.execPath), PATH].join(path.delimiter);
});
afterEach(() => {
  process.env.PATH = PATH;
  machine.remove();
});

describe.each(CASES)('%s, scope %s', (host, scope, installer) => {
  const verifier = verifierNamed(host);
  const parts = () => machine.parts(installer, scope);
  /** Files that the installation edits; those that are ours as a whole have no settings of others. */
  const edited = () => [...new Set(parts().flatMap((part) => (part.whole === true ? [] : [part.file])))];
  const put = (file: string, text: string) => machine.put(path.relative(machine.root, file), text);
  const failed = () => machine.faults(verifier);
  const missing = () => {
    const events = new Set(verifier.registered(machine.machine()).map(({ event }) => event));
    return Object.values(verifier.events).filter((event) => !events.has(event));
  };

  /** Installs twice, verifies, uninstalls twice. */
  const comesAndGoes = async () => {
    const before = machine.tree();
    machine.install(installer, scope);
    const installed = machine.tree();
    expect(installed).not.toEqual(before);
    machine.install(installer, scope);
    expect(machine.tree()).toEqual(installed);
    expect({ failed: await failed(), missing: missing() }).toEqual({ failed: [], missing: [] });
    if (verifier.server)
      expect(verifier.server.find(machine.machine())).toMatchObject({ ours: true, file: expect.any(String) });
    machine.uninstall(installer);
    expect(machine.tree()).toEqual(before);
    machine.uninstall(installer);
    expect(machine.tree()).toEqual(before);
  };

  test('on a bare machine it is found in force, and goes without a trace', async () => {
    TRUST[host]?.(machine);
    await comesAndGoes();
  });

  test('beside a human’s settings it is found in force, and every byte comes back', async () => {
    for (const file of edited()) put(file, OWN[path.extname(file)] ?? '');
    TRUST[host]?.(machine);
    await comesAndGoes();
  });

  test('beside entries of others where ours go, every byte comes back', async () => {
    for (const part of parts()) {
      const places = part.entries.flatMap(({ path: steps }) => (steps.at(-1) === '-' ? [steps] : []));
      if (places.length > 0) put(part.file, foreignAt(places.map((steps) => steps.slice(0, -1).map(String))));
    }
    TRUST[host]?.(machine);
    await comesAndGoes();
  });

  test('a link to settings kept elsewhere stays one, and the file keeps its mode', async () => {
    const links = edited().map((file, at) => {
      put(`${machine.root}/dotfiles/${at}${path.extname(file)}`, OWN[path.extname(file)] ?? '');
      const target = `${machine.root}/dotfiles/${at}${path.extname(file)}`;
      fs.chmodSync(target, 0o400);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.symlinkSync(target, file);
      return { file, target };
    });
    const before = machine.tree();
    machine.install(installer, scope);
    machine.uninstall(installer);
    expect(machine.tree()).toEqual(before);
    for (const { file, target } of links) {
      expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
      expect(fs.statSync(target).mode & 0o777).toBe(0o400);
    }
  });

  test('without an installation there is nothing to verify and nothing to uninstall', async () => {
    for (const file of edited()) put(file, OWN[path.extname(file)] ?? '');
    const before = machine.tree();
    expect(await failed()).not.toEqual([]);
    machine.uninstall(installer);
    expect(machine.tree()).toEqual(before);
  });

  test('an installation of another PactClaw is replaced', async () => {
    TRUST[host]?.(machine);
    const before = machine.tree();
    new ScratchMachine({ node: '/old/node', install: ELSEWHERE }, machine.root).install(installer, scope);
    machine.install(installer, scope);
    expect(JSON.stringify(machine.tree())).not.toContain(ELSEWHERE);
    expect(await failed()).toEqual([]);
    machine.uninstall(installer);
    expect(machine.tree()).toEqual(before);
  });

  /** Every file that the installation would edit, one by one, with a text in it. */
  const each = (textOf: (file: string) => string | null, then: (file: string) => void) => {
    for (const file of edited()) {
      const text = textOf(file);
      if (text === null) continue;
      const other = new ScratchMachine(machine.wiring);
      const own = machine;
      machine = other;
      try {
        const there = file.replace(own.root, other.root);
        put(there, text);
        then(there);
      } finally {
        other.remove();
        machine = own;
      }
    }
  };

  /** Tries to install beside a text that cannot be edited: it is refused by name, or another file is taken. */
  const leaves = (text: string, says: string) => (file: string) => {
    const before = machine.tree();
    try {
      machine.install(installer, scope);
      expect(machine.tree()).toMatchObject(before);
    } catch (error) {
      expect(error).toBeInstanceOf(PactError);
      expect(error).toMatchObject({ message: expect.stringContaining(says), place: { file } });
      expect(machine.tree()).toEqual(before);
    }
    machine.uninstall(installer);
    expect(machine.tree(), text).toEqual(before);
  };

  test('what is broken is refused by name or passed by, and left as it is', () => {
    const json = '{\n  "a": oops\n}';
    each((file) => (path.extname(file) === '.json' ? json : null), leaves(json, 'not JSON'));
    each((file) => (path.extname(file) === '.toml' ? 'a = = 1\n' : null), leaves('a = = 1\n', 'not TOML'));
  });

  test('what has comments is refused by name or passed by, and left as it is', () => {
    const json = '{\n  // mine\n  "a": 1\n}\n';
    each((file) => (path.extname(file) === '.json' ? json : null), leaves(json, 'comment'));
  });

  test('a file that cannot be written is told by name, and the others are as they were', () => {
    const own = [machine.project, machine.home];
    const file = parts()
      .map((part) => part.file)
      .findLast((one) => !own.includes(path.dirname(one)));
    if (file === undefined) return;
    put(path.dirname(file), 'a file of somebody else\n');
    const before = machine.tree();
    expect(() => machine.install(installer, scope)).toThrow(
      expect.objectContaining({
        name: 'PactError',
        message: expect.stringContaining('cannot be written'),
        place: { file: expect.stringContaining(path.dirname(file)) },
      }),
    );
    expect(machine.tree()).toEqual(before);
    machine.uninstall(installer);
    expect(machine.tree()).toEqual(before);
  });

  test('what somebody else has in our place stays, and is told by name', () => {
    for (const part of parts()) {
      const own = part.entries.map((entry) => entry.path.map(String));
      const server = own.find(
        (steps) => steps.at(-1) === 'pactclaw' || /^\[.*pactclaw\]$/.test(steps[0] ?? ''),
      );
      if (part.whole !== true && server === undefined) continue;
      const mine = { command: 'mine', args: [] };
      const text =
        server === undefined
          ? 'of somebody else\n'
          : server.length === 1
            ? `${server[0]}\ncommand = "mine"\n`
            : JSON.stringify(server.reduceRight<object>((value, step) => ({ [step]: value }), mine));
      const before = machine.tree();
      put(part.file, text);
      expect(() => machine.install(installer, scope)).toThrow(
        expect.objectContaining({ code: 'CONFLICT', place: { file: part.file } }),
      );
      machine.uninstall(installer);
      expect(fs.readFileSync(part.file, 'utf8')).toBe(text);
      fs.rmSync(part.file);
      machine.removeEmptyFolders();
      expect(machine.tree()).toEqual(before);
    }
  });

  test('verify finds a client that is too old, or tells no version', async () => {
    if (verifier.clients.length === 0) return;
    TRUST[host]?.(machine);
    machine.install(installer, scope);
    for (const version of ['0.0.1', null])
      expect(await machine.faults(verifier, { file: '/usr/bin/client', version })).toEqual([
        expect.stringContaining(version ?? 'tells no version'),
      ]);
    expect(await machine.faults(verifier, { file: '/usr/bin/client', version: '99.0.0' })).toEqual([]);
  });

  test.each([
    ['Node is gone', process.execPath, '/none/node', /\/none\/node|plugin/],
    [
      'the launcher is gone',
      '/bin/pactclaw-hook',
      '/bin/gone/pactclaw-hook',
      /cannot be executed|no hook of ours/,
    ],
    ['another workspace is guarded', 'WORKSPACE', '/elsewhere', /guard \/elsewhere/],
  ])('verify finds that %s', async (_what, now, then, says) => {
    if (now === 'WORKSPACE' && isEverywhere(scope)) return;
    // Settings that are shared name no path: test/hosts/claude-code/shared.test.ts.
    if (scope === 'project' && installer.scopes.includes('local')) return;
    TRUST[host]?.(machine);
    machine.install(installer, scope);
    const hooks = new Set(verifier.registered(machine.machine()).map(({ file }) => file));
    for (const file of hooks) {
      const text = fs.readFileSync(file, 'utf8');
      const changed = text.replaceAll(now === 'WORKSPACE' ? machine.project : now, then);
      expect(changed).not.toBe(text);
      fs.writeFileSync(file, changed);
    }
    expect((await failed()).join('\n')).toMatch(says);
  });

  test('a second scope is refused where every call would be counted twice', async () => {
    TRUST[host]?.(machine);
    for (const other of installer.scopes.filter((one) => one !== scope)) {
      machine.install(installer, scope);
      const before = machine.tree();
      try {
        machine.install(installer, other);
        // The host takes two equal hooks for one.
        expect(await failed()).toEqual([]);
      } catch (error) {
        expect(error).toMatchObject({ message: expect.stringContaining('counted twice') });
        expect(machine.tree()).toEqual(before);
      }
      machine.uninstall(installer);
    }
  });
});
