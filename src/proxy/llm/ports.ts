import type { JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { Headers } from './headers.ts';

/** The engine as this door uses it. */
export type Governor = Pick<
  HookEngine,
  'userPrompt' | 'preToolUse' | 'postToolUse' | 'stop' | 'beforeCompact' | 'standing' | 'handshake'
>;

/** A call by the client's own name for its tool. */
export interface ClientCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly sessionId: string;
  readonly cwd: string;
}

/** Turns a client's call into one that the engine can judge. Throws a PactError on what it cannot read. */
export type Decoder = (call: ClientCall) => ToolCall;

/** A request on its way upstream. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array | string | null;
}

/** The upstream's answer; `chunks` throws when it is cut. */
export interface UpstreamReply {
  readonly status: number;
  readonly headers: Headers;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Sends a request upstream. Throws a PactError when there is no answer. */
export type Upstream = (request: UpstreamRequest, signal: AbortSignal) => Promise<UpstreamReply>;

/** The client's side of one request. */
export interface ClientReply {
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  head(status: number, headers: Readonly<Record<string, string | readonly string[]>>): void;
  /** Resolves when the client can take more. Empty text writes nothing. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** The end, with the last of the answer. */
  end(last?: string | Uint8Array): void;
  /** Breaks the connection off, as the upstream did. */
  cut(): void;
  /** Writes `text` whenever nothing else was written for a while, until the end. */
  heartbeat(text: string | Uint8Array): void;
}

/** What the proxy is started with. */
export interface LlmSettings {
  readonly host: string;
  /** Folder that relative paths start from: the workspace. */
  readonly cwd: string;
  /** Process's own secret for session ids. */
  readonly salt: string;
  readonly providerRuns: (type: string) => boolean;
  /** The client's tools are kept from the model until the handshake. */
  readonly hideTools: boolean;
  /** Requests that offer the model no tools are refused. */
  readonly requireTools: boolean;
  /** Whether the human lets a path by that the door does not know, ungoverned. */
  readonly passes: (path: string) => boolean;
  /** The context as the human gives it, in tokens; null leaves it to what is known of the model. */
  readonly contextTokens: number | null;
  /** Longest wait for the engine's word, in milliseconds. */
  readonly deadlineMs: number;
  /** Share of the context from which on a history is shortened (H-98). */
  readonly compactAt: number;
}
