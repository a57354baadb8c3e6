import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EVENTS } from '../../../src/hosts/cline/adapter.ts';
import { clineInstaller } from '../../../src/hosts/cline/install/installer.ts';
import { scriptFor } from '../../../src/hosts/cline/install/script.ts';
import { ScratchMachine } from '../support/installed.ts';

let machine: ScratchMachine;
beforeEach(() => {
  machine = new ScratchMachine();
});
afterEach(() => machine.remove());

test('every event has a script that the host can run', () => {
  machine.install(clineInstaller, 'project');
  const folder = `${machine.project}/.clinerules/hooks`;
  expect(fs.readdirSync(folder).toSorted()).toEqual(EVENTS.toSorted());
  for (const event of EVENTS) expect(fs.statSync(`${folder}/${event}`).mode & 0o777).toBe(0o755);
});

test.each([
  ['is missing', null],
  ['says nothing', '#!/bin/sh\n'],
  ['prints garbage', '#!/bin/sh\necho no answer\n'],
  ['prints half an answer', '#!/bin/sh\nprintf \'{"a":\'\n'],
  ['is killed', '#!/bin/sh\nkill -9 $$\n'],
])('the script cancels the run when the launcher %s', (_what, launcher) => {
  const install = `${machine.root}/it's here`;
  if (launcher !== null) {
    machine.put("it's here/bin/pactclaw-hook", launcher);
    fs.chmodSync(`${install}/bin/pactclaw-hook`, 0o755);
  }
  const script = scriptFor('PreToolUse', { node: process.execPath, install, workspace: '/w' });
  const { stdout, status } = spawnSync('/bin/sh', ['-c', script], { input: '{}', encoding: 'utf8' });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ cancel: true });
});

test('the script passes the answer on, and the payload to the launcher', () => {
  machine.put('bin/pactclaw-hook', '#!/bin/sh\nprintf \'{"in":%s,"args":"%s"}\\n\' "$(cat)" "$*"\nexit 2\n');
  fs.chmodSync(`${machine.root}/bin/pactclaw-hook`, 0o755);
  const script = scriptFor('PreToolUse', { node: '/n', install: machine.root, workspace: '/my work' });
  const { stdout } = spawnSync('/bin/sh', ['-c', script], { input: '{"x":1}', encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({
    in: { x: 1 },
    args: '/n cline --workspace /my work --event PreToolUse',
  });
});
