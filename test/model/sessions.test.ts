import { appendFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ToolCall } from '../../src/core/tool-call.ts';
import { HANDSHAKE_TOOL, type ViolationKind } from '../../src/core/words.ts';
import type { EventOrigin, PreToolAnswer } from '../../src/hooks/requests.ts';
import { readTranscript } from '../../src/hosts/claude-code/transcript.ts';
import { verifyLog } from '../../src/ledger/verify.ts';
import { LOGS, openStore, removeState } from '../support/ledger.ts';
import { Agent, TestWorkspace } from '../support/workspace.ts';

/** Runs with a new seed each time; more of them outside the unit suite. */
const RUNS = Number(process.env.PACTCLAW_TEST_MODEL_RUNS ?? 5);

const SESSIONS = ['s1', 's2'];
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  A: ['src/a/**'],
  B: ['src/a/**', 'src/b/**'],
  C: ['src/c/**'],
};
const INTENTS = Object.keys(SCOPES);
const MAX_TURNS = 4;
const FILES = ['src/a/x', 'src/a/y', 'src/b/x', 'src/c/x', 'src/secret'];

interface ModelSession {
  state: 'REQUEST' | 'REASONING_INTERCEPT' | 'CONTEXTUALIZED_ACTION' | 'HALTED';
  intent: string | null;
  haltIntent: string | null;
  identity: string;
  repeats: number;
  /** The row of identical handshakes, which only another kind of call ends. */
  handshakes: { asked: string; repeats: number };
  /** The intent that was chosen last since a human spoke. */
  chosen: string;
  /** The intent that the agent has left by a move of its own, within the request. */
  acting: string | null;
  /** The request's free handshake was had. */
  spentFree: boolean;
  /** The engine knows how far the transcript was read. */
  marked: boolean;
}

const newSession = (): ModelSession => ({
  state: 'REQUEST',
  intent: null,
  haltIntent: null,
  identity: '',
  repeats: 0,
  handshakes: { asked: '', repeats: 0 },
  chosen: '',
  acting: null,
  spentFree: false,
  marked: false,
});

/** How often each answer was expected: a model that never gets anywhere proves nothing. */
const answers = new Map<string, number>();

interface Refused {
  readonly kind: ViolationKind | null;
  readonly halt: boolean;
}

/** What the protocol says, in as few words as it takes: no files, no logs, no rules list. */
class Model {
  sessions: Record<string, ModelSession> = Object.fromEntries(SESSIONS.map((id) => [id, newSession()]));
  status: Record<string, string> = { A: 'IN_PROGRESS', B: 'IN_PROGRESS', C: 'PENDING' };
  tripped = new Set<string>();
  turns: Record<string, number> = { A: 0, B: 0, C: 0 };
  files: Record<string, string> = {};
  owner: Record<string, string> = {};

  isOpen(id: string | null): boolean {
    return id !== null && (this.status[id] === 'PENDING' || this.status[id] === 'IN_PROGRESS');
  }

  /** A human set a tripped intent back: a new window. Closing it is none. */
  noticeResets(): void {
    for (const id of this.tripped)
      if (this.isOpen(id)) {
        this.tripped.delete(id);
        this.turns[id] = 0;
      }
  }

  private block(id: string): void {
    this.status[id] = 'BLOCKED';
    this.tripped.add(id);
  }

