import type { JsonObject, JsonValue } from '../core/json.ts';

/** What a wire tells of its other end. */
export interface WireHandlers {
  /** One message as it came: any JSON value, not yet validated. */
  readonly message: (value: JsonValue) => void;
  /** Input that is no message, with the reason. The wire stays open. */
  readonly garbage: (what: string) => void;
  /** The other end is gone, or has to be given up. Told once; nothing comes after it. */
  readonly closed: (why: string) => void;
  /** What was waiting to be written has been. */
  readonly drained: () => void;
}

/** Headers that a protocol wants beside a message, where the wire has headers. */
export type HeadersOf = (message: JsonObject) => Readonly<Record<string, string>>;

/** A connection that carries JSON messages whole and in order. */
export interface Wire {
  /** Begins to deliver. Called once. */
  start(handlers: WireHandlers): void;
  /**
   * Sends a message. `about` is the id of the other end's request that it belongs to, where the wire has a channel
   * for each. Rejects when it is known that the message did not arrive; a wire that cannot know tells `closed`.
   */
  send(message: object, about?: string | number): Promise<void> | undefined;
  /** How much waits to be written, in bytes. Above {@link HIGH_WATER}, `drained` tells when it has been. */
  readonly backlog: number;
  /** The protocol version that was agreed on, for a wire that carries it beside the messages. */
  speaks?(version: string, headersOf?: HeadersOf): void;
  /** The `Authorization` that a client brought last, where it is for the server behind; never logged. */
  readonly authorization?: string | null;
  /** Stops and starts taking what the other end sends. */
  pause(): void;
  resume(): void;
  /** Ends the connection and whatever was started for it. `closed` is told as well, if it was not yet. */
  close(): Promise<void>;
}

/** The longest message that any wire takes, in bytes. */
export const MAX_MESSAGE = 32 << 20;
/** How much may wait to be written before whoever sends should wait, in bytes. */
export const HIGH_WATER = 1 << 20;
/** How much may wait to be written before more is refused, in bytes. */
export const MAX_BACKLOG = 64 << 20;
