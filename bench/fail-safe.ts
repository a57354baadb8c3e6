import type { Workspace } from '../src/hooks/workspace.ts';
import { BREAKAGES, flipLastRecord } from './lib/breakages.ts';
import type { Bench } from './lib/context.ts';
import { expectCode, runHook } from './lib/install.ts';
import { ledgerOf, longest } from './lib/ledger.ts';
import { Agent, contentOf } from './lib/payloads.ts';
import { atMost, type Row, timingRow } from './lib/rows.ts';
import { interleave } from './lib/timing.ts';
import { expectRefused, judge } from './lib/workspace.ts';

const LIMIT_MS = 100;
const SAYS = 'Fail-Safe';

function attempt(workspace: Workspace, turn: number | string): object {
  const agent = new Agent(workspace.layout.root, `broken-${process.pid}`);
  return agent.write('PreToolUse', `call-${turn}`, 'src/app/part01/a.ts', contentOf(turn));
}

/** Breaks, refuses, mends; the clock runs from the moment at which the state is broken. */
async function timeBreakage(
  workspace: Workspace,
  install: string,
  breakIt: (workspace: Workspace) => () => void,
  plan: { rounds: number; times: number; warmup: number },
) {
  let mend = (): void => undefined;
  const before = (): void => {
    mend = breakIt(workspace);
  };
  const mended =
    (check: (result: unknown) => void) =>
    (result: unknown): void => {
      mend();
      check(result);
    };
  return interleave(
    {
      inProcess: {
        before,
        run: (turn: number) => judge(workspace, attempt(workspace, turn)),
        after: mended(expectRefused(SAYS)),
      },
      process: {
        before,
        run: (turn: number) => runHook(install, workspace.layout.root, attempt(workspace, `p${turn}`)),
        after: mended(expectCode(2, SAYS)),
      },
    },
    plan,
  );
}

/** How long an agent could go on after its governance broke: until the next call is refused. */
export const run: Bench = async (context) => {
  const rows: Row[] = [];
  const short = ledgerOf(context, 10).workspace;
  const plan = { rounds: context.quick ? 3 : 5, times: context.quick ? 5 : 10, warmup: 1 };
  for (const { name, breakIt } of BREAKAGES) {
    context.say(name);
    const samples = await timeBreakage(short, context.install, breakIt, plan);
    rows.push(
      timingRow(`${name}, in process`, samples.inProcess, 'ms', undefined, atMost('p99', LIMIT_MS)),
      timingRow(`${name}, fresh process`, samples.process, 'ms', undefined, atMost('p99', LIMIT_MS)),
    );
  }
  for (const records of new Set([10_000, longest(context)])) {
    const { workspace } = ledgerOf(context, records);
    context.say(`a byte changed after ${records} records`);
    const few = { rounds: 1, times: records > 100_000 ? 1 : 5, warmup: 0 };
    const samples = await timeBreakage(
      workspace,
      context.install,
      (one) => flipLastRecord(one.layout.trace),
      few,
    );
    const name = `byte changed after ${records.toLocaleString('en-US')} records`;
    rows.push(
      timingRow(`${name}, in process`, samples.inProcess, 'ms', undefined, atMost('p99', LIMIT_MS)),
      timingRow(`${name}, fresh process`, samples.process, 'ms', undefined, atMost('p99', LIMIT_MS)),
    );
  }
  return rows;
};
