import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { machineFor } from '../../../src/cli/commands/install.ts';
import { Keepers } from '../../../src/cli/serve/keepers.ts';
import { wiringOf } from '../../../src/cli/wiring/faults.ts';
import { keepWiring } from '../../../src/cli/wiring/keeper.ts';
import { claudeCodeInstaller } from '../../../src/hosts/claude-code/install/installer.ts';
import { applyPlans } from '../../../src/hosts/shared/install/apply.ts';
import { planInstall, planUninstall } from '../../../src/hosts/shared/install/plan.ts';
import { readNotes } from '../../../src/hosts/shared/install/record.ts';
import { userFolder } from '../../../src/platform/home.ts';
import { TestWorkspace } from '../../support/workspace.ts';

const PACKAGE = process.cwd();
const OFF = '{"disableAllHooks": true}';
let at: TestWorkspace;
let keeper: { close(): Promise<void> };
const settings = (name = 'settings.local.json') => `${at.root}/.claude/${name}`;
const restored = () => at.receipts().filter(({ tool }) => tool === 'pactclaw.wiring_restored');
const text = (file = settings()) => fs.readFileSync(file, 'utf8');

beforeEach(async () => {
  at = new TestWorkspace([{ id: 'INT-001' }], ['src/components/a.ts']);
  const wiring = { node: process.execPath, install: PACKAGE, workspace: at.root };
  const parts = claudeCodeInstaller.parts(machineFor(at.root), 'local', wiring);
  applyPlans(planInstall(parts, {}), userFolder());
  keeper = await keepWiring(at.workspace);
});
afterEach(async () => {
  await keeper.close();
  at[Symbol.dispose]();
});

/** Does something while a command of an agent runs, and waits until the wiring is as expected. */
async function duringCommand(act: () => void, done: () => void) {
  const agent = at.agent('s1');
  await agent.begin('INT-001');
  const call = agent.call({ tool: 'shell', kind: 'execute', command: 'true' }, { command: 'true' });
  expect((await agent.pre(call)).decision.verdict).toBe('allow');
  act();
  await vi.waitFor(done, { timeout: 20_000, interval: 50 });
}

describe('F-3: what a command does to the wiring is undone while it runs', () => {
  test('hooks taken out and switched off', async () => {
    const before = text();
    await duringCommand(
      () => fs.writeFileSync(settings(), OFF),
      () => expect(restored()).toHaveLength(1),
    );
    expect(text()).toBe(before);
    expect(restored()[0]).toMatchObject({
      status: 'denied',
      intent_event: { event: 'blocked', intent_id: 'INT-001' },
    });
    await vi.waitFor(() => expect(at.statusOf('INT-001')).toBe('BLOCKED'), { timeout: 20_000 });
  });

  test('files that are removed come back', async () => {
    const before = text();
    await duringCommand(
      () => fs.rmSync(`${at.root}/.claude`, { recursive: true }),
      () => expect(text()).toBe(before),
    );
  });

  test('a permission that the client notes there stays', async () => {
    const more = text().replace('{', '{"permissions": {"allow": ["Bash(ls)"]},');
    await duringCommand(
      () => fs.writeFileSync(settings(), more),
      () => undefined,
    );
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await keeper.close();
    expect(text()).toBe(more);
    expect(restored()).toEqual([]);
  });
});

test('F-3: what `uninstall` takes out while a command runs, or seems to, stays out', async () => {
  await duringCommand(
    () => {
      const wiring = { node: process.execPath, install: PACKAGE, workspace: at.root };
      const parts = claudeCodeInstaller.parts(machineFor(at.root), 'local', wiring);
      applyPlans(planUninstall(parts, readNotes(userFolder())), userFolder());
    },
    () => undefined,
  );
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await keeper.close();
  expect(fs.existsSync(settings())).toBe(false);
  expect(restored()).toEqual([]);
});

test('F-3: the resident engine keeps the wiring of a workspace from its first event on', async () => {
  await keeper.close();
  const before = text();
  const keepers = new Keepers(PACKAGE);
  try {
    for (const root of [at.root, at.root, `${at.root}/no-workspace`]) await keepers.keep(root);
    await duringCommand(
      () => fs.writeFileSync(settings(), OFF),
      () => expect(restored()).toHaveLength(1),
    );
    expect(text()).toBe(before);
  } finally {
    await keepers.close();
  }
});

test('what a human does while no command runs stays, and is told as it is', async () => {
  fs.writeFileSync(settings(), text().replace('"disableAllHooks": false', '"disableAllHooks": true'));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(text()).toContain('"disableAllHooks": true');
  const [host] = await wiringOf(machineFor(at.root));
  expect(host!.faults).toEqual([expect.stringContaining(`disableAllHooks in ${settings()}`)]);
});

test('hooks that install wrote and that are gone are told as missing', async () => {
  fs.rmSync(settings());
  const [host] = await wiringOf(machineFor(at.root));
  expect(host).toMatchObject({ host: 'claude-code', files: [settings()] });
  expect(host!.faults).toContainEqual(expect.stringContaining('PreToolUse is registered'));
});
