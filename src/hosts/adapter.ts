import type { JsonObject } from '../core/json.ts';
import type { HookEngine } from '../hooks/engine.ts';
import type { Recorded } from './shared/settling.ts';

/** What every event of every host carries, however the host spells it. */
export interface HostEvent {
  /** The host's own name for it. */
  readonly event: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly raw: JsonObject;
}

/** What happens in a conversation, whatever a host calls it. */
export type Moment =
  | 'sessionStart'
  | 'prompt'
  | 'beforeTool'
  | 'afterTool'
  | 'afterFailure'
  | 'beforeCompact'
  | 'stop'
  | 'sessionEnd';

/** What the hook process prints and how it ends. */
export interface HookReply {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: 0 | 2;
}

/**
 * One agent host, as far as its hooks go: it translates and decides nothing. A new
 * host is a folder beside this file and its lines in `index.ts`.
 */
export interface HostAdapter {
  readonly host: string;
  /** Variables in which the host names its project folder, the most trusted first. */
  readonly projectVariables: readonly string[];
  /** The host's names of the events that {@link handle} answers; null where {@link decode} rejects any other. */
  readonly events: readonly string[] | null;
  /**
   * Reads the bytes of a hook's standard input. Anything that is not an event of the host throws a PactError.
   * `registered` is the event that the hook was registered for, as not every host names it in the payload.
   */
  decode(bytes: Uint8Array, registered: string | null): HostEvent | Promise<HostEvent>;
  /**
   * How calls ended, by the host's own record of the conversation. Null: the adapter ends by itself the calls that no
   * hook told of, or its host does not wait for the hooks after a call, so that one may still come.
   */
  endings?(input: HostEvent): Recorded | null;
  /** Answers an event that {@link decode} returned. */
  handle(input: HostEvent, engine: HookEngine): Promise<HookReply>;
  /**
   * Puts a failure of ours into words that the host takes for a refusal, wherever it honours one. `event` is null when
   * it is unknown: then it must refuse whatever the event was.
   */
  failed(event: string | null, reason: string): HookReply;
}
