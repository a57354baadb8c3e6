import fs from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { qwenInstaller } from '../../../src/hosts/qwen/install/installer.ts';
import { qwenVerifier } from '../../../src/hosts/qwen/verify/verifier.ts';
import { ScratchMachine } from '../support/installed.ts';

let scratch: ScratchMachine;
beforeEach(() => {
  scratch = new ScratchMachine();
});
afterEach(() => {
  vi.unstubAllEnvs();
  scratch.remove();
});

/** A client on PATH that tells a version. */
function client(version: string): string {
  fs.writeFileSync(`${scratch.root}/qwen`, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${scratch.root}:${process.env.PATH}`);
  return `${scratch.root}/qwen`;
}

test.each(['0.15.10', '0.24.3'])(
  'Qwen Code %s, which runs calls before a hook answers, is not governed',
  async (version) => {
    const file = client(version);
    await expect(qwenInstaller.warnings?.(scratch.machine(), 'project')).rejects.toThrow(
      'nothing would be governed',
    );
    scratch.install(qwenInstaller, 'project');
    const machine = scratch.machine();
    const checks = await qwenVerifier.wiring({
      machine,
      registered: qwenVerifier.registered(machine),
      client: { file, version },
      asked: undefined,
      cwd: scratch.project,
    });
    const failed = checks.filter(({ status }) => status === 'failed').map(({ title }) => title);
    expect(failed).toContain('the client is 0.24.4 or later');
  },
);

test.each(['0.24.4', '0.25.0', '1.0.0'])('Qwen Code %s is', async (version) => {
  client(version);
  expect(await qwenInstaller.warnings?.(scratch.machine(), 'project')).toEqual([]);
});
