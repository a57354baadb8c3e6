import fs from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { piInstaller as installer } from '../../../src/hosts/pi/installer.ts';
import { piVerifier as verifier } from '../../../src/hosts/pi/verifier.ts';
import { ScratchMachine } from '../support/installed.ts';

let at: ScratchMachine;
beforeEach(() => {
  at = new ScratchMachine();
});
afterEach(() => fs.rmSync(at.root, { recursive: true, force: true }));

const FILE = '.pi/extensions/pactclaw.js';

test('a project gets one file, and is freed of it', () => {
  const before = at.tree();
  at.install(installer, 'project');
  const text = at.tree()[`project/${FILE}`];
  expect(text).toContain('import pactclaw from "/opt/pactclaw/dist/pi-extension.mjs";');
  expect(verifier.registered(at.machine()).map(({ event, workspace }) => [event, workspace])).toEqual([
    ['input', at.project],
    ['tool_call', at.project],
    ['tool_result', at.project],
    ['session_before_compact', at.project],
    ['agent_end', at.project],
  ]);
  at.uninstall(installer);
  expect(at.tree()).toEqual(before);
});

test('a user gets it for every project', () => {
  at.install(installer, 'user');
  expect(verifier.registered(at.machine())[0]).toMatchObject({ workspace: null, event: 'input' });
  expect(installer.parts(at.machine({ PI_CODING_AGENT_DIR: '/p' }), 'user', at.wiring)[0]?.file).toBe(
    '/p/extensions/pactclaw.js',
  );
});

test('somebody else’s file stays: it is neither overwritten nor taken for ours', () => {
  at.put(`project/${FILE}`, 'export default () => {};\n');
  expect(() => at.install(installer, 'project')).toThrow('a file of somebody else stands');
  expect(verifier.registered(at.machine())).toEqual([]);
  at.uninstall(installer);
  expect(at.tree()[`project/${FILE}`]).toBe('export default () => {};\n');
});

test('a file that says something else than it was written with is no registration', () => {
  at.install(installer, 'project');
  const file = `${at.project}/${FILE}`;
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('pactclaw(host,', 'void (host,'));
  expect(verifier.registered(at.machine())).toEqual([]);
});
