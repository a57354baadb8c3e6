import type { JsonObject } from '../core/json.ts';
import type { ToolCall } from '../core/tool-call.ts';
import type {
  CallEnding,
  EventAnswer,
  EventOrigin,
  PostToolRequest,
  PreToolAnswer,
  PreToolRequest,
  Standing,
} from './requests.ts';
import type { SessionEvent } from './session/session-events.ts';
import type { Workspace } from './workspace.ts';

/** The governance boundary of one workspace: every door calls it and nothing else decides (H-20, H-21). */
export interface HookEngine {
  sessionStart(origin: EventOrigin): Promise<EventAnswer>;
  userPrompt(origin: EventOrigin, byHuman: boolean): Promise<EventAnswer>;
  preToolUse(request: PreToolRequest): Promise<PreToolAnswer>;
  postToolUse(request: PostToolRequest): Promise<EventAnswer>;
  /** `note`: what the door says of the compaction, for the receipt. A door that compacts itself does so if `compact` is answered. */
  beforeCompact(origin: EventOrigin, note?: string): Promise<EventAnswer>;
  compacted(origin: EventOrigin): Promise<EventAnswer>;
  /** `note`: what the door says of the run, for the receipt. */
  stop(origin: EventOrigin, note?: string): Promise<EventAnswer>;
  /**
   * Host ids of a session's calls that were allowed and of which no end was told, for a host that keeps a record of
   * its own and tells its hooks less. Reads only; none when the state cannot be read.
   */
  openCalls(sessionId: string): Promise<readonly string[]>;
  /**
   * Ends the calls of a session that are over though no hook heard of it; `endingOf` says how one ended, or null where it
   * may still run. Returns what the agent must hear, or null. Never throws.
   */
  settle(origin: EventOrigin, endingOf: (call: ToolCall) => CallEnding | null): Promise<string | null>;
  /** Where a session stands. Reads only; never throws. */
  standing(sessionId: string): Promise<Standing>;
  /**
   * What `select_active_intent` answers between an allowed attempt and its end. Throws a PactError when no attempt was
   * allowed, or the intent cannot be selected.
   */
  handshake(intentId: string): Promise<JsonObject>;
}

/** Loads a module when it is first asked for. Asking Node for one that it has costs more than most of what is in it. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

const sessions = once(() => import('./session/session-events.ts'));
const pre = once(() => import('./attempt/pre-tool-use.ts'));
const post = once(() => import('./outcome/post-tool-use.ts'));
const calls = once(() => import('./attempt/open-calls.ts'));
const settlement = once(() => import('./outcome/settle-calls.ts'));
const standings = once(() => import('./session/standing.ts'));
const handshakes = once(() => import('./attempt/handshake-answer.ts'));

/**
 * The engine for a workspace. Holds no state of its own: every event reads what the last one left on disk. Each
 * event's code is loaded when the event comes, because a host starts a process for every one of them.
 */
export function createEngine(workspace: Workspace): HookEngine {
  const tell = async (origin: EventOrigin, event: SessionEvent): Promise<EventAnswer> =>
    (await sessions()).sessionEvent(workspace, origin, event);
  return {
    sessionStart: (origin) => tell(origin, { at: 'session-start' }),
    userPrompt: (origin, byHuman) => tell(origin, { at: 'user-prompt', byHuman }),
    preToolUse: async (request) => (await pre()).preToolUse(workspace, request),
    postToolUse: async (request) => (await post()).postToolUse(workspace, request),
    beforeCompact: (origin, note) =>
      tell(origin, { at: 'before-compact', ...(note === undefined ? {} : { note }) }),
    compacted: (origin) => tell(origin, { at: 'after-compact' }),
    stop: (origin, note) => tell(origin, { at: 'stop', ...(note === undefined ? {} : { note }) }),
    openCalls: async (sessionId) => (await calls()).openCalls(workspace, sessionId),
    settle: async (origin, endingOf) => (await settlement()).settleCalls(workspace, origin, endingOf),
    standing: async (sessionId) => (await standings()).standing(workspace, sessionId),
    handshake: async (intentId) => (await handshakes()).handshakeAnswer(workspace, intentId),
  };
}
