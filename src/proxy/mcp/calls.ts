import type { McpToolRule } from '../../config/policy.ts';
import { messageOf, PactError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { Catalogues } from '../../mcp/catalogue.ts';
import { type Answer, CODES, failure, toolError } from '../../mcp/message.ts';
import type { Upstream } from '../../mcp/upstream.ts';
import { type CallPlace, decodeOwnCall, decodeRead, decodeToolCall, decodeUnknown } from './decode.ts';
import type { Flight } from './flights.ts';
import type { Footing } from './footing.ts';
import type { Governor, Hints } from './governor.ts';
import { type OwnTool, ownTool, runOwnTool } from './own-tools.ts';
import type { ProxyPorts, SessionOptions } from './ports.ts';
import type { Route, Routes } from './routes.ts';
import { whichTool } from './shown.ts';
import { Tasks, taskIn } from './tasks.ts';

/** Requests that read what a server has: governed as reads. */
const READS: ReadonlySet<string> = new Set([
  'resources/read',
  'resources/subscribe',
  'prompts/get',
  'completion/complete',
]);

/** The client's own id of the call, by which the engine can tell that another door judges the same one. */
function hintsOf(params: JsonObject): Hints {
  const id = isObject(params._meta) ? params._meta['claudecode/toolUseId'] : undefined;
  return typeof id === 'string' && id !== '' ? { outerCallId: id.slice(0, 256) } : {};
}

/** What went wrong before a call could be judged: it is not run. */
export function failureOf(error: unknown): Answer {
  if (error instanceof PactError) return toolError(`${error.message}\n${error.remedy}`);
  return failure(CODES.internal, messageOf(error));
}

/** The calls of one client that the engine judges. */
export class Calls {
  #calls = 0;
  readonly tasks: Tasks;

  constructor(
    private readonly options: SessionOptions,
    private readonly ports: ProxyPorts,
    private readonly upstreams: readonly Upstream[],
    private readonly catalogues: Catalogues,
    private readonly routes: Routes,
    private readonly governor: Governor,
    private readonly footing: Footing,
  ) {
    this.tasks = new Tasks(upstreams, (flight, route) => this.pass(flight, route));
  }

  #place(cwd: string): CallPlace {
    this.#calls += 1;
    return { sessionId: this.options.sessionId, callId: `${this.options.sessionId}:${this.#calls}`, cwd };
  }

  get #cwd(): string {
    return this.options.servers[0]?.cwd ?? '/';
  }

  /** A call of a tool: ours, or a server's under the name that is shown for it. */
  async callTool(flight: Flight, params: JsonObject): Promise<Answer> {
    const { name, ...rest } = params;
    const args = rest.arguments ?? {};
    if (typeof name !== 'string' || name === '')
      return failure(CODES.invalidParams, 'tools/call names no tool');
    if (!isObject(args)) return failure(CODES.invalidParams, 'the arguments of a tool must be an object');
    const own = ownTool(name);
    if (own) return this.callOwn(own, args, rest);
    const target = whichTool(name, this.upstreams);
    const server = target?.upstream.name ?? 'unknown';
    const tool = target?.tool ?? name;
    const rules = await this.ports.rules().catch(() => ({}));
    const rule = Object.hasOwn(rules, `${server}/${tool}`)
      ? (rules as Readonly<Record<string, McpToolRule>>)[`${server}/${tool}`]
      : undefined;
    const place = this.#place(target?.upstream.plan.cwd ?? this.#cwd);
    const call = decodeToolCall(place, server, tool, name, args, rule);
    // Who wished for a task takes a task or a JSON-RPC error, and no tool's error (specification 2025-11-25, Tasks).
    const refuse = isObject(rest.task) ? (text: string) => failure(CODES.refused, text) : toolError;
    const perform = async (): Promise<Answer> => {
      if (!target) return failure(CODES.invalidParams, `Unknown tool: ${name}`);
      const { tools, held } = await this.catalogues.of(target.upstream);
      if (held !== null) {
        this.ports.log(held);
        return refuse(held);
      }
      if (!tools.has(tool)) return failure(CODES.invalidParams, `Unknown tool: ${name}`);
      const answer = await flight.forward(target.upstream, { ...rest, name: tool }, this.options.timeoutMs);
      if ('result' in answer) target.upstream.noteHealth();
      const state = taskIn(answer);
      if (state !== null && !this.tasks.hasRoomFor(state)) {
        Tasks.cancel(target.upstream, state);
        return refuse(`MCP server ${server} began a task under an id that is in use, or too many of them.`);
      }
      // The model can do something about a server that is gone, as about a tool that failed.
      return 'error' in answer && answer.error.code === CODES.gone
        ? refuse(String(answer.error.message))
        : answer;
    };
    let begun: JsonObject | null = null;
    const answer = await this.governor.govern(call, hintsOf(rest), refuse, perform, (given, end) => {
      begun = taskIn(given);
      return target !== null && begun !== null && this.tasks.adopt(target.upstream, begun, end);
    });
    // Nobody learns of the task: the client took its call back, or hears an alarm instead.
    if (target && begun && (flight.cancelled || taskIn(answer) === null))
      Tasks.cancel(target.upstream, begun);
    return answer;
  }

  /** A request about tasks. What a client tells a task is judged as a read; the rest only shows or ends what was judged. */
  async aboutTasks(flight: Flight, params: JsonObject): Promise<Answer> {
    const { method } = flight.request;
    if (method !== 'tasks/update') return this.tasks.answer(flight);
    const call = decodeRead(this.#place(this.#cwd), this.tasks.serverOf(params), method, params);
    const refuse = (text: string) => failure(CODES.refused, text);
    return this.governor.govern(call, hintsOf(params), refuse, () => this.tasks.answer(flight));
  }

  /** A call of one of our own tools. */
  async callOwn(tool: OwnTool, args: JsonObject, rest: JsonObject = {}): Promise<Answer> {
    const call = decodeOwnCall(this.#place(this.#cwd), tool, args);
    // The handshake is this session's own, whoever else has seen the call.
    const hints = tool.name === HANDSHAKE_TOOL ? {} : hintsOf(rest);
    const answer = await this.governor.govern(call, hints, toolError, async () => ({
      result: (await runOwnTool(tool, this.ports.own, args)) as unknown as JsonObject,
    }));
    if (tool.name === HANDSHAKE_TOOL) await this.footing.look();
    return answer;
  }

  /** Reading a resource, a prompt or completions, or a method that nobody here knows. */
  async request(flight: Flight, params: JsonObject): Promise<Answer> {
    const { method } = flight.request;
    const route = await this.routes.route(params);
    const server = route?.upstream.name ?? 'unknown';
    const place = this.#place(route?.upstream.plan.cwd ?? this.#cwd);
    const decode = READS.has(method) ? decodeRead : decodeUnknown;
    const refuse = (text: string) => failure(CODES.refused, text);
    return this.governor.govern(decode(place, server, method, params), hintsOf(params), refuse, async () => {
      if (route) return this.pass(flight, route);
      const isKnown = READS.has(method);
      return isKnown
        ? failure(CODES.invalidParams, `no server has what ${method} asks for`)
        : failure(CODES.methodNotFound, `nobody can tell which server ${method} is for`);
    });
  }

  /** Passes a request on, unless its server is held back. */
  async pass(flight: Flight, { upstream, params }: Route): Promise<Answer> {
    const { held } = await this.catalogues.of(upstream);
    if (held === null) return flight.forward(upstream, params, this.options.timeoutMs);
    this.ports.log(held);
    return failure(CODES.refused, held);
  }
}
