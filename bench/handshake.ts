import { handshakeAnswer } from '../src/hooks/attempt/handshake-answer.ts';
import type { Bench } from './lib/context.ts';
import { expectCode, runEmptyNode, runHook } from './lib/install.ts';
import { ledgerOf } from './lib/ledger.ts';
import { Agent } from './lib/payloads.ts';
import { atMost, timingRow } from './lib/rows.ts';
import { interleave } from './lib/timing.ts';
import { expectAllowed, judge } from './lib/workspace.ts';

const LIMIT_MS = 100;
const INTENT = 'INT-001';

/** Select, be answered, be let through; on a ledger of a hundred thousand records with a history to tell. */
export const run: Bench = async (context) => {
  const { workspace, records } = ledgerOf(context, context.quick ? 10_000 : 100_000);
  const { root } = workspace.layout;
  const agent = (kind: string, turn: number) => new Agent(root, `${kind}-${process.pid}-${turn}`);
  const inProcess = async (kind: string, turn: number) => {
    const one = agent(kind, turn);
    expectAllowed(await judge(workspace, one.select('PreToolUse', 'call', INTENT)));
    const answer = await handshakeAnswer(workspace, INTENT);
    expectAllowed(await judge(workspace, one.select('PostToolUse', 'call', INTENT)));
    return answer;
  };
  const first = (await inProcess('first', 0)) as Record<string, unknown>;
  const size = JSON.stringify(first).length;
  const hook = (payload: object) => expectCode(0)(runHook(context.install, root, payload));
  const samples = await interleave(
    {
      whole: { run: (turn) => inProcess('whole', turn) },
      before: {
        run: (turn) => judge(workspace, agent('part', turn).select('PreToolUse', 'call', INTENT)),
        after: expectAllowed,
      },
      answer: { run: () => handshakeAnswer(workspace, INTENT) },
      after: {
        before: async (turn: number) =>
          expectAllowed(await judge(workspace, agent('end', turn).select('PreToolUse', 'call', INTENT))),
        run: (turn: number) => judge(workspace, agent('end', turn).select('PostToolUse', 'call', INTENT)),
        after: expectAllowed,
      },
      hooks: {
        run: async (turn) => {
          const one = agent('hooks', turn);
          hook(one.select('PreToolUse', 'call', INTENT));
          await handshakeAnswer(workspace, INTENT);
          hook(one.select('PostToolUse', 'call', INTENT));
        },
      },
      floor: { run: runEmptyNode },
    },
    { rounds: context.quick ? 3 : 7, times: context.quick ? 10 : 25, warmup: 3 },
  );
  const count = records.toLocaleString('en-US');
  const floor = { name: 'node -e 0', samples: samples.floor };
  return [
    {
      ...timingRow(
        `whole handshake in process, ${count} records`,
        samples.whole,
        'ms',
        undefined,
        atMost('p99', LIMIT_MS),
      ),
      note: `the answer has ${size} characters`,
    },
    timingRow('  select (Pre)', samples.before, 'ms'),
    timingRow('  the answer', samples.answer, 'ms'),
    timingRow('  select (Post)', samples.after, 'ms'),
    timingRow(
      'whole handshake, both hooks fresh processes',
      samples.hooks,
      'ms',
      floor,
      atMost('p99', LIMIT_MS),
    ),
  ];
};
