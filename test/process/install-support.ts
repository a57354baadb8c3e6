/** A PactClaw of its own for one test file: other tests may rebuild the repository's `dist/` meanwhile. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const REPO = path.resolve(import.meta.dirname, '../..');

/** Builds a PactClaw into a fresh folder; `without` leaves one named hook out of its pipeline. */
export function buildPactClaw(without?: string): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'pactclaw-built-')));
  fs.cpSync(path.join(REPO, 'bin'), path.join(folder, 'bin'), { recursive: true });
  fs.copyFileSync(path.join(REPO, 'package.json'), path.join(folder, 'package.json'));
  fs.symlinkSync(path.join(REPO, 'node_modules'), path.join(folder, 'node_modules'));
  const cut = without === undefined ? [] : ['--without', without];
  const tsx = path.join(REPO, 'node_modules/.bin/tsx');
  const args = [path.join(REPO, 'src/scripts/build.ts'), '--out', path.join(folder, 'dist'), ...cut];
  execFileSync(tsx, args, { cwd: REPO, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
}

/** A person's machine: a home, and a project that PactClaw governs. */
export class Machine {
  readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'pactclaw-machine-')));
  readonly home = path.join(this.root, 'home');
  readonly project = path.join(this.root, 'project');

  constructor(readonly pactclaw: string) {
    fs.mkdirSync(this.home);
    fs.mkdirSync(this.project);
    fs.mkdirSync(this.file('bin'));
    // What `npm install --global` leaves: links in a folder of PATH.
    for (const name of ['pactclaw', 'pactclaw-hook'])
      fs.symlinkSync(path.join(this.pactclaw, 'bin', name), this.file('bin', name));
    fs.symlinkSync(process.execPath, this.file('bin', 'node'));
    if (this.run('init').code !== 0) throw new Error('init failed');
  }

  /** Runs `pactclaw` in the project with nothing of this machine's own but PATH. */
  run(...args: string[]): { code: number | null; stdout: string; stderr: string } {
    return this.runWith({}, ...args);
  }

  runWith(env: Record<string, string>, ...args: string[]) {
    const ended = spawnSync(process.execPath, [path.join(this.pactclaw, 'bin/pactclaw'), ...args], {
      cwd: this.project,
      env: {
        PATH: `${path.join(this.root, 'bin')}:/usr/bin:/bin`,
        HOME: this.home,
        PACTCLAW_SERVE: 'off',
        ...env,
      },
      encoding: 'utf8',
    });
    return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
  }

  file(...parts: string[]): string {
    return path.join(this.root, ...parts);
  }

  read(...parts: string[]): string | null {
    const file = this.file(...parts);
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
  }

  write(text: string, ...parts: string[]): void {
    fs.mkdirSync(path.dirname(this.file(...parts)), { recursive: true });
    fs.writeFileSync(this.file(...parts), text);
  }

  /** Edits the installed settings as a careless hand would. */
  alter(edit: (text: string) => string, ...parts: string[]): void {
    const before = this.read(...parts) ?? '';
    const after = edit(before);
    if (after === before) throw new Error('the edit changed nothing');
    this.write(after, ...parts);
  }

  /** Puts a client on PATH that only tells its version. */
  addClient(version: string): void {
    this.write(`#!/bin/sh\necho '${version} (Claude Code)'\n`, 'bin', 'claude');
    fs.chmodSync(this.file('bin', 'claude'), 0o755);
  }

  remove(): void {
    fs.rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}
