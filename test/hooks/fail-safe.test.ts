import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decide } from '../../src/core/decide.ts';
import type { Layout } from '../../src/core/layout.ts';
import type { Rule } from '../../src/core/ruling.ts';
import { createEngine } from '../../src/hooks/engine.ts';
import { INSTALLED_RULES } from '../../src/hooks/pipeline.ts';
import { verifyLog } from '../../src/ledger/verify.ts';
import { initWorkspace } from '../../src/orchestration/init.ts';
import { openDatabase } from '../../src/platform/sqlite.ts';
import { facts } from '../support/facts.ts';
import { LOGS, removeState } from '../support/ledger.ts';
import { type Agent, registryText, TestWorkspace } from '../support/workspace.ts';

let place: TestWorkspace;
let agent: Agent;
let layout: Layout;
beforeEach(async () => {
  place = new TestWorkspace([{ id: 'INT-001' }, { id: 'INT-002' }]);
  agent = place.agent('s1');
  layout = place.workspace.layout;
  await agent.begin('INT-001');
  await agent.write('src/components/a.ts');
});
afterEach(() => place[Symbol.dispose]());

function registry(change: (text: string) => string): (at: Layout) => void {
  return (at) => writeFileSync(at.intents, change(readFileSync(at.intents, 'utf8')));
}

/** Each way of breaking the state, and what the refusal must say. */
const BREAKS: Readonly<Record<string, readonly [(at: Layout) => void, RegExp]>> = {
  'no sidecar': [
    (at) => renameSync(at.sidecar, `${at.root}/gone`),
    /^Fail-Safe Default: orchestration state missing/,
  ],
  'a file for a sidecar': [
    (at) => {
      renameSync(at.sidecar, `${at.root}/gone`);
      writeFileSync(at.sidecar, '');
    },
    /^Fail-Safe Default: orchestration state missing/,
  ],
  'no registry': [
    (at) => rmSync(at.intents),
    /^Fail-Safe Default: orchestration state missing \(\.orchestration\/active_intents\.yaml\)/,
  ],
  'a folder for a registry': [
    (at) => {
      rmSync(at.intents);
      mkdirSync(at.intents);
    },
    /^Fail-Safe Default: orchestration state unreadable/,
  ],
  'broken YAML': [
    registry((text) => `${text}\n  - [`),
    /^Fail-Safe Default: orchestration state corrupted: .*active_intents\.yaml:\d+\)/,
  ],
  'an empty registry': [
    (at) => truncateSync(at.intents),
    /^Fail-Safe Default: orchestration state corrupted/,
  ],
  'a registry that is not UTF-8': [
    (at) => appendFileSync(at.intents, Buffer.from([0xff, 0xfe])),
    /corrupted: the file is not UTF-8/,
  ],
  'a duplicate id': [
    registry((text) => text.replace('INT-002', 'INT-001')),
    /corrupted: duplicate id INT-001/,
  ],
  'an unknown status': [
    registry((text) => text.replace('IN_PROGRESS', 'DOING')),
    /corrupted: .*status must be one of/,
  ],
  'a wrong type': [
    registry((text) => text.replace("['keep it small']", '7')),
    /corrupted: .*constraints must be a list/,
  ],
  'a zero budget': [
    registry((text) =>
      text.replace('acceptance_criteria: []', 'acceptance_criteria: []\n    budget: { max_turns: 0 }'),
    ),
    /corrupted: .*max_turns must be at least 1/,
  ],
  'no ledger': [(at) => rmSync(at.trace), /^Fail-Safe Default: the ledger is missing/],
  'no receipts': [(at) => rmSync(at.receipts), /^Fail-Safe Default: the receipt log is missing/],
  'a ledger line that is not JSON': [
    (at) => appendFileSync(at.trace, 'hello\n'),
    /^Fail-Safe Default: line is not JSON \(\.orchestration\/agent_trace\.jsonl:2\)/,
  ],
  'a changed receipt': [
    (at) => writeFileSync(at.receipts, readFileSync(at.receipts, 'utf8').replace('"allowed"', '"denied"')),
    /^Fail-Safe Default: line was changed: receipt_hash does not match its content \(\.orchestration\/tool_receipts\.log:1\)/,
  ],
  'a receipt log cut short': [
    (at) => truncateSync(at.receipts, 100),
    /^Fail-Safe Default: \d+ bytes at the end of the log are missing/,
  ],
  'a damaged writer id': [
    (at) => writeFileSync(at.writer, '?'),
    /^Fail-Safe Default: the writer id is damaged/,
  ],
  'a folder for a database': [
    (at) => {
      removeState(at);
      mkdirSync(at.state);
    },
    /^Fail-Safe Default: state\.db cannot be used/,
  ],
  'broken settings': [
    (at) => writeFileSync(at.config, 'limits: { max_turns: many }'),
    /^Fail-Safe Default: settings corrupted/,
  ],
  'settings above the hard limit': [
    (at) => writeFileSync(at.config, 'limits: { max_scope_files: 21 }'),
    /^Fail-Safe Default: settings corrupted/,
  ],
};

