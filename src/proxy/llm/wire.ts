import type { JsonObject } from '../../core/json.ts';
import type { MapResults } from '../../models/compact.ts';
import type { AskedCall, RequestView, TokenUse } from '../../models/shapes.ts';
import type { Framing } from './framing.ts';
import type { Headers } from './headers.ts';
import type { HiddenExchange } from './hidden.ts';

/** What becomes of a call: released as the model made it, or replaced by a text. */
export type Verdict =
  | { readonly allowed: true }
  /** `early`: refused only because it came before the handshake. */
  | { readonly allowed: false; readonly text: string; readonly early?: boolean };

/** What one upstream response came to. */
export interface RoundEnd {
  readonly calls: readonly AskedCall[];
  /** Null when the provider reported none. */
  readonly usage: TokenUse | null;
  readonly model: string | null;
  /** The response was brought to its end; a cut or failed one decides nothing and releases nothing. */
  readonly complete: boolean;
  /** What the model said, as a later request carries it. */
  readonly said: readonly JsonObject[];
  /** Its text, for an estimate where no usage was reported. */
  readonly text: string;
}

/** An answer on its way to the client, made of one or more upstream responses (rounds). */
export interface Answer {
  /** The present round has come to its end, whatever else the upstream may send. */
  readonly over: boolean;
  /** Takes decoded text of the present round; gives what may go on now. Throws a WireFault on what it cannot read. */
  take(text: string): string;
  /** The present round is over. */
  endRound(): RoundEnd;
  /** The present round stays hidden: its calls are dropped, another round follows. Gives what else may go on. */
  nextRound(): string;
  /** Everything that was kept back, by the verdicts on the round's calls, and the end of the answer. */
  finish(verdicts: readonly Verdict[]): string;
  /** The client is told that the answer failed after it had begun. */
  fail(message: string): string;
  /** What of the visible answer a later request can be known by. */
  anchors(): string[];
  /** Parts of the visible answer that come from hidden rounds, for {@link HiddenExchange}. */
  readonly hiddenParts: readonly JsonObject[];
  /** Under which id the client knows the answer and under which the provider does; null where none is kept. */
  ids(): { readonly shown: string; readonly real: string } | null;
}

/** A response that a request goes on from, as the provider has it. */
export interface Continued {
  readonly id: string;
  /** Results of calls in it that the client has never seen. */
  readonly owed: readonly JsonObject[];
}

/** How a request is changed before it goes upstream. */
export interface Plan {
  /** `untouched`: a side request; only what the provider would run by itself is taken out. */
  readonly phase: 'untouched' | 'intercept' | 'action';
  /** The human has the client's tools kept from the model until the handshake. */
  readonly hideTools: boolean;
  /** The governed part of the system prompt (H-109). */
  readonly part: string;
  /** Whether the human lets the provider run tools of this type. */
  readonly providerRuns: (type: string) => boolean;
  /** Earlier exchanges that the client has never seen. */
  readonly exchanges: readonly HiddenExchange[];
  /** What was said in hidden rounds of this very answer. */
  readonly appended: readonly JsonObject[];
  readonly continued: Continued | null;
}

/** One wire protocol. */
export interface Protocol {
  readonly name: 'anthropic' | 'bedrock' | 'chat' | 'gemini' | 'responses';
  /** Throws a RequestFault on a request that can never be served, whatever its body says. */
  admit?(request: { readonly headers: Headers; readonly target: string }): void;
  /** The target to ask for a stream of server-sent events, and how the client wants its events framed instead. */
  asStream?(target: string): { readonly target: string; readonly framing: Framing | null };
  /** Reads a request. Throws a PactError on what cannot be governed. */
  view(body: JsonObject): RequestView;
  /** The request as it goes upstream; the very same object when nothing changes. */
  edit(body: JsonObject, plan: Plan): JsonObject;
  /** An answer to a request, in a stream or in one piece, as the upstream chose. */
  answer(body: JsonObject, streamed: boolean): Answer;
  /** Answers of hidden calls as history. */
  results(calls: readonly AskedCall[], texts: readonly { text: string; ok: boolean }[]): JsonObject[];
  /** Results of tools in a request's history, for shortening it. */
  readonly mapResults: MapResults;
  /** An error in the protocol's own shape. */
  error(status: number, message: string): JsonObject;
  /** What keeps an idle stream alive. */
  readonly heartbeat: string;
}
