/** Tries one host's real client with every fault of every program of ours that it depends on. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ModelScript, RecordedRequest, Step } from '../../../fixtures/model/scripted-model.ts';
import { BreakablePackage, FAULTS, type Fault, LEVELS, type Level, shortenTimeouts } from './faults.ts';
import { GovernedProject } from './governed.ts';
import type { HostUnderTest } from './hosts.ts';
import type { ClientResult } from './run-client.ts';

/** What came of a call; `did not start`: the client asked its model nothing. */
export type Outcome = 'refused' | 'ran' | 'run ended' | 'did not start';
export type Trial = `${Level} ${Fault}`;
export type Outcomes = ReadonlyMap<Trial, Outcome>;

/** Written last, by hooks that work again: were it refused too, the refusals before it would prove nothing. */
const CONTROL = 'src/components/control.ts';
const POLICY = /State Violation|Governance Violation|Session Halted|Budget Exhausted/;

/** Time for a client that waits for a plugin which never ends loading. */
const HANG_MS = 30_000;

/** The programs that a host depends on. */
export function levelsOf({ plugin }: HostUnderTest): Level[] {
  return LEVELS.filter((level) => level !== 'plugin' || plugin !== undefined);
}

/** Every trial of one program. */
export function trialsOf(level: Level): { trial: Trial; level: Level; fault: Fault }[] {
  return FAULTS.map((fault) => ({ trial: `${level} ${fault}`, level, fault }));
}

const fileOf = (trial: Trial) => `src/components/${trial.replaceAll(' ', '-')}.ts`;

function outcomeOf(project: GovernedProject, trial: Trial, answered: boolean): Outcome {
  if (project.has(fileOf(trial))) return 'ran';
  return answered ? 'refused' : 'run ended';
}

function describeRun({ stdout, stderr, results }: ClientResult): string {
  return `the client said:\n${stdout}${stderr}\nits model saw:\n${results.join('\n')}`;
}

class Trials {
  readonly outcomes = new Map<Trial, Outcome>();
  readonly #broken: BreakablePackage;
  readonly #project: GovernedProject;

  constructor(readonly host: HostUnderTest) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pactclaw-breakable-'));
    this.#broken = new BreakablePackage(folder, host.plugin);
    this.#project = new GovernedProject({ host: host.host, program: folder });
    if (shortenTimeouts(this.#project.installed) === 0 && host.untried?.['launcher timed out'] === undefined)
      throw new Error(`${host.host} has no timeout that this knows`);
  }

  remove(): void {
    this.#project.remove();
    fs.rmSync(this.#broken.folder, { recursive: true });
  }

  #write(file: string): Step {
    return { calls: [{ role: 'write', path: this.#project.path(file), content: 'export {};\n' }] };
  }

  #run(model: ModelScript, timeoutMs = 90_000): Promise<ClientResult> {
    return this.#project.run(model, { timeoutMs, args: [...(this.host.changedHooks ?? [])] });
  }

  /**
   * Breaks the hooks of a session that was governed until then: as many trials in one run of the client as it goes
   * through. One that ends its run at a trial has had that trial; the next run begins with the one after it.
   */
  async hooks(levels: readonly Level[]): Promise<void> {
    let left = levels.flatMap(trialsOf).filter(({ trial }) => this.host.untried?.[trial] === undefined);
    while (left.length > 0) {
      const trials = left;
      let begun = 0;
      this.#broken.mend();
      const main: ModelScript['main'] = ({ turn }) => {
        if (turn === 0)
          return { calls: [{ role: 'handshake', intentId: 'INT-001', reasoning: 'Its work.' }] };
        if (turn > trials.length + 1) return { text: 'All done.' };
        const now = trials[turn - 1];
        if (now === undefined) {
          this.#broken.mend();
          return this.#write(CONTROL);
        }
        begun = turn;
        this.#broken.break(now.level, now.fault);
        return this.#write(fileOf(now.trial));
      };
      const run = await this.#run({ main });
      const { results } = run;
      if (begun === 0 || !results[0]?.includes('owned_scope'))
        throw new Error(`no handshake; ${describeRun(run)}`);
      if (results.length > trials.length + 1 && !this.#project.has(CONTROL))
        throw new Error(`working hooks refuse too; ${describeRun(run)}`);
      if (results.some((text) => POLICY.test(text)))
        throw new Error(`refused by a rule; ${describeRun(run)}`);
      for (const [at, { trial }] of trials.slice(0, begun).entries())
        this.outcomes.set(trial, outcomeOf(this.#project, trial, results.length > at + 1));
      left = trials.slice(begun);
    }
  }

  /**
   * Breaks what the client loads into itself when it starts, so that each trial is a run of its own. A client that then
   * offers its model no tools meets one that knows the tool's name by heart.
   */
  async plugin(): Promise<void> {
    for (const { trial, level, fault } of trialsOf('plugin')) {
      this.#broken.break(level, fault);
      const file = this.#project.path(fileOf(trial));
      const write: Step = {
        calls: [{ name: 'write', input: { path: file, filePath: file, content: 'export {};\n' } }],
      };
      const say = ({ results }: RecordedRequest): Step =>
        results.length === 0 ? write : { text: 'All done.' };
      const run = await this.#run({ main: say, side: say }, fault === 'timed out' ? HANG_MS : undefined);
      const answered = run.requests.some(({ results }) => results.length > 0);
      const outcome = outcomeOf(this.#project, trial, answered);
      this.outcomes.set(trial, run.requests.length === 0 ? 'did not start' : outcome);
    }
  }
}

/** What the client did in each trial. */
export async function tryHost(host: HostUnderTest): Promise<Outcomes> {
  const trials = new Trials(host);
  try {
    await trials.hooks(['launcher', 'engine']);
    if (host.plugin !== undefined) await trials.plugin();
    return trials.outcomes;
  } finally {
    trials.remove();
  }
}
