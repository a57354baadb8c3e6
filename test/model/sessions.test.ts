import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ViolationKind } from '../../src/core/words.ts';
import { verifyLog } from '../../src/ledger/verify.ts';
import { LOGS, openStore, removeState } from '../support/ledger.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

/** Runs of the model; more of them outside the unit suite. */
const RUNS = Number(process.env.PACTCLAW_TEST_MODEL_RUNS ?? 20);

const SESSIONS = ['s1', 's2', 's3'];
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  A: ['src/a/**'],
  B: ['src/a/**', 'src/b/**'],
  C: ['src/c/**'],
};
const INTENTS = Object.keys(SCOPES);
const MAX_TURNS = 5;
const FILES = ['src/a/x', 'src/a/y', 'src/b/x', 'src/c/x', 'src/secret'];

interface ModelSession {
  state: 'REQUEST' | 'REASONING_INTERCEPT' | 'CONTEXTUALIZED_ACTION' | 'HALTED';
  intent: string | null;
  haltIntent: string | null;
  identity: string;
  repeats: number;
}

const newSession = (): ModelSession => ({
  state: 'REQUEST',
  intent: null,
  haltIntent: null,
  identity: '',
  repeats: 0,
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

  /** A human set a tripped intent back: a new window. */
  noticeResets(): void {
    for (const id of this.tripped)
      if (this.status[id] !== 'BLOCKED') {
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
    session.repeats = session.identity === identity ? session.repeats + 1 : 1;
    session.identity = identity;
    const loops = session.repeats > 3;
    const kind = this.kindOf(session, loops, select, file);
    answers.set(String(kind), (answers.get(String(kind)) ?? 0) + 1);
    const halted = session.state === 'HALTED';
    const { intent } = session;
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
    const released =
      byHuman && (session.haltIntent === null || model.status[session.haltIntent] !== 'BLOCKED');
    if (session.state !== 'HALTED' || released)
      Object.assign(session, { state: 'REASONING_INTERCEPT', intent: null, haltIntent: null });
    if (byHuman) Object.assign(session, { identity: '', repeats: 0 });
    await agents[id]?.prompt(byHuman);
  });

const start = (id: string) =>
  command(`${id} starts`, async (model, { place, agents }) => {
    model.noticeResets();
    const session = model.sessions[id] as ModelSession;
    if (session.state !== 'HALTED') Object.assign(session, { state: 'REQUEST', intent: null });
    await place.engine.sessionStart((agents[id] as Agent).origin);
  });

const select = (id: string, intent: string) =>
  command(
    `${id} selects ${intent}`,
    async (model, { agents }) => {
      const { kind, halt } = model.judge(id, `select ${intent}`, intent, null);
      if (kind === null && !halt) {
        Object.assign(model.sessions[id] as ModelSession, { state: 'CONTEXTUALIZED_ACTION', intent });
        model.status[intent] = 'IN_PROGRESS';
      }
      const { decision } = await (agents[id] as Agent).select(intent);
      expect(decision.refusal?.kind ?? null).toBe(kind);
      expect(decision.verdict).toBe(halt ? 'halt' : kind === null ? 'allow' : 'deny');
    },
    // Selecting again while acting is a known fault of the engine: see test/hooks/handshake.test.ts (H-17).
    (model) => model.sessions[id]?.state !== 'CONTEXTUALIZED_ACTION',
  );

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
    const intent = model.sessions[id]?.intent ?? null;
    if (intent !== null) model.turns[intent] = (model.turns[intent] ?? 0) + turns;
    const reading = { offset: 0, turns, tokens: 0, model: null, lastMessage: null, calls: [] };
    const transcript = { files: [`/t/${id}`], read: () => reading };
    await place.engine.stop({ ...(agents[id] as Agent).origin, transcript });
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
      Object.assign(session, { state: 'REQUEST', intent: null, haltIntent: null });
    removeState(place.workspace.layout);
    openStore(place.workspace.layout).transact(() => undefined);
  });

const sessionId = fc.constantFrom(...SESSIONS);
const intentId = fc.constantFrom(...INTENTS);
const commands = [
  fc.tuple(sessionId, fc.boolean()).map(([id, byHuman]) => prompt(id, byHuman)),
  fc.tuple(sessionId, intentId).map(([id, intent]) => select(id, intent)),
  fc.tuple(sessionId, intentId).map(([id, intent]) => select(id, intent)),
  fc
    .tuple(sessionId, fc.constantFrom(...FILES), fc.constantFrom('one', 'two'))
    .map(([id, file, text]) => write(id, file, text)),
  fc
    .tuple(sessionId, fc.constantFrom('src/a/x', 'src/a/y'), fc.constant('one'))
    .map(([id, file, text]) => write(id, file, text)),
  fc.tuple(sessionId, fc.constantFrom('README', 'src/secret')).map(([id, file]) => read(id, file)),
  fc.tuple(sessionId, fc.integer({ min: 1, max: 3 })).map(([id, turns]) => spend(id, turns)),
  fc
    .tuple(intentId, fc.constantFrom('IN_PROGRESS', 'IN_PROGRESS', 'COMPLETED', 'BLOCKED'))
    .map(([id, to]) => human(id, to)),
  sessionId.map(start),
  fc.constant(null).map(lose),
];

test('several sessions on one workspace do what the model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (sequence) => {
      const place = new TestWorkspace(
        INTENTS.map((id) => ({
          id,
          scope: SCOPES[id] as readonly string[],
          status: id === 'C' ? 'PENDING' : 'IN_PROGRESS',
          budget: `{ max_turns: ${MAX_TURNS} }`,
        })),
      );
      try {
        const agents = Object.fromEntries(SESSIONS.map((id) => [id, place.agent(id)]));
        await fc.asyncModelRun(() => ({ model: new Model(), real: { place, agents } }), sequence);
        for (const log of LOGS)
          expect(verifyLog(place.workspace.layout[log], log)).toMatchObject({ bad: null, torn: null });
      } finally {
        place[Symbol.dispose]();
      }
    }),
    { numRuns: RUNS, endOnFailure: false },
  );
  console.log(answers);
}, 180_000);
