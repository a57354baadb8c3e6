import { messageOf, PactError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { RequestFault, type RequestView } from '../../models/shapes.ts';
import {
  BodyTooLarge,
  type IncomingCall,
  type OutgoingReply,
  UnreadableEncoding,
} from '../../platform/http-server.ts';
import { anthropic } from './anthropic/index.ts';
import { bedrock } from './bedrock/index.ts';
import { bounded } from './bounded.ts';
import { chat } from './chat/index.ts';
import { gemini } from './gemini/index.ts';
import { forwarded } from './headers.ts';
import { Judge } from './judge.ts';
import type { Decoder, Governor, LlmSettings, UpstreamReply, UpstreamRequest } from './ports.ts';
import { assertNoRedirect } from './redirect.ts';
import { readBody } from './request-body.ts';
import { responses } from './responses/index.ts';
import { RestingSessions } from './rest.ts';
import { type Route, routeOf, upstreamPath } from './routes.ts';
import { headerOf, type LlmSession, LlmSessions, sessionIdOf } from './session.ts';
import { Turn } from './turn.ts';
import type { TurnParts } from './turn-parts.ts';
import type { Protocol } from './wire.ts';

/** Longest request, in bytes; providers take half of it. */
const MAX_REQUEST = 64 << 20;

const PROTOCOLS: Readonly<Record<Protocol['name'], Protocol>> = {
  anthropic,
  bedrock,
  chat,
  gemini,
  responses,
};

/** What the operator is told of a session whose requests offer no tools. */
const NO_TOOLS =
  'requests of this session offer no tools: calls that its agent writes as text are not governed';

/** What the door is made of. */
export interface LlmDoorParts {
  readonly governor: Governor;
  readonly decode: Decoder;
  readonly settings: LlmSettings;
  /** Path of the upstream that every request's path is put after. */
  readonly basePath: string;
  readonly send: (request: Ask, signal: AbortSignal, decoded: boolean) => Promise<UpstreamReply>;
  /** Tells the operator, once a session, what is not governed in it. */
  readonly notice: (words: string, sessionId: string) => void;
}

type Ask = Omit<UpstreamRequest, 'body'> & {
  readonly body: UpstreamRequest['body'] | AsyncIterable<Uint8Array>;
};

/** A failure as status and words; never a stack trace. */
function toFault(error: unknown): { status: number; message: string } {
  if (error instanceof RequestFault)
    return { status: error.status, message: `${error.message}. ${error.remedy}` };
  if (error instanceof BodyTooLarge)
    return { status: 413, message: `the request is longer than ${MAX_REQUEST} bytes. Send a shorter one.` };
  if (error instanceof UnreadableEncoding)
    return {
      status: 415,
      message: `${error.message}, which cannot be read here. Send it plain or as gzip (Codex: set enable_request_compression = false under [features]).`,
    };
  if (error instanceof PactError)
    return {
      status: error.code === 'INVALID_INPUT' ? 400 : 502,
      message: `${error.message}. ${error.remedy}`,
    };
  return { status: 502, message: `the request could not be served: ${messageOf(error)}` };
}

/** Whose shape an error takes: that of the request's protocol, else the one that its path or headers speak of. */
function protocolOf(route: Route, { target, headers }: IncomingCall): Protocol['name'] {
  if (route.kind === 'governed') return route.protocol;
  if (/^\/model\//.test(target)) return 'bedrock';
  if (headers['x-goog-api-key'] !== undefined || /GenerateContent|\/v1beta/i.test(target)) return 'gemini';
  const isAnthropic = headers['anthropic-version'] !== undefined || /messages|anthropic/i.test(target);
  return isAnthropic ? 'anthropic' : 'chat';
}

/** What to use instead of an endpoint that is known and not governed; null where nothing is. */
function instead(path: string): string | null {
  if (/^\/model\/[^/]+\/converse(?:-stream)?$/.test(path))
    return "Bedrock's Converse is not governed: use InvokeModel (/model/MODEL/invoke, /model/MODEL/invoke-with-response-stream) with a Claude model.";
  if (/\/interactions(?:\/|$)/.test(path))
    return 'The interactions API keeps calls and their results at the provider and is not governed: use generateContent or streamGenerateContent.';
  return null;
}

/** The refusal of a path that is not in the table: an answer to it could hold calls that nobody has judged. */
function unknownPath({ method, target }: IncomingCall, known: string | null): RequestFault {
  const path = (target.split('?', 1)[0] ?? '').slice(0, 200);
  return new RequestFault(
    403,
    `${method} ${path} is no endpoint that this proxy knows, and calls in its answer would go by unjudged`,
    (known === null ? instead(path) : `Send it as ${known}.`) ??
      "Use Anthropic Messages, chat/completions, Responses or Gemini's generateContent; a base path belongs into the proxy's --upstream. A human may start the proxy with --pass-path PATTERN, which lets a path by ungoverned.",
  );
}

/** Answers the requests of clients: governed where tool calls may come of them, else as they are. */
export class LlmDoor {
  readonly #sessions = new LlmSessions();
  readonly #turns: TurnParts;

  constructor(private readonly parts: LlmDoorParts) {
    const governor = bounded(parts.governor, parts.settings.deadlineMs);
    const judge = new Judge(governor, parts.decode, parts.settings);
    this.#turns = {
      governor,
      judge,
      resting: new RestingSessions(governor, judge),
      upstream: (request, signal) => parts.send(request, signal, true),
      settings: parts.settings,
    };
  }

  #routeOf(call: IncomingCall): { route: Route; protocol: Protocol } {
    const route = routeOf(call.method, call.target, this.parts.settings.passes);
    return { route, protocol: PROTOCOLS[protocolOf(route, call)] };
  }

  /** A refusal in the words of the protocol that a request is in. */
  refusal(status: number, why: string, call: IncomingCall): JsonObject {
    return this.#routeOf(call).protocol.error(status, `PactClaw: ${why}`);
  }

  async serve(call: IncomingCall, reply: OutgoingReply): Promise<void> {
    const { route, protocol } = this.#routeOf(call);
    try {
      if (route.kind === 'refused') throw unknownPath(call, route.known);
      if (route.kind === 'passed') await this.#pass(call, reply);
      else await this.#govern(protocol, route.model, call, reply);
    } catch (error) {
      if (reply.signal.aborted) return;
      if (reply.begun) return reply.cut();
      const { status, message } = toFault(error);
      const text = `${JSON.stringify(this.refusal(status, message, call))}\n`;
      reply.refuse(status, { 'content-type': 'application/json' }, text);
    }
  }

  /** Tells the engine what it has not heard yet. To be called before the process ends. */
  flush(): Promise<void> {
    return this.#turns.resting.flush();
  }

  #sessionOf(call: IncomingCall, view: RequestView): LlmSession {
    const holding = (response: string) => this.#sessions.holding(response);
    return this.#sessions.of(sessionIdOf(call, view, this.parts.settings.salt, holding));
  }

  /**
   * An agent that is offered no tools may write its calls as text, which nobody can govern. A lone request without
   * tools is a side request (a title, a summary); a conversation that goes on without them is told of.
   */
  async #lookForTools(session: LlmSession, view: RequestView): Promise<void> {
    if (view.offersTools) session.knownForTools = true;
    else if (this.parts.settings.requireTools)
      throw new RequestFault(
        403,
        'the request offers no tools, and what an agent does without tool calls cannot be governed',
        'Have the client use tool calls; a human may start the proxy without --require-tools.',
      );
    if (view.offersTools || !view.goesOn || session.knownForTools) return;
    session.knownForTools = true;
    this.parts.notice(NO_TOOLS, session.id);
    const { governor, judge } = this.#turns;
    // A receipt that cannot be written holds up nothing: the request can lead to no call.
    await governor.stop(judge.origin(session, session.settle(null)), NO_TOOLS).catch(() => {});
  }

  async #pass(call: IncomingCall, reply: OutgoingReply): Promise<void> {
    const hasBody =
      call.headers['content-length'] !== undefined || call.headers['transfer-encoding'] !== undefined;
    const length = headerOf(call.headers, 'content-length');
    const answer = await this.parts.send(
      {
        method: call.method,
        path: upstreamPath(this.parts.basePath, call.target),
        headers: {
          ...forwarded(call.headers, ['x-pactclaw-session']),
          ...(hasBody && length !== null ? { 'content-length': length } : {}),
        },
        body: hasBody ? call.stream : null,
      },
      reply.signal,
      false,
    );
    assertNoRedirect(answer);
    reply.head(answer.status, forwarded(answer.headers));
    for await (const chunk of answer.chunks) await reply.write(chunk);
    reply.end();
  }

  async #govern(
    protocol: Protocol,
    model: string | null,
    call: IncomingCall,
    reply: OutgoingReply,
  ): Promise<void> {
    protocol.admit?.(call);
    const read = readBody(await call.body(MAX_REQUEST));
    const view = { ...protocol.view(read.body), ...(model === null ? {} : { model }) };
    const session = this.#sessionOf(call, view);
    await this.#lookForTools(session, view);
    // An answer in an encoding could not be judged as it comes.
    const headers = {
      ...forwarded(call.headers, ['accept-encoding', 'content-encoding', 'x-pactclaw-session']),
      'accept-encoding': 'identity',
    };
    const { target, framing } = protocol.asStream?.(call.target) ?? { target: call.target, framing: null };
    const path = upstreamPath(this.parts.basePath, target);
    await new Turn(this.#turns, session, { protocol, view, read, path, headers, framing }, reply).serve();
  }
}
