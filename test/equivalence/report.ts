import { messageOf } from '../../src/core/errors.ts';
import { VERIFIERS, verifierNamed } from '../hosts/support/all-hosts.ts';
import { type Ask, type Case, corpusFor } from './corpus.ts';
import { reasonOf } from './differences.ts';
import { apiDoor } from './doors/api.ts';
import { checkDoor } from './doors/command-line.ts';
import { genericDoor, hookDoor, residentDoor } from './doors/hooks.ts';
import { frontOf, modelDoor, UNKNOWN_CLIENT } from './doors/model.ts';
import { reference } from './doors/plain.ts';
import { toolServerDoor } from './doors/tool-server.ts';
import { type Answer, type Door, Ground } from './ground.ts';
import { STATES, type Standpoint } from './states.ts';

/** A call that came out otherwise at a door. */
export interface Difference {
  readonly door: string;
  readonly does: Ask['does'];
  readonly about: string;
  readonly state: string;
  readonly want: Answer;
  readonly got: Answer;
  /** Null: nobody has said why. */
  readonly reason: string | null;
}

/** How often a door was asked and agreed. `without`: calls that it has no tool for. */
export interface DoorCount {
  readonly door: string;
  asked: number;
  agreed: number;
  reasoned: number;
  unreasoned: number;
  without: number;
}

/** What the corpus came to at every door. */
export interface Report {
  readonly calls: number;
  readonly byTool: Readonly<Record<string, number>>;
  readonly byState: Readonly<Record<string, number>>;
  /** The intent that the session acts for, or `none`. */
  readonly byIntent: Readonly<Record<string, number>>;
  /** What is special of the path, the command, the handshake. */
  readonly byAbout: Readonly<Record<string, number>>;
  /** How many of the reference's answers each rule gave; `none` allowed. */
  readonly byRule: Readonly<Record<string, number>>;
  readonly doors: readonly DoorCount[];
  readonly differences: readonly Difference[];
}

/** Every way in. */
function doorsOf(ground: Ground): Door[] {
  return [
    ...VERIFIERS.map((verifier) => hookDoor(ground, verifier)),
    genericDoor(ground),
    residentDoor(ground, verifierNamed('claude-code')),
    toolServerDoor(ground),
    modelDoor(ground, frontOf('anthropic', verifierNamed('claude-code'), true)),
    modelDoor(ground, frontOf('responses', verifierNamed('codex'), true)),
    modelDoor(ground, frontOf('gemini', verifierNamed('gemini'), true)),
    modelDoor(ground, frontOf('chat', verifierNamed('qwen'), true)),
    modelDoor(ground, frontOf('chat', verifierNamed('copilot'), false)),
    modelDoor(ground, UNKNOWN_CLIENT),
    apiDoor(ground),
    checkDoor(ground),
  ];
}

function count(into: Record<string, number>, key: string): void {
  into[key] = (into[key] ?? 0) + 1;
}

/** What a door answered; one that throws has answered otherwise than every other. */
async function answerOf(door: Door, { ask }: Case, at: Standpoint): Promise<Answer | null> {
  try {
    return await door.answer(ask, at);
  } catch (error) {
    return { verdict: 'failed', rule: messageOf(error) };
  }
}

/** Asks one door all calls of one standpoint. */
async function askAll(
  door: Door,
  at: Standpoint,
  wanted: readonly Wanted[],
  row: DoorCount,
): Promise<Difference[]> {
  await door.enter?.(at);
  const differences: Difference[] = [];
  for (const { one, want } of wanted) {
    const got = await answerOf(door, one, at);
    if (got === null) {
      row.without += 1;
      continue;
    }
    row.asked += 1;
    if (got.verdict === want.verdict && got.rule === want.rule) {
      row.agreed += 1;
      continue;
    }
    const reason = reasonOf({ door: door.name, one, want, got });
    if (reason === null) row.unreasoned += 1;
    else row.reasoned += 1;
    const { about } = one;
    differences.push({ door: door.name, does: one.ask.does, about, state: at.name, want, got, reason });
  }
  return differences;
}

interface Wanted {
  readonly one: Case;
  readonly want: Answer;
}

/** What is led through the doors; everything by default. */
export interface Extent {
  readonly doors?: (ground: Ground) => readonly Door[];
  readonly states?: readonly Standpoint[];
  readonly told?: (state: string) => void;
}

/** Leads the whole corpus through every door. Takes a minute. */
export async function equivalence({
  doors: make = doorsOf,
  states = STATES,
  told = () => undefined,
}: Extent = {}): Promise<Report> {
  using ground = await Ground.make();
  const doors = make(ground);
  const rows = new Map(
    doors.map((door): [Door, DoorCount] => [
      door,
      { door: door.name, asked: 0, agreed: 0, reasoned: 0, unreasoned: 0, without: 0 },
    ]),
  );
  const counts = { byTool: {}, byState: {}, byIntent: {}, byAbout: {}, byRule: {} };
  const differences: Difference[] = [];
  const through = async (at: Standpoint) => {
    const wanted: Wanted[] = [];
    for (const one of corpusFor(ground)) {
      const want = await reference(ground, one.ask, at);
      wanted.push({ one, want });
      count(counts.byTool, one.ask.does);
      count(counts.byState, at.name);
      count(counts.byIntent, at.intentId ?? 'none');
      count(counts.byAbout, one.about);
      count(counts.byRule, want.rule ?? 'none');
    }
    for (const [door, row] of rows) differences.push(...(await askAll(door, at, wanted, row)));
  };
  try {
    for (const at of states) {
      told(at.name);
      const leave = ground.surround(at);
      await through(at).finally(leave);
    }
  } finally {
    for (const door of doors) await door.close?.();
  }
  const calls = Object.values<number>(counts.byState).reduce((sum, one) => sum + one, 0);
  return { calls, ...counts, doors: [...rows.values()], differences };
}
