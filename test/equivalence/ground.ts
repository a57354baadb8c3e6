import fs from 'node:fs';
import type { Verdict } from '../../src/core/words.ts';
import { createEngine, type HookEngine } from '../../src/hooks/engine.ts';
import { HeldStore } from '../../src/hooks/open-store.ts';
import type { Workspace } from '../../src/hooks/workspace.ts';
import { clearEstop, setEstop } from '../../src/security/estop.ts';
import { TestWorkspace } from '../support/workspace.ts';
import type { Ask } from './corpus.ts';
import type { Standpoint } from './states.ts';

/** How a call came out: the verdict that its door told, and the rule that refused; null where none did. */
export interface Answer {
  readonly verdict: string;
  readonly rule: string | null;
}

/** What a door refuses without asking the engine, because it cannot read it. */
export const UNREAD: Answer = { verdict: 'deny', rule: 'unread' };

const SPENDLESS = '{max_turns: 1000000, max_tokens: 1000000000}';

/** One workspace that all doors lead into, and the engine behind them, whose last word can be read. */
export class Ground implements Disposable {
  readonly place = new TestWorkspace(
    [
      { id: 'INT-001', budget: SPENDLESS },
      { id: 'INT-002', scope: ['src/pages/**', 'src/components/held.ts'], budget: SPENDLESS },
      { id: 'INT-004', status: 'COMPLETED' },
      { id: 'INT-005', status: 'BLOCKED' },
    ],
    ['src/components/a.ts', 'src/components/caf\u00e9.ts', 'src/secret.ts', 'src/pages/p.ts', 'README.md'],
  );
  readonly #held = new HeldStore(this.place.workspace);
  readonly workspace: Workspace = { ...this.place.workspace, store: () => this.#held.current() };
  readonly root = this.place.root;
  readonly home = `${this.place.base}/home`;
  #sessions = 0;
  #said: { readonly verdict: Verdict; readonly rule: string | null } | null = null;

  private constructor() {
    fs.symlinkSync('/tmp', `${this.root}/src/link`);
    fs.symlinkSync('../secret.ts', `${this.root}/src/components/to-secret.ts`);
    fs.symlinkSync('nowhere.ts', `${this.root}/src/components/dangling.ts`);
  }

  /** A ground on which INT-002 holds a file that INT-001 owns too. */
  static async make(): Promise<Ground> {
    // Nothing here is about surviving a power cut, and in memory thousands of durable appends take no time.
    const memory = '/dev/shm';
    const before = process.env.TMPDIR;
    if (fs.existsSync(memory)) process.env.TMPDIR = memory;
    const ground = new Ground();
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    const holder = ground.place.agent('holder');
    await holder.begin('INT-002');
    const { decision } = await holder.write('src/components/held.ts');
    if (decision.verdict !== 'allow') throw new Error('INT-002 holds nothing');
    return ground;
  }

  /** The engine as a door is given it. What it says of a call is kept for {@link heard}. */
  engine(of: HookEngine = createEngine(this.workspace)): HookEngine {
    return {
      ...of,
      preToolUse: async (request) => {
        const answer = await of.preToolUse(request);
        // Of several calls in one go the first is the one that was asked.
        this.#said ??= { verdict: answer.decision.verdict, rule: answer.decision.refusedBy };
        return answer;
      },
    };
  }

  /** The engine's word on the call, as the door told it: a word that was told as another is none of the verdicts. */
  heard(told: 'runs' | 'refused' | null): Answer {
    const said = this.#said;
    if (said === null) return told === 'runs' ? { verdict: 'unasked', rule: null } : UNREAD;
    const agreed = told === null || (told === 'runs') === (said.verdict === 'allow');
    return agreed ? said : { verdict: `${said.verdict}, told as ${told}`, rule: said.rule };
  }

  /** A session of its own for one call, put where the call is to find it. */
  sessionAt(at: Standpoint): string {
    this.#sessions += 1;
    return this.put(`equal-${this.#sessions}`, at);
  }

  /** Puts a session where a call is to find it, with nothing that another call left open. */
  put(id: string, { state, intentId }: Standpoint): string {
    this.#said = null;
    this.#held.current().transact((tx) => {
      tx.dropCalls(id, () => false);
      tx.putSession({ ...tx.session(id), state, intentId, pendingId: null, haltReason: null });
    });
    return id;
  }

  /** Sets up what a standpoint has around it; returns what takes it away again. */
  surround({ around }: Standpoint): () => void {
    const { intents } = this.place.workspace.layout;
    if (around === 'emergency stop') {
      setEstop('equivalence');
      return () => void clearEstop();
    }
    if (around === null) return () => undefined;
    const before = fs.readFileSync(intents);
    if (around === 'registry gone') fs.rmSync(intents);
    else fs.writeFileSync(intents, 'active_intents: [ {id: ');
    return () => fs.writeFileSync(intents, before);
  }

  [Symbol.dispose](): void {
    this.#held.close();
    this.place[Symbol.dispose]();
  }
}

/** One way in. Asks what a case asks in its own words; null where it has no such tool. */
export interface Door {
  readonly name: string;
  /** Prepares for the calls of one standpoint. */
  enter?(at: Standpoint): Promise<void>;
  answer(ask: Ask, at: Standpoint): Promise<Answer | null>;
  close?(): Promise<void>;
}