describe('broken state (H-100…H-104)', () => {
  test.each(Object.entries(BREAKS))(
    '%s: every tool is refused, until it is restored',
    async (_what, [damage, sentence]) => {
      const kept = `${place.base}/kept`;
      cpSync(layout.sidecar, kept, { recursive: true, preserveTimestamps: true });
      await agent.read('README.md');
      rmSync(kept, { recursive: true });
      cpSync(layout.sidecar, kept, { recursive: true, preserveTimestamps: true });
      damage(layout);

      const { state, context } = await place.engine.standing(agent.id);
      expect(state).toBe('REQUEST');
      expect(context).toMatch(/^Fail-Safe Default: /);
      const answer = await agent.write('src/components/b.ts');
      expect(answer.decision.verdict).toBe('deny');
      expect(answer.decision.refusal?.kind).toBe('fail_safe');
      expect(answer.decision.refusal?.sentence).toMatch(sentence);
      expect(answer.hook).toBe('FailSafeHook');

      const others = [
        await agent.read('README.md'),
        await agent.select('INT-001'),
        await agent.shell('true', () => place.put('x', 'x')),
      ];
      for (const other of others) expect(other.decision.refusal?.kind).toBe('fail_safe');
      expect(place.text('src/components/b.ts')).toBeNull();
      expect(place.text('x')).toBeNull();
      const prompt = await agent.prompt();
      if (prompt.alarm !== null) expect(prompt.alarm).toMatch(/^Fail-Safe Default: /);

      rmSync(layout.sidecar, { recursive: true, force: true });
      cpSync(kept, layout.sidecar, { recursive: true, preserveTimestamps: true });
      const fresh = place.agent('s2');
      expect((await fresh.begin('INT-001')).decision.verdict).toBe('allow');
      expect((await fresh.write('src/components/b.ts')).decision.verdict).toBe('allow');
      for (const log of LOGS) expect(verifyLog(layout[log], log)).toMatchObject({ bad: null, torn: null });
    },
  );

  test('a lost sidecar is made anew by init, and everybody begins at Request (H-103)', async () => {
    rmSync(layout.sidecar, { recursive: true });
    expect((await agent.write('src/components/b.ts')).decision.refusal?.kind).toBe('fail_safe');
    initWorkspace(layout, { userFolder: `${place.base}/home/.pactclaw`, files: ['src/components/a.ts'] });
    writeFileSync(layout.intents, registryText([{ id: 'INT-001' }]));
    expect((await agent.write('src/components/b.ts')).decision.refusal?.sentence).toBe(
      'State Violation: Reasoning Intercept Required',
    );
    expect((await agent.begin('INT-001')).decision.verdict).toBe('allow');
    expect((await agent.write('src/components/b.ts')).decision.verdict).toBe('allow');
  });

  test('a mutation that cannot be recorded raises the alarm, and the next call is refused (H-79)', async () => {
    const call = agent.call({ targets: [{ path: 'src/components/b.ts', role: 'write' }] });
    await agent.pre(call);
    place.put('src/components/b.ts', 'written');
    rmSync(layout.trace);
    mkdirSync(layout.trace);
    const { alarm } = await agent.post(call);
    expect(alarm).toMatch(/^Fail-Safe Default: /);
    expect(alarm).toContain('could not be recorded');
    expect((await agent.read('x')).decision.refusal?.kind).toBe('fail_safe');
  });

  test('a lock that another process holds is a refusal, not a wait without end', async () => {
    const holder = openDatabase(layout.state, { busyMs: 1_000 });
    holder.exec('BEGIN IMMEDIATE');
    const call = agent.call({ targets: [{ path: 'src/components/b.ts', role: 'write' }] });
    const hurried = createEngine({ ...place.workspace, busyMs: 60 });
    const answer = await hurried.preToolUse({ ...agent.origin, call });
    holder.exec('ROLLBACK');
    holder.close();
    expect(answer.decision.refusal?.sentence).toBe(
      'Fail-Safe Default: orchestration state is locked by another process',
    );
    expect(answer.receiptId).toBeNull();
    expect((await agent.write('src/components/b.ts')).decision.verdict).toBe('allow');
  });
});

describe('a rule that throws (H-26)', () => {
  test('refuses the call and names itself', () => {
    const broken: Rule = {
      name: 'broken',
      kind: 'policy',
      judge: () => {
        throw new Error('no bread');
      },
    };
    const decision = decide(facts(), [...INSTALLED_RULES, broken]);
    expect(decision).toMatchObject({ verdict: 'deny', refusedBy: 'broken', refusal: { kind: 'rule_error' } });
  });

  test('facts that a door invented are refused by the engine, not allowed', async () => {
    const answer = await agent.pre({
      ...agent.call({}),
      targets: [{ path: undefined as never, role: 'write' }],
    });
    expect(answer.decision.verdict).not.toBe('allow');
  });
});
