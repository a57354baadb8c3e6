import { sha256 } from '../../core/digest.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import type { ReportedUsage } from '../../hooks/requests.ts';
import type { RequestView } from '../../models/shapes.ts';
import type { Headers } from './headers.ts';
import { HiddenMemory } from './hidden.ts';
import type { Continued } from './wire.ts';

/** Headers in which clients name their session, best first. Names as HTTP has them: lower case. */
const SESSION_HEADERS = [
  'x-pactclaw-session',
  'x-claude-code-session-id',
  'session-id',
  'session_id',
  'x-opencode-session-id',
  'x-opencode-session',
  'x-session-id',
] as const;

const MAX_ID = 200;
const MAX_SESSIONS = 1_000;
const MAX_PENDING = 64;
const MAX_CONVERSATIONS = 64;
const MAX_RESPONSES = 64;

/** One value of a header, however often it was sent; null when it is not there. */
export function headerOf(headers: Headers, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return typeof value === 'string' ? value : (value[0] ?? null);
}

/** The session that a client names itself; null when it names none. */
function namedSession(headers: Headers): string | null {
  for (const name of SESSION_HEADERS) {
    const value = headerOf(headers, name)?.trim() ?? '';
    if (value !== '' && value.length <= MAX_ID && /^[\x21-\x7e]+$/.test(value)) return value;
  }
  return null;
}

/**
 * The session of a request: what the client says in a header, else the one whose response it goes on from, else what stays the same through a conversation, under
 * the key that the request was made with. Never anything that the model said. `salt` is the process's own, so that
 * nothing can be told of the key.
 */
export function sessionIdOf(
  { headers, target }: { readonly headers: Headers; readonly target: string },
  view: RequestView,
  salt: string,
  holding: (response: string) => string | null,
): string {
  const named = namedSession(headers) ?? (view.continues === null ? null : holding(view.continues));
  if (named !== null) return named;
  const key =
    headerOf(headers, 'authorization') ??
    headerOf(headers, 'x-api-key') ??
    headerOf(headers, 'x-goog-api-key') ??
    /[?&]key=([^&]*)/.exec(target)?.[1] ??
    '';
  return `llm-${sha256(`${salt}\n${sha256(`${salt}${key}`)}\n${view.prefix()}`).slice(0, 32)}`;
}

/** The turn that a conversation is at. */
interface Turn {
  readonly key: string;
  /** Its answer reached the end: the same words once more are a new request and no retry. */
  answered: boolean;
}

/** What the proxy itself remembers of a session. Losing it costs the model a memory, never a rule. */
export class LlmSession {
  /** Calls that the client was given and whose results have not come back. */
  readonly pending = new Map<string, ToolCall>();
  readonly hidden = new HiddenMemory();
  readonly #turns = new Map<string, Turn>();
  /** What the provider has behind a response id that the client knows. */
  readonly #responses = new Map<string, Continued>();
  readonly #reported = new Map<string, true>();
  #unreported: ReportedUsage | null = null;

  /** How many old results the last request was sent without. */
  leftOut = 0;

  /** Its agent has answered with text alone, and no request has come since. */
  atRest = false;

  /** A request has offered tools, or it was told that none does. */
  knownForTools = false;

  constructor(readonly id: string) {}

  /**
   * Whether a request begins a turn of the user's. A conversation that begins while a call waits for its result is a
   * subagent of that call and works under the same handshake.
   */
  beginsTurn(view: RequestView): boolean {
    if (view.userTurn === null) return false;
    const opening = view.opening();
    const known = this.#turns.get(opening);
    if (known?.key === view.userTurn && !known.answered) return false;
    keep(this.#turns, opening, { key: view.userTurn, answered: false }, MAX_CONVERSATIONS);
    return known !== undefined || this.pending.size === 0 || view.continues !== null;
  }

  answered(view: RequestView): void {
    // Most requests are an agent's own, in a turn that has been answered before.
    if (![...this.#turns.values()].some((turn) => !turn.answered)) return;
    const turn = this.#turns.get(view.opening());
    if (turn) turn.answered = true;
  }

  released(call: ToolCall): void {
    keep(this.pending, call.callId, call, MAX_PENDING);
  }

  /** Takes a call whose result has come in; null where none waits. `fits`: which one. */
  claim(fits: (call: ToolCall) => boolean): ToolCall | null {
    const found = [...this.pending.values()].find(fits) ?? null;
    if (found) this.pending.delete(found.callId);
    return found;
  }

  /** Whether the result of a call comes in for the first time, as far as is remembered. */
  firstSeen(id: string): boolean {
    const isNew = !this.#reported.has(id);
    if (isNew) keep(this.#reported, id, true, 16 * MAX_PENDING);
    return isNew;
  }

  /** Usage that no event has carried yet. */
  owe(usage: ReportedUsage): void {
    this.#unreported = this.#unreported ? addUsage(this.#unreported, usage) : usage;
  }

  /** All usage that is to be reported now. */
  settle(usage: ReportedUsage | null): ReportedUsage {
    const none: ReportedUsage = { turns: 0, tokens: 0, model: null };
    const whole = addUsage(this.#unreported ?? none, usage ?? none);
    this.#unreported = null;
    return whole;
  }

  link(shown: string, continued: Continued): void {
    keep(this.#responses, shown, continued, MAX_RESPONSES);
  }

  knows(response: string): boolean {
    return this.#responses.has(response);
  }

  continuedBy(view: RequestView): Continued | null {
    if (view.continues === null) return null;
    return this.#responses.get(view.continues) ?? { id: view.continues, owed: [] };
  }
}

function addUsage(a: ReportedUsage, b: ReportedUsage): ReportedUsage {
  return {
    turns: a.turns + b.turns,
    tokens: a.tokens + b.tokens,
    model: b.model ?? a.model,
    handshakes: [...(a.handshakes ?? []), ...(b.handshakes ?? [])],
  };
}

/** Puts an entry in as the newest and lets the oldest go when there are too many. */
function keep<T>(map: Map<string, T>, key: string, value: T, limit: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > limit) map.delete(map.keys().next().value as string);
}

/** The sessions of a proxy, the ones used longest ago forgotten first. */
export class LlmSessions {
  readonly #sessions = new Map<string, LlmSession>();

  of(id: string): LlmSession {
    const session = this.#sessions.get(id) ?? new LlmSession(id);
    keep(this.#sessions, id, session, MAX_SESSIONS);
    return session;
  }

  /** The session that was given a response; null when none is remembered. */
  holding(response: string): string | null {
    for (const [id, session] of this.#sessions) if (session.knows(response)) return id;
    return null;
  }
}