  /** Judges a call and does what the refusal does to the session. */
  judge(id: string, identity: string, select: string | null, file: string | null): Refused {
    this.noticeResets();
    const session = this.sessions[id] as ModelSession;
    const loops = this.repeats(session, identity, select) > 3;
    const counts = this.countsFor(session, select);
    const kind = this.kindOf(session, loops, select, file);
    if (counts !== null) this.turns[counts] = (this.turns[counts] ?? 0) + 1;
    session.marked = true;
    answers.set(String(kind), (answers.get(String(kind)) ?? 0) + 1);
    const halted = session.state === 'HALTED';
    const { intent } = session;
    if (kind === null && !loops && select !== null && session.chosen !== select)
      Object.assign(session, { chosen: select, identity: '', repeats: 0 });
    if (intent !== null && (loops || kind === 'intent_status' || kind === 'handshake' || kind === 'budget'))
      session.acting = intent;
    if (kind === 'intent_status' || kind === 'handshake' || kind === 'budget') {
      session.state = 'REASONING_INTERCEPT';
      session.intent = null;
    }
    if (kind === 'budget') this.block(intent as string);
    if (loops && !halted) {
      if (this.isOpen(intent)) this.block(intent as string);
      Object.assign(session, { state: 'HALTED', intent: null, haltIntent: intent });
    }
    return { kind, halt: halted || loops };
  }

  private repeats(session: ModelSession, identity: string, select: string | null): number {
    if (select !== null) {
      const { asked, repeats } = session.handshakes;
      session.handshakes = { asked: select, repeats: asked === select ? repeats + 1 : 1 };
      return session.handshakes.repeats;
    }
    session.handshakes = { asked: '', repeats: 0 };
    session.repeats = session.identity === identity ? session.repeats + 1 : 1;
    session.identity = identity;
    return session.repeats;
  }

  /** The intent that the response which makes this call is a turn of; each call comes in a response of its own. */
  private countsFor(session: ModelSession, select: string | null): string | null {
    const acting = session.intent ?? session.acting;
    if (select === null) return acting;
    if (!session.spentFree) {
      session.spentFree = true;
      return null;
    }
    return acting ?? (session.marked ? select : null);
  }

  private kindOf(
    session: ModelSession,
    loops: boolean,
    select: string | null,
    file: string | null,
  ): ViolationKind | null {
    if (session.state === 'HALTED') return 'state';
    if (select !== null) {
      if (!this.isOpen(select)) return 'handshake';
      return loops ? 'loop' : null;
    }
    const { intent } = session;
    if (session.state !== 'CONTEXTUALIZED_ACTION' || intent === null) return 'state';
    if (!this.isOpen(intent)) return 'intent_status';
    if ((this.turns[intent] ?? 0) + 1 > MAX_TURNS) return 'budget';
    if (loops) return 'loop';
    if (file === null) return null;
    if (!SCOPES[intent]?.some((glob) => file.startsWith(glob.slice(0, -2)))) return 'scope';
    const owner = this.owner[file];
    const held =
      owner !== undefined && (this.status[owner] === 'IN_PROGRESS' || this.status[owner] === 'BLOCKED');
    return held && owner !== intent ? 'ownership' : null;
  }
}

/** An agent whose host writes a transcript in Claude Code's form: each call comes in a response of its own. */
class Recorded extends Agent {
  readonly #file: string;
  #responses = 0;

