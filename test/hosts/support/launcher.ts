import fs from 'node:fs';
import path from 'node:path';
import type { PluginWiring } from '../../../src/hosts/shared/in-process/bridge.ts';
import { temporaryFolder } from '../../support/ledger.ts';

/** A hook program that notes what it is sent, and answers what a test tells it to. */
export class FakeLauncher implements Disposable {
  readonly wiring: PluginWiring;

  /** A folder of its own, or one that an earlier program has left. */
  constructor(readonly folder = temporaryFolder('launcher')) {
    fs.mkdirSync(folder, { recursive: true });
    this.wiring = {
      launcher: path.join(folder, 'pactclaw-hook'),
      node: '/usr/bin/node',
      workspace: '/ws',
      timeoutMs: 20_000,
    };
    this.program('cd "$(dirname "$0")"; cat >> sent; echo >> sent; cat answer; exit $(cat code)');
    this.answer({ verdict: 'none' });
  }

  program(body: string): void {
    fs.writeFileSync(this.wiring.launcher, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  }

  answer(answer: object | string, code = 0): void {
    const text =
      typeof answer === 'string' ? answer : JSON.stringify({ contract: 'pactclaw.hook/1', ...answer });
    fs.writeFileSync(path.join(this.folder, 'answer'), text);
    fs.writeFileSync(path.join(this.folder, 'code'), String(code));
  }

  /** Everything that was sent, in order. */
  get sent(): Record<string, unknown>[] {
    const file = path.join(this.folder, 'sent');
    if (!fs.existsSync(file)) return [];
    return fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  [Symbol.dispose](): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
