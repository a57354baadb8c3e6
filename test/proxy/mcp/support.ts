import { ownToolsOf } from '../../../src/cli/mcp/own-tools.ts';
import type { McpToolRule } from '../../../src/config/policy.ts';
import { isObject, type JsonObject } from '../../../src/core/json.ts';
import type { HookEngine } from '../../../src/hooks/engine.ts';
import type { Wire } from '../../../src/platform/wire.ts';
import { checkPins } from '../../../src/proxy/mcp/pin-keeper.ts';
import { Session } from '../../../src/proxy/mcp/session.ts';
import { type FakeServer, pairOfWires, Talker } from '../../support/mcp.ts';
import { type IntentText, TestWorkspace } from '../../support/workspace.ts';

const INTENTS: readonly IntentText[] = [{ id: 'INT-001', scope: ['src/a/**'] }];

interface Options {
  readonly engine?: Partial<HookEngine>;
  readonly intents?: readonly IntentText[];
  readonly intent?: string;
  readonly timeoutMs?: number;
  /** Takes the client's end, where the test's own client does not. */
  readonly client?: (wire: Wire) => void;
  readonly rules?: Readonly<Record<string, McpToolRule>>;
}

/** A client, the proxy and its servers in one process, on a workspace of the test's own with the real engine. */
export class Stage implements AsyncDisposable {
  readonly place: TestWorkspace;
  readonly client: Talker;
  readonly session: Session;
  readonly logged: string[] = [];
  readonly id = 'client-1';

  constructor(
    readonly servers: readonly Pick<FakeServer, 'plan'>[],
    options: Options = {},
  ) {
    this.place = new TestWorkspace(options.intents ?? INTENTS, ['src/a/one.ts', 'README.md']);
    const { engine: whole } = this.place;
    // By way of the place, so that a test can put another in while it runs.
    const engine: HookEngine = {
      ...whole,
      postToolUse: (request) => this.place.engine.postToolUse(request),
      ...options.engine,
    };
    const [inside, outside] = pairOfWires();
    // With a client of another make, the test's own talks to nobody.
    this.client = new Talker(options.client ? pairOfWires()[0] : outside);
    options.client?.(outside);
    this.session = new Session(
      inside,
      {
        servers: servers.map(({ plan }) => ({ ...plan, cwd: this.place.root })),
        sessionId: this.id,
        intent: options.intent ?? null,
        timeoutMs: options.timeoutMs ?? null,
      },
      {
        engine,
        own: ownToolsOf(this.place.workspace, engine),
        version: '0',
        rules: async () => options.rules ?? {},
        checkPins: (server, source, tools) => checkPins(this.place.workspace, server, source, tools),
        log: (text) => this.logged.push(text),
      },
    );
    this.session.start();
  }

  /** Says hello as a client does; returns the answer to `initialize`. */
  async begin(capabilities: JsonObject = {}): Promise<JsonObject> {
    const answer = await this.client.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name: 'a test', version: '1' },
    });
    this.client.say({ method: 'notifications/initialized' });
    return (answer.result ?? answer.error) as JsonObject;
  }

  /** Says hello and makes the handshake. */
  async act(capabilities?: JsonObject): Promise<void> {
    await this.begin(capabilities);
    const text = textOf(await this.call('select_active_intent', { intent_id: 'INT-001' }));
    if (!text.includes('owned_scope')) throw new Error(`the handshake failed: ${text}`);
  }

  async call(name: string, args: JsonObject = {}, more: JsonObject = {}): Promise<JsonObject> {
    const answer = await this.client.ask('tools/call', { name, arguments: args, ...more });
    return (answer.result ?? answer.error) as JsonObject;
  }

  async tools(): Promise<string[]> {
    const { result } = await this.client.ask('tools/list');
    if (!isObject(result) || !Array.isArray(result.tools)) throw new Error('no list of tools');
    return result.tools.map((tool) => (isObject(tool) ? String(tool.name) : ''));
  }

  /** Receipts of this session's calls, as `phase tool status`. */
  receipts(): string[] {
    return this.place
      .receipts()
      .filter(({ phase }) => phase !== 'event')
      .map(({ phase, tool, status }) => `${phase} ${tool} ${status}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.close();
    this.place[Symbol.dispose]();
  }
}

/** The first text of a tool's result, or the message of an error. */
export function textOf(result: JsonObject): string {
  const [first] = Array.isArray(result.content) ? result.content : [];
  return isObject(first) ? String(first.text) : String(result.message);
}
