import fs from 'node:fs';
import path from 'node:path';
import { applyPlans } from '../../../src/hosts/shared/install/apply.ts';
import type { HostInstaller, Machine, Scope } from '../../../src/hosts/shared/install/installer.ts';
import { planInstall, planUninstall } from '../../../src/hosts/shared/install/plan.ts';
import { readNotes } from '../../../src/hosts/shared/install/record.ts';
import { temporaryFolder } from '../../support/ledger.ts';

/** A machine with a project and a home of its own, on which hosts are installed as the command line does it. */
export class ScratchMachine {
  readonly root = temporaryFolder('machine');
  readonly project = `${this.root}/project`;
  readonly home = `${this.root}/home`;
  readonly wiring = { node: '/usr/bin/node', install: '/opt/pactclaw', workspace: this.project };

  constructor() {
    fs.mkdirSync(this.project);
    fs.mkdirSync(this.home);
  }

  machine(env: Record<string, string> = {}): Machine {
    const { project, home } = this;
    return { project, home, platform: 'linux', env: (name) => env[name] };
  }

  install(installer: HostInstaller, scope: Scope): void {
    const machine = this.machine();
    installer.assertInstallable?.(machine, scope);
    const wiring = scope === 'user' ? { ...this.wiring, workspace: null } : this.wiring;
    applyPlans(planInstall(installer.parts(machine, scope, wiring), readNotes(this.#notes)), this.#notes);
  }

  uninstall(installer: HostInstaller): void {
    const parts = installer.scopes.flatMap((scope) => installer.parts(this.machine(), scope, this.wiring));
    for (const folder of applyPlans(planUninstall(parts, readNotes(this.#notes)), this.#notes))
      if (fs.existsSync(folder) && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
  }

  get #notes(): string {
    return `${this.home}/.pactclaw`;
  }

  put(file: string, text: string): void {
    fs.mkdirSync(path.dirname(`${this.root}/${file}`), { recursive: true });
    fs.writeFileSync(`${this.root}/${file}`, text);
  }

  json(file: string): Record<string, unknown> {
    return JSON.parse(fs.readFileSync(`${this.root}/${file}`, 'utf8')) as Record<string, unknown>;
  }

  /** Every file with its bytes and folder with its name, but PactClaw's own notes. */
  tree(): Record<string, string> {
    const found: Record<string, string> = {};
    for (const entry of fs.readdirSync(this.root, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (file.includes('/.pactclaw')) continue;
      found[path.relative(this.root, file)] = entry.isFile() ? fs.readFileSync(file, 'utf8') : '';
    }
    return found;
  }

  remove(): void {
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}
