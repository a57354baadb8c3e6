import micromatch from 'micromatch';
import { DEFAULT_POLICY } from '../src/config/policy.ts';
import { compileScope } from '../src/core/breadth.ts';
import { decide } from '../src/core/decide.ts';
import type { Facts } from '../src/core/facts.ts';
import type { Intent } from '../src/core/intent.ts';
import type { ToolCall } from '../src/core/tool-call.ts';
import { HANDSHAKE_TOOL, type Verdict } from '../src/core/words.ts';
import { limitsOf } from '../src/hooks/attempt/gather.ts';
import { INSTALLED_RULES } from '../src/hooks/pipeline.ts';
import type { Bench } from './lib/context.ts';
import { atMost, type Row, timingRow } from './lib/rows.ts';
import { interleave } from './lib/timing.ts';
import { twentyGlobs } from './lib/workspace.ts';

const ROOT = '/work/space';
const GLOBS = twentyGlobs();

function intentOf(): Intent {
  return {
    id: 'INT-001',
    name: 'Work',
    status: 'IN_PROGRESS',
    ownedScope: GLOBS,
    constraints: [],
    acceptanceCriteria: [],
    budget: {},
    line: 1,
    scope: compileScope(GLOBS),
  };
}

function callOf(tool: string, file: string | null): ToolCall {
  return {
    callId: 'call',
    sessionId: 'session',
    tool,
    hostTool: file === null ? 'mcp__pactclaw__select_active_intent' : 'Write',
    kind: file === null ? 'control' : 'write',
    mutating: file !== null,
    declared: true,
    targets: file === null ? [] : [{ path: `${ROOT}/${file}`, role: 'write' }],
    args: file === null ? { intent_id: 'INT-001' } : {},
    identity: 'f'.repeat(64),
    cwd: ROOT,
  };
}

/** Facts as the engine gathers them; a null file stands for the handshake. */
function factsOf(file: string | null): Facts {
  const intent = intentOf();
  const call = callOf(file === null ? HANDSHAKE_TOOL : 'file_write', file);
  const place = { forbiddenBy: null, problem: null, owner: null, protectedAs: null };
  const targets = call.targets.map(({ path, role }) => ({
    ...place,
    asked: path,
    role,
    relative: file,
    absolute: path,
  }));
  return {
    call,
    failSafe: null,
    estop: null,
    session: {
      id: 'session',
      state: file === null ? 'REASONING_INTERCEPT' : 'CONTEXTUALIZED_ACTION',
      intentId: file === null ? null : intent.id,
      pendingId: null,
      repeats: 1,
      haltReason: null,
    },
    intent: file === null ? null : intent,
    selectable: [{ id: intent.id, name: intent.name }],
    handshake: file === null ? { asked: intent.id, intent, scopeFiles: 10 } : null,
    usage: { turns: 1, tokens: 1_000 },
    limits: limitsOf(intent, DEFAULT_POLICY),
    targets,
    scopeFilesAfter: file === null ? null : 11,
    shell: null,
    policy: { allowBackground: false },
  };
}

function deciding(facts: Facts, verdict: Verdict): () => void {
  const first = decide(facts, INSTALLED_RULES);
  if (first.verdict !== verdict) throw new Error(`${first.verdict}: ${JSON.stringify(first.refusal)}`);
  return () => void decide(facts, INSTALLED_RULES);
}

/** The decision alone: facts in hand, every rule asked, an intent of twenty globs whose last one matches. */
export const run: Bench = async ({ quick }) => {
  const inside = 'src/app/part20/new.ts';
  const samples = await interleave(
    {
      allow: { run: deciding(factsOf(inside), 'allow') },
      scope: { run: deciding(factsOf('src/elsewhere/x.ts'), 'deny') },
      handshake: { run: deciding(factsOf(null), 'allow') },
      naive: { run: () => void micromatch.isMatch(inside, GLOBS) },
    },
    { rounds: quick ? 3 : 9, times: quick ? 2_000 : 10_000, warmup: 5_000 },
  );
  const naive = { name: 'micromatch.isMatch', samples: samples.naive };
  const row = (name: string, key: 'allow' | 'scope' | 'handshake'): Row =>
    timingRow(name, samples[key], 'µs', naive, atMost('p99', 50));
  return [
    row('allow (20th glob matches)', 'allow'),
    row('refuse by scope', 'scope'),
    row('handshake', 'handshake'),
    timingRow('micromatch.isMatch of 20 globs', samples.naive, 'µs'),
  ];
};
