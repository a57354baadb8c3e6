import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyPlans } from '../../src/hosts/shared/install/apply.ts';
import type { Machine } from '../../src/hosts/shared/install/installer.ts';
import { planInstall } from '../../src/hosts/shared/install/plan.ts';
import { temporaryFolder } from '../support/ledger.ts';
import { installerNamed, verifierNamed } from './support/all-hosts.ts';

const ran = (code: number, stdout: string, stderr = '') => ({
  code,
  stdout,
  stderr,
  signal: null,
  timedOut: false,
  failure: null,
});

let base: string;
beforeEach(() => {
  base = temporaryFolder('one-file-verify');
  mkdirSync(`${base}/project`);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const HOSTS = [
  { installer: installerNamed('gemini'), verifier: verifierNamed('gemini'), folder: '.gemini' },
  { installer: installerNamed('qwen'), verifier: verifierNamed('qwen'), folder: '.qwen' },
];

describe.each(HOSTS)('$installer.host', ({ installer, verifier, folder }) => {
  const { host } = installer;
  const machine = (): Machine => ({
    project: `${base}/project`,
    home: `${base}/home`,
    platform: 'linux',
    env: () => undefined,
  });
  const file = () => `${base}/project/${folder}/settings.json`;
  const install = () => {
    const wiring = { node: process.execPath, install: process.cwd(), workspace: `${base}/project` };
    applyPlans(planInstall(installer.parts(machine(), 'project', wiring), {}), `${base}/notes`);
  };
  const failed = async () => {
    const facts = {
      machine: machine(),
      registered: verifier.registered(machine()),
      client: null,
      asked: undefined,
      cwd: `${base}/project`,
    };
    const checks = [...(await verifier.wiring(facts)), ...(verifier.server?.checks?.(machine()) ?? [])];
    return checks.filter(({ status }) => status === 'failed').map(({ title, seen }) => `${title}: ${seen}`);
  };

  test('what is installed passes, and every line of it can be started elsewhere', async () => {
    install();
    expect(await failed()).toEqual([]);
    for (const hook of verifier.registered(machine())) {
      const start = hook.start('/elsewhere', '/other/node');
      expect(start?.file).toBe('/bin/sh');
      expect(start?.args.join(' ')).toContain(
        `pactclaw-hook /other/node ${host} --workspace /elsewhere --event ${hook.event}`,
      );
    }
    expect(verifier.server?.find(machine())).toMatchObject({ ours: true, file: file() });
  });

  test('a server that is gone, or somebody else’s', () => {
    install();
    const { mcpServers, ...rest } = JSON.parse(readFileSync(file(), 'utf8'));
    writeFileSync(file(), JSON.stringify(rest));
    expect(verifier.server?.find(machine())).toBeNull();
    mcpServers.pactclaw.args = ['other'];
    writeFileSync(file(), JSON.stringify({ ...rest, mcpServers }));
    expect(verifier.server?.find(machine())?.ours).toBe(false);
  });

  test('the same registration in two files counts once, another one beside it is a fault', async () => {
    install();
    const home = `${base}/home/${folder}`;
    mkdirSync(home, { recursive: true });
    const text = readFileSync(file(), 'utf8');
    writeFileSync(`${home}/settings.json`, text);
    expect(await failed()).toEqual([]);
    writeFileSync(`${home}/settings.json`, text.replaceAll('"timeout": 3', '"timeout": 4'));
    expect((await failed()).join()).toContain('each call counts twice');
  });

  test('an answer is read as the host reads it', () => {
    const { verdictOf } = verifier;
    expect(verdictOf(ran(0, '{}')).verdict).toBe('runs');
    expect(verdictOf(ran(0, 'no such {{{')).verdict).toBe('failed');
    expect(verdictOf(ran(1, '')).verdict).toBe('failed');
    expect(verdictOf(ran(2, '', 'why')).verdict).toBe('denied');
    const claude = '{"hookSpecificOutput":{"permissionDecision":"deny"}}';
    expect(verdictOf(ran(0, claude)).verdict).toBe(host === 'gemini' ? 'runs' : 'denied');
    if (host === 'gemini')
      expect(verdictOf(ran(0, '{"decision":"deny","reason":"x"}'))).toEqual({ verdict: 'denied', text: 'x' });
  });
});
