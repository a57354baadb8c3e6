import fs from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installerNamed, verifierNamed } from '../support/all-hosts.ts';
import { ScratchMachine } from '../support/installed.ts';

const qwenInstaller = installerNamed('qwen');
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
    const faults = await scratch.faults(verifierNamed('qwen'), { file, version });
    expect(faults.join()).toContain('the client is 0.24.4 or later');
  },
);

test.each(['0.24.4', '0.25.0', '1.0.0'])('Qwen Code %s is', async (version) => {
  client(version);
  expect(await qwenInstaller.warnings?.(scratch.machine(), 'project')).toEqual([]);
});