  constructor(at: TestWorkspace, id: string) {
    super(at, id);
    this.#file = `${at.base}/${id}.jsonl`;
    writeFileSync(this.#file, '');
  }

  override get origin(): EventOrigin {
    return { ...super.origin, transcript: { files: [this.#file], read: readTranscript } };
  }

  respond(calls: readonly ToolCall[]): void {
    this.#responses += 1;
    const content = calls.map(({ callId, tool }) => ({
      type: 'tool_use',
      id: callId,
      name: tool === HANDSHAKE_TOOL ? `mcp__pactclaw__${tool}` : tool,
    }));
    const message = { id: `m${this.#responses}`, usage: {}, content };
    appendFileSync(this.#file, `${JSON.stringify({ type: 'assistant', message })}\n`);
  }

  override pre(call: ToolCall): Promise<PreToolAnswer> {
    this.respond([call]);
    return super.pre(call);
  }
}

interface Real {
  readonly place: TestWorkspace;
  readonly agents: Readonly<Record<string, Agent>>;
}

type Command = fc.AsyncCommand<Model, Real>;

function command(
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
  check = (_: Model) => true,
): Command {
  return {
    check,
    run: async (model, real) => {
      await run(model, real);
      compare(model, real);
    },
    toString: () => name,
  };
}

/** The engine's state, read from disk, against the model's. */
function compare(model: Model, { place }: Real): void {
  using store = openStore(place.workspace.layout);
  for (const id of SESSIONS) {
    const { state, intentId } = store.session(id);
    expect({ id, state, intentId }).toEqual({
      id,
      state: model.sessions[id]?.state,
      intentId: model.sessions[id]?.intent,
    });
  }
  for (const id of INTENTS) {
    expect(`${id} ${place.statusOf(id)}`).toBe(`${id} ${model.status[id]}`);
    expect(`${id} ${store.usage(id).turns}`).toBe(`${id} ${model.turns[id]}`);
  }
  for (const file of FILES) {
    expect(`${file} ${place.text(file)}`).toBe(`${file} ${model.files[file] ?? null}`);
    expect(`${file} ${store.owner(file)?.intentId}`).toBe(`${file} ${model.owner[file]}`);
  }
}

const prompt = (id: string, byHuman: boolean) =>
  command(`${byHuman ? 'human' : 'host'} asks ${id}`, async (model, { agents }) => {
    model.noticeResets();
    const session = model.sessions[id] as ModelSession;
    Object.assign(session, { acting: null, spentFree: false, marked: true });
    const released =
      byHuman && (session.haltIntent === null || model.status[session.haltIntent] !== 'BLOCKED');
    if (session.state !== 'HALTED' || released)
      Object.assign(session, { state: 'REASONING_INTERCEPT', intent: null, haltIntent: null });
    if (byHuman)
      Object.assign(session, {
        identity: '',
        repeats: 0,
        handshakes: { asked: '', repeats: 0 },
        chosen: '',
      });
    await agents[id]?.prompt(byHuman);
  });

const start = (id: string) =>
  command(`${id} starts`, async (model, { place, agents }) => {
    model.noticeResets();
    const session = model.sessions[id] as ModelSession;
    Object.assign(session, { acting: null, spentFree: false });
    if (session.state !== 'HALTED') Object.assign(session, { state: 'REQUEST', intent: null });
    await place.engine.sessionStart((agents[id] as Agent).origin);
  });

const select = (id: string, intent: string) =>
  command(`${id} selects ${intent}`, async (model, { agents }) => {
    const { kind, halt } = model.judge(id, `select ${intent}`, intent, null);
    if (kind === null && !halt) {
      Object.assign(model.sessions[id] as ModelSession, { state: 'CONTEXTUALIZED_ACTION', intent });
      model.status[intent] = 'IN_PROGRESS';
    }
    const { decision } = await (agents[id] as Agent).select(intent);
    expect(decision.refusal?.kind ?? null).toBe(kind);
    expect(decision.verdict).toBe(halt ? 'halt' : kind === null ? 'allow' : 'deny');
  });

const write = (id: string, file: string, content: string) =>
  command(`${id} writes ${content} to ${file}`, async (model, { agents }) => {
    const intent = model.sessions[id]?.intent ?? null;
    const { kind, halt } = model.judge(id, `write ${file} ${content}`, null, file);
    if (kind === null && !halt) {
      if (model.files[file] !== content) model.owner[file] = intent as string;
      model.files[file] = content;
    }
    const { decision } = await (agents[id] as Agent).write(file, content);
    expect(decision.refusal?.kind ?? null).toBe(kind);
    expect(decision.verdict).toBe(halt ? 'halt' : kind === null ? 'allow' : 'deny');
  });

const read = (id: string, file: string) =>
  command(`${id} reads ${file}`, async (model, { agents }) => {
    const { kind } = model.judge(id, `read ${file}`, null, null);
    expect((await (agents[id] as Agent).read(file)).decision.refusal?.kind ?? null).toBe(kind);
  });

const spend = (id: string, turns: number) =>
  command(`${id} spends ${turns}`, async (model, { place, agents }) => {
    const session = model.sessions[id] as ModelSession;
    const intent = session.intent ?? session.acting;
    if (intent !== null) model.turns[intent] = (model.turns[intent] ?? 0) + turns;
    session.marked = true;
    const agent = agents[id] as Recorded;
    for (let n = 0; n < turns; n += 1) agent.respond([]);
    await place.engine.stop(agent.origin);
  });

const human = (intent: string, status: string) =>
  command(
    `human sets ${intent} to ${status}`,
    async (model, { place }) => {
      model.status[intent] = status;
      place.setStatus(intent, status);
    },
    (model) => model.status[intent] !== status,
  );

const lose = () =>
  command('state.db is lost', async (model, { place }) => {
    for (const session of Object.values(model.sessions))
      Object.assign(session, {
        state: 'REQUEST',
        intent: null,
        haltIntent: null,
        acting: null,
        spentFree: false,
        marked: false,
      });
    removeState(place.workspace.layout);
    openStore(place.workspace.layout).transact(() => undefined);
  });

const sessionId = fc.constantFrom(...SESSIONS);
const intentId = fc.constantFrom('A', 'A', 'B', 'C');
const file = fc.constantFrom('src/a/x', 'src/a/x', ...FILES);
const step = fc.oneof(
  { weight: 2, arbitrary: fc.tuple(sessionId, fc.boolean()).map(([id, byHuman]) => [prompt(id, byHuman)]) },
  {
    weight: 5,
    arbitrary: fc.tuple(sessionId, intentId).map(([id, intent]) => [prompt(id, true), select(id, intent)]),
  },
  { weight: 2, arbitrary: fc.tuple(sessionId, intentId).map(([id, intent]) => [select(id, intent)]) },
  {
    weight: 8,
    arbitrary: fc
      .tuple(sessionId, file, fc.constantFrom('one', 'two'), fc.constantFrom(1, 1, 1, 4))
      .map(([id, path, text, times]) => Array.from({ length: times }, () => write(id, path, text))),
  },
  { weight: 1, arbitrary: sessionId.map((id) => [read(id, 'README')]) },
  {
    weight: 2,
    arbitrary: fc.tuple(sessionId, fc.constantFrom(1, 3)).map(([id, turns]) => [spend(id, turns)]),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(intentId, fc.constantFrom('IN_PROGRESS', 'IN_PROGRESS', 'COMPLETED', 'BLOCKED'))
      .map(([id, to]) => [human(id, to)]),
  },
  { weight: 1, arbitrary: sessionId.map((id) => [start(id)]) },
  { weight: 1, arbitrary: fc.constant(null).map(() => [lose()]) },
);
const sequence = fc.array(step, { minLength: 15, maxLength: 30 }).map((steps) => steps.flat());

const agrees = fc.asyncProperty(sequence, async (commands) => {
  const place = new TestWorkspace(
    INTENTS.map((id) => ({
      id,
      scope: SCOPES[id] as readonly string[],
      status: id === 'C' ? 'PENDING' : 'IN_PROGRESS',
      budget: `{ max_turns: ${MAX_TURNS} }`,
    })),
  );
  try {
    const agents = Object.fromEntries(SESSIONS.map((id) => [id, new Recorded(place, id)]));
    await fc.asyncModelRun(() => ({ model: new Model(), real: { place, agents } }), commands);
    for (const log of LOGS)
      expect(verifyLog(place.workspace.layout[log], log)).toMatchObject({ bad: null, torn: null });
  } finally {
    place[Symbol.dispose]();
  }
});

test('several sessions on one workspace do what the model says: a walk that meets every answer', async () => {
  await fc.assert(agrees, { numRuns: 10, seed: 20 });
  const expected = ['null', 'state', 'handshake', 'intent_status', 'budget', 'loop', 'scope', 'ownership'];
  expect([...answers.keys()].sort()).toEqual(expected.sort());
}, 120_000);

test('several sessions on one workspace do what the model says: any walk', async () => {
  await fc.assert(agrees, { numRuns: RUNS });
}, 600_000);
