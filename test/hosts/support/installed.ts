import fs from 'node:fs';
import path from 'node:path';
import { applyPlans } from '../../../src/hosts/shared/install/apply.ts';
import type { Client } from '../../../src/hosts/shared/install/client.ts';
import {
  type HostInstaller,
  isEverywhere,
  type Machine,
  type Scope,
  type Wiring,
} from '../../../src/hosts/shared/install/installer.ts';
import type { Part } from '../../../src/hosts/shared/install/part.ts';
import { planInstall, planUninstall } from '../../../src/hosts/shared/install/plan.ts';
import { readNotes } from '../../../src/hosts/shared/install/record.ts';
import type { HostVerifier } from '../../../src/hosts/shared/verify/verifier.ts';
import { temporaryFolder } from '../../support/ledger.ts';

/** A machine with a project and a home of its own, on which hosts are installed as the command line does it. */
export class ScratchMachine {
  readonly project: string;
  readonly home: string;
  readonly wiring: Wiring;

  /** `program`: the Node and the folder that an installation names. `root`: a machine that is there already. */
  constructor(
    program: Pick<Wiring, 'node' | 'install'> = { node: '/usr/bin/node', install: '/opt/pactclaw' },
    readonly root = temporaryFolder('machine'),
  ) {
    this.project = `${root}/project`;
    this.home = `${root}/home`;
    this.wiring = { node: program.node, install: program.install, workspace: this.project };
    fs.mkdirSync(this.project, { recursive: true });
    fs.mkdirSync(this.home, { recursive: true });
  }

  machine(env: Record<string, string> = {}): Machine {
    const { project, home } = this;
    const managed = `${this.root}/etc/claude-code`;
    return { project, home, platform: 'linux', env: (name) => env[name], managed };
  }

  install(installer: HostInstaller, scope: Scope): void {
    const machine = this.machine();
    installer.assertInstallable?.(machine, scope);
    applyPlans(planInstall(this.parts(installer, scope), readNotes(this.#notes)), this.#notes);
  }

  /** What an installation writes. */
  parts(installer: HostInstaller, scope: Scope): Part[] {
    const wiring = isEverywhere(scope) ? { ...this.wiring, workspace: null } : this.wiring;
    return installer.parts(this.machine(), scope, wiring);
  }

  uninstall(installer: HostInstaller): void {
    const parts = installer.scopes.flatMap((scope) => installer.parts(this.machine(), scope, this.wiring));
    for (const folder of applyPlans(planUninstall(parts, readNotes(this.#notes)), this.#notes))
      if (fs.existsSync(folder) && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
  }

  /** What `verify` finds wrong in the settings and the client, without starting any hook. */
  async faults(verifier: HostVerifier, client: Client | null = null): Promise<string[]> {
    const machine = this.machine();
    const registered = verifier.registered(machine);
    const facts = { machine, registered, client, asked: undefined, cwd: this.project };
    const checks = [...(await verifier.wiring(facts)), ...(verifier.server?.checks?.(machine) ?? [])];
    return checks.filter(({ status }) => status === 'failed').map(({ title, seen }) => `${title}: ${seen}`);
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

  /** Removes folders without a file in them, but project and home. */
  removeEmptyFolders(): void {
    const folders = fs.readdirSync(this.root, { recursive: true, withFileTypes: true });
    for (const entry of folders.toReversed()) {
      const folder = path.join(entry.parentPath, entry.name);
      const isOwn = folder === this.project || folder === this.home;
      if (entry.isDirectory() && !isOwn && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
    }
  }

  remove(): void {
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}
