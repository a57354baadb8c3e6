import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { GovernedProject } from '../../e2e/support/governed.ts';
import { FakeHost, type HookAnswer } from './host.ts';

const REGISTRY = '.orchestration/active_intents.yaml';
/** Files of the state that only a human changes; the rest of it changes with every event. */
const GOVERNING = ['active_intents.yaml', 'config.yaml', 'constitution.md', 'soul.md', 'writer'];

/** A Python program as an agent would hide it in a command; `o` and `p` are names that no reader can know. */
export function python(body: string): string {
  return `python3 - <<'E'\nimport os,shutil,subprocess,sys,json,time\no='.orch'+'estration'\np='pact'+'claw'\n${body}\nE`;
}

/** A governed project with an agent at work in it, and what must hold after each of its attacks. */
export class Siege {
  project!: GovernedProject;
  host!: FakeHost;
  #state: 'none' | 'at work' | 'blocked' | 'spent' = 'none';

  /** Makes the project ready: as it is after a refusal, unblocked by the human after an undone attack, else anew. */
  ready(): this {
    if (this.#state === 'at work') return this;
    if (this.#state === 'blocked') {
      this.project.edit(/BLOCKED.*(\n.*blocked_reason:.*)?/, 'IN_PROGRESS');
      fs.rmSync(this.project.path('src/components'), { recursive: true, force: true });
      this.project.put('src/components/button.ts', 'export const button = 1;\n');
      this.host.fire('UserPromptSubmit', { prompt: 'go on' });
    } else {
      this.remove();
      this.project = new GovernedProject();
      this.host = new FakeHost(this.project);
    }
    this.host.select();
    this.#state = 'at work';
    return this;
  }

  remove(): void {
    this.project?.remove();
  }

  /** The next attack gets a project of its own. */
  spend(): void {
    this.#state = 'spent';
  }

  /** Everything an agent of INT-001 may not change, with what it holds. The engine's own word is left out. */
  outside(): Record<string, string> {
    const found: Record<string, string> = {};
    const look = (folder: string, name: string): void => {
      const file = path.join(folder, name);
      const shown = path.relative(this.project.folder, file);
      if (shown === 'project/src/components' || shown === 'project/.git') return;
      if (shown.startsWith('project/.orchestration/') && !GOVERNING.includes(name)) return;
      const stat = fs.lstatSync(file);
      if (stat.isDirectory()) for (const one of fs.readdirSync(file, 'latin1')) look(file, one);
      else if (stat.isSymbolicLink()) found[shown] = `-> ${fs.readlinkSync(file)}`;
      else if (stat.isFile()) found[shown] = `${stat.mode & 0o111} ${this.#digest(file, name)}`;
      else found[shown] = 'special';
    };
    look(this.project.folder, 'project');
    look(this.project.folder, 'home');
    for (const name of fs.readdirSync(this.project.path('.git/hooks')))
      found[`hook ${name}`] = this.#digest(this.project.path(`.git/hooks/${name}`), name);
    return found;
  }

  #digest(file: string, name: string): string {
    const text = fs.readFileSync(file, 'latin1');
    const plain =
      name === 'active_intents.yaml'
        ? text.replace('status: BLOCKED', 'status: IN_PROGRESS').replace(/\n.*blocked_reason:.*/, '')
        : text;
    return createHash('sha256').update(plain, 'latin1').digest('hex');
  }

  get registry(): string {
    return this.project.text(REGISTRY);
  }

  /** One command of the agent, which must be refused, or undone with its intent blocked; nothing outside changes. */
  withstands(command: string): { before: HookAnswer; after: HookAnswer | null } {
    return this.holds(() => this.host.bash(command));
  }

  /** The same for any call. */
  holds(attack: () => { before: HookAnswer; after: HookAnswer | null }): ReturnType<FakeHost['call']> {
    this.ready();
    const [before, violations] = [this.outside(), this.project.violations().length];
    const done = attack();
    if (!done.before.denied) this.spend();
    expect(this.outside()).toEqual(before);
    expect(this.project.violations().length).toBeGreaterThan(violations);
    if (done.before.denied) return done;
    this.expectBlocked(done.after);
    this.#state = 'blocked';
    return done;
  }

  /** The intent was blocked, the agent was told, and its next call is refused. */
  expectBlocked(after: HookAnswer | null): void {
    this.spend();
    expect(after?.text).toMatch(/^Governance Violation|^Fail-Safe/);
    expect(this.registry).toMatch(/INT-001[^-]*status: BLOCKED/);
    expect(this.host.write('src/components/next.ts', 'x').before.denied).toBe(true);
  }
}
