/**
 * What each host does when a hook of ours breaks: its real client, a session that is governed until then, and a call
 * that a working hook would have let pass. The outcome is the table in docs/hosts.md; `npm run docs:failures` writes it.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelScript } from '../../fixtures/model/scripted-model.ts';
import { PINS } from './support/clients/pins.ts';
import {
  BreakablePackage,
  FAULTS,
  type Fault,
  LEVELS,
  type Level,
  shortenTimeouts,
} from './support/faults.ts';
import { GovernedProject } from './support/governed.ts';
import { HOSTS, type HostUnderTest } from './support/hosts.ts';

/** What came of the call. */
type Outcome = 'refused' | 'ran' | 'run ended';
type Outcomes = Record<Level, Record<Fault, Outcome>>;

interface Trial {
  readonly level: Level;
  readonly fault: Fault;
}

const TRIALS: readonly Trial[] = LEVELS.flatMap((level) => FAULTS.map((fault) => ({ level, fault })));
const fileOf = ({ level, fault }: Trial) => `src/components/${level}-${fault.replace(' ', '-')}.ts`;
/** Written last, by hooks that work again: were it refused too, the refusals before it would prove nothing. */
const CONTROL = 'src/components/control.ts';
const POLICY = /State Violation|Governance Violation|Session Halted|Budget Exhausted/;

/**
 * Tries one host: as many trials in one run of the client as it goes through. One that ends its run at a trial has had
 * that trial; the next run begins with the one after it.
 */
async function tryHost(
  host: HostUnderTest,
  project: GovernedProject,
  broken: BreakablePackage,
): Promise<Outcomes> {
  const outcomes: Outcomes = { launcher: {} as Outcomes['launcher'], engine: {} as Outcomes['engine'] };
  let left = TRIALS;
  while (left.length > 0) {
    const trials = left;
    let begun = 0;
    const main: ModelScript['main'] = (request) => {
      if (request.turn === 0)
        return { calls: [{ role: 'handshake', intentId: 'INT-001', reasoning: 'This is about it.' }] };
      if (request.turn > trials.length + 1) return { text: 'All done.' };
      const trial = trials[request.turn - 1];
      if (trial) {
        broken.break(trial.level, trial.fault);
        begun = request.turn;
      } else broken.mend();
      const file = trial ? fileOf(trial) : CONTROL;
      return { calls: [{ role: 'write', path: project.path(file), content: 'export {};\n' }] };
    };
    broken.mend();
    const run = await project.run({ main }, { timeoutMs: 90_000, args: [...(host.changedHooks ?? [])] });
    const said = () =>
      `${host.host} said:\n${run.stdout}${run.stderr}\nits model saw:\n${run.results.join('\n')}`;
    if (begun === 0 || !run.results[0]?.includes('owned_scope')) throw new Error(`no handshake; ${said()}`);
    if (run.results.length > trials.length + 1 && !project.has(CONTROL))
      throw new Error(`working hooks refuse too; ${said()}`);
    if (run.results.some((text) => POLICY.test(text))) throw new Error(`refused by a rule; ${said()}`);
    for (const [at, trial] of trials.slice(0, begun).entries()) {
      const answered = run.results.length > at + 1;
      const landed = project.has(fileOf(trial));
      outcomes[trial.level][trial.fault] = landed ? 'ran' : answered ? 'refused' : 'run ended';
    }
    left = trials.slice(begun);
  }
  return outcomes;
}

const DOCS = path.resolve(import.meta.dirname, '../../docs/hosts.md');
const MARKS = ['<!-- failures: written by the end-to-end suite -->', '<!-- /failures -->'] as const;

function table(all: ReadonlyMap<string, Outcomes>): string {
  const rows = HOSTS.flatMap(({ host, title, explained = {} }) =>
    LEVELS.map((level) => {
      const cells = FAULTS.map((fault) => {
        const outcome = all.get(host)![level][fault];
        const why = outcome === 'ran' ? explained[`${level} ${fault}`] : undefined;
        return why === undefined ? outcome : `**${outcome}**: ${why}`;
      });
      return `| ${level === 'launcher' ? `${title} ${PINS[host].version}` : ''} | ${level} | ${cells.join(' | ')} |`;
    }),
  );
  const head = `| Client | What breaks | ${FAULTS.join(' | ')} |\n|---|---|${FAULTS.map(() => '---|').join('')}`;
  return [MARKS[0], head, ...rows, MARKS[1]].join('\n');
}

const all = new Map<string, Outcomes>();
const projects: GovernedProject[] = [];

/** Two clients at a time: each of them waits more than it works. */
beforeAll(async () => {
  const waiting = [...HOSTS];
  await Promise.all(
    [1, 2].map(async () => {
      for (let host = waiting.shift(); host !== undefined; host = waiting.shift()) {
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pactclaw-breakable-'));
        const broken = new BreakablePackage(folder);
        const project = new GovernedProject({ host: host.host, program: folder });
        projects.push(project);
        expect(shortenTimeouts(project.installed), `timeouts of ${host.host}`).toBeGreaterThan(0);
        all.set(host.host, await tryHost(host, project, broken));
        fs.rmSync(folder, { recursive: true });
      }
    }),
  );
}, 400_000);
afterAll(() => {
  for (const project of projects) project.remove();
});

describe.each(HOSTS.map((one) => [one.title, one] as const))('%s', (_, { host, explained = {} }) => {
  it.each(TRIALS.map(({ level, fault }) => [level, fault] as const))(
    '%s %s: the call does not run, or it is said why',
    (level, fault) => {
      const ran = all.get(host)![level][fault] === 'ran';
      expect(ran).toBe(explained[`${level} ${fault}`] !== undefined);
    },
  );
});

it('docs/hosts.md shows what was seen: npm run docs:failures', () => {
  const text = fs.readFileSync(DOCS, 'utf8');
  const [begin, end] = MARKS.map((mark) => text.indexOf(mark)) as [number, number];
  expect(begin).toBeGreaterThan(0);
  const shown = text.slice(begin, end + MARKS[1].length);
  const seen = table(all);
  if (process.env.PACTCLAW_WRITE_DOCS === '1') fs.writeFileSync(DOCS, text.replace(shown, seen));
  else expect(shown).toBe(seen);
});
