import { isObject, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import type { Wire, WireHandlers } from '../../src/platform/wire.ts';

/** A wire in memory. Messages are copied through JSON, as on a real one, and arrive a tick later. */
class MemoryWire implements Wire {
  other: MemoryWire | null = null;
  backlog = 0;
  readonly #queue: JsonValue[] = [];
  #handlers: WireHandlers | null = null;
  #closed = false;
  #paused = false;

  start(handlers: WireHandlers): void {
    this.#handlers = handlers;
    this.#flush();
  }

  send(message: object): undefined {
    const copy = JSON.parse(JSON.stringify(message)) as JsonValue;
    queueMicrotask(() => this.other?.deliver(copy));
  }

  deliver(value: JsonValue): void {
    this.#queue.push(value);
    this.#flush();
  }

  #flush(): void {
    while (!this.#paused && !this.#closed && this.#handlers && this.#queue.length > 0)
      this.#handlers.message(this.#queue.shift() as JsonValue);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#flush();
  }

  end(why: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#handlers?.closed(why);
    this.other?.end('it closed the connection');
  }

  async close(): Promise<void> {
    this.end('it was closed');
  }
}

/** An end in memory as the transports of the official packages are, both generations. */
export class SdkTransport {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(private readonly wire: Wire) {}

  async start(): Promise<void> {
    this.wire.start({
      message: (value) => this.onmessage?.(value as never),
      garbage: () => undefined,
      closed: () => this.onclose?.(),
      drained: () => undefined,
    });
  }

  async send(message: object): Promise<void> {
    this.wire.send(message);
  }

  async close(): Promise<void> {
    await this.wire.close();
  }
}

/** Both ends of a connection in memory. */
function pairOfWires(): [MemoryWire, MemoryWire] {
  const [a, b] = [new MemoryWire(), new MemoryWire()];
  a.other = b;
  b.other = a;
  return [a, b];
}

type Message = Readonly<Record<string, JsonValue | undefined>>;

/** One end that a test speaks itself: what came is kept, and can be waited for. */
export class Talker {
  readonly heard: Message[] = [];
  readonly #wire: MemoryWire;
  #waiting: { readonly wanted: (message: Message) => boolean; readonly found: (message: Message) => void }[] =
    [];
  #next = 1000;
  closed: string | null = null;
  answers: (request: Message) => JsonObject | null | Promise<JsonObject | null> = () => null;

  constructor(wire: MemoryWire) {
    this.#wire = wire;
    wire.start({
      message: (value) => this.#take(value),
      garbage: () => undefined,
      closed: (why) => {
        this.closed = why;
      },
      drained: () => undefined,
    });
  }

  #take(value: JsonValue): void {
    const message = value as Message;
    this.heard.push(message);
    if (isObject(value) && value.method !== undefined && value.id !== undefined) void this.#reply(message);
    this.#waiting = this.#waiting.filter(({ wanted, found }) => {
      if (!wanted(message)) return true;
      found(message);
      return false;
    });
  }

  async #reply(request: Message): Promise<void> {
    const answer = await this.answers(request);
    if (answer) this.say({ id: request.id ?? null, ...answer });
  }

  /** Sends a message as it is, with the version added. */
  say(message: JsonValue): void {
    this.#wire.send((isObject(message) ? { jsonrpc: '2.0', ...message } : message) as object);
  }

  /** The first message, heard or to come, for which `wanted` holds. */
  hears(wanted: (message: Message) => boolean): Promise<Message> {
    const known = this.heard.find(wanted);
    if (known) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`never heard: ${wanted} in ${JSON.stringify(this.heard).slice(0, 2000)}`)),
        5_000,
      );
      this.#waiting.push({
        wanted,
        found: (message) => {
          clearTimeout(timer);
          resolve(message);
        },
      });
    });
  }

  /** Sends a request and waits for its answer. */
  ask(method: string, params?: JsonObject): Promise<Message> {
    this.#next += 1;
    const id = this.#next;
    this.say({ id, method, ...(params ? { params } : {}) });
    return this.hears((message) => message.id === id && message.method === undefined);
  }

  count(method: string): number {
    return this.heard.filter((message) => message.method === method).length;
  }

  close(): void {
    this.#wire.end('it went away');
  }
}

/** How a fake server answers what is asked of it; null leaves the request unanswered. */
export type Answers = Readonly<
  Record<string, (params: JsonObject, request: Message) => JsonObject | null | Promise<JsonObject | null>>
>;

export const TOOL = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  ...more,
});

/** A server of a test's own; each connection to it is a Talker. */
export class FakeServer {
  readonly connections: Talker[] = [];
  tools: JsonObject[];
  capabilities: JsonObject = { tools: {} };
  /** What the next connection does instead of answering `initialize`, when set. */
  refuses: string | null = null;

  constructor(
    readonly name: string,
    tools: readonly string[],
    public answers: Answers = {},
  ) {
    this.tools = tools.map((tool) => TOOL(tool));
  }

  get plan() {
    return { name: this.name, source: `start ${this.name}`, cwd: '/', open: () => this.#open() };
  }

  get last(): Talker {
    const talker = this.connections.at(-1);
    if (!talker) throw new Error(`${this.name} was never connected to`);
    return talker;
  }

  #open(): Wire {
    const [ours, theirs] = pairOfWires();
    const talker = new Talker(theirs);
    talker.answers = (request) => this.#answer(request);
    this.connections.push(talker);
    return ours;
  }

  #answer(request: Message): JsonObject | null | Promise<JsonObject | null> {
    const method = String(request.method);
    const params = (request.params ?? {}) as JsonObject;
    const own = this.answers[method];
    if (own) return own(params, request);
    if (method === 'initialize') {
      if (this.refuses !== null) return { error: { code: -32603, message: this.refuses } };
      const { protocolVersion } = params;
      return {
        result: {
          protocolVersion: protocolVersion ?? '',
          capabilities: this.capabilities,
          serverInfo: { name: this.name, version: '1' },
        },
      };
    }
    if (method === 'tools/list') return { result: { tools: this.tools } };
    if (method === 'tools/call') return { result: { content: [{ type: 'text', text: 'done' }] } };
    return { error: { code: -32601, message: 'Method not found' } };
  }
}

export { pairOfWires };
