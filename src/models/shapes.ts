import { type ErrorCode, PactError } from '../core/errors.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';

/** JSON that is being put together. */
export type Draft = { [key: string]: JsonValue | undefined };

/** A tool call that a model asks for, its arguments complete. */
export interface AskedCall {
  /** The provider's id, which the client will name in its result; empty when there was none. */
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject | null;
  /** Why the call cannot be read; null when it can. */
  readonly fault: string | null;
  /** The protocol's own kind of call, where it has several. */
  readonly form?: string;
}

/** New work of one response in tokens. What the provider read from its cache is not among it. */
export interface TokenUse {
  readonly input: number;
  readonly output: number;
}

/** How a tool's run ended, as a request reports it. */
export interface ReportedResult {
  readonly id: string;
  readonly ok: boolean;
  readonly result: JsonValue;
  /** The call itself, from the history; null when it is not there. */
  readonly call: { readonly name: string; readonly args: JsonObject | null } | null;
}

/** What a request says, whatever its protocol. */
export interface RequestView {
  readonly model: string | null;
  /** It offers tools that the client runs: the turn of an agent, not a side request (titles, summaries). */
  readonly offersTools: boolean;
  /** The model has spoken before in this conversation. */
  readonly goesOn: boolean;
  /** Digest of the last message when that is a user's; null when the request goes on with an agent's turn. */
  readonly userTurn: string | null;
  /** Tool results since the model last spoke. */
  readonly results: readonly ReportedResult[];
  /** Digest of system prompt and first message of the user: what stays the same through a conversation. */
  readonly prefix: () => string;
  /** Digest of the first message of the user alone. */
  readonly opening: () => string;
  /** Id of an earlier response that the provider continues from. */
  readonly continues: string | null;
}

/** An upstream that does not keep to its protocol: nothing that it kept open is let through. */
export class WireFault extends PactError {
  constructor(message: string) {
    super(
      'UNAVAILABLE',
      `the upstream's answer cannot be read: ${message}`,
      'Check --upstream, or try again.',
    );
  }
}

/** A request that is refused before it goes anywhere. */
export class RequestFault extends PactError {
  constructor(
    readonly status: number,
    message: string,
    remedy: string,
    code: ErrorCode = 'INVALID_INPUT',
  ) {
    super(code, message, remedy);
  }
}

/** A count off the wire: anything but a positive number is none. */
export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}
