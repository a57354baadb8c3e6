import type { JsonValue } from '../core/json.ts';
import type { Decision } from '../core/ruling.ts';
import type { ToolCall } from '../core/tool-call.ts';
import type { SessionState } from '../core/words.ts';

/** The part of a host's transcript that was not read before. */
export interface TranscriptReading {
  /** Where to go on next time, in bytes. */
  readonly offset: number;
  /** Model responses that made no call of the handshake, or others beside it. */
  readonly turns: number;
  /** Tokens of those responses. */
  readonly tokens: number;
  /**
   * Tokens of each response whose only call was the handshake: the engine decides which of them count (C-33, C-100).
   */
  readonly handshakes?: readonly number[];
  readonly model: string | null;
  /** Last response counted, so that one written in several lines counts once. */
  readonly lastMessage: string | null;
  /** Host ids of the calls that the responses made. */
  readonly calls: readonly string[];
}

/** A host's record of the conversation; the door knows its format. */
export interface TranscriptSource {
  readonly files: readonly string[];
  read(file: string, offset: number, lastMessage: string | null): TranscriptReading;
}

/** The door that an event came through. */
export type Door = 'hook' | 'mcp' | 'llm' | 'api';

/** Model use that the door saw itself and reports once. */
export interface ReportedUsage {
  readonly turns: number;
  readonly tokens: number;
  readonly model: string | null;
  /** As in {@link TranscriptReading}; such responses are not among `turns` and `tokens`. */
  readonly handshakes?: readonly number[];
}

/** What every event of a host carries. */
export interface EventOrigin {
  readonly sessionId: string;
  readonly host: string;
  readonly transcript: TranscriptSource | null;
  /** `hook` when absent. */
  readonly door?: Door;
  /**
   * Where the door sees the model's responses. The one that makes the call of this event is among them at the LLM door
   * alone. A door that sees none leaves this out: the engine then counts each call as a turn.
   */
  readonly usage?: ReportedUsage;
  /** The model's name, where the event tells it. */
  readonly model?: string | null;
}

export interface PreToolRequest extends EventOrigin {
  readonly call: ToolCall;
  /** Id under which the client says that its host knows the call, where the door's own is another. */
  readonly outerCallId?: string;
}

/** How a call ended, as the host tells it. */
export interface PostToolRequest extends EventOrigin {
  readonly call: ToolCall;
  readonly outerCallId?: string;
  readonly ok: boolean;
  readonly result: JsonValue;
  /** The host has moved on and the call has not ended: what it changes from now on must still be found (F-1). */
  readonly stillRunning?: boolean;
  /** The call has ended before; of these paths it was found only now that they changed. */
  readonly among?: ReadonlySet<string>;
}

/** How a call ended whose end no hook reported. */
export type CallEnding = Pick<PostToolRequest, 'ok' | 'result'>;

/** Answer to PreToolUse. */
export interface PreToolAnswer {
  readonly decision: Decision;
  /** The refusal as agent and human read it; null when allowed. */
  readonly text: string | null;
  /** Named hook that refused. */
  readonly hook: string | null;
  /** Null when nothing could be recorded; then the answer is never an allow. */
  readonly receiptId: string | null;
}

/** Answer to the other events: what the agent is to be told, and whether something went wrong. */
export interface EventAnswer {
  readonly context: string | null;
  /** A violation or a failure of ours that the agent must hear of. */
  readonly alarm: string | null;
  /** Before a compaction: the door is to shorten what it sends to the model. */
  readonly compact?: boolean;
}

/** Where a session stands, for a door that shows an agent only what it may do. */
export interface Standing {
  readonly state: SessionState;
  readonly intentId: string | null;
  readonly haltReason: string | null;
  /** What the agent is to be told in this state (H-109). */
  readonly context: string;
}
