import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { digestOf } from '../../src/core/digest.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Receipt } from '../../src/core/receipt.ts';
import type { ToolCall } from '../../src/core/tool-call.ts';
import type { TraceRecord } from '../../src/core/trace-record.ts';
import { HANDSHAKE_TOOL, type SessionState } from '../../src/core/words.ts';
import { createEngine, type HookEngine } from '../../src/hooks/engine.ts';
import type { EventAnswer, EventOrigin, PreToolAnswer } from '../../src/hooks/requests.ts';
import { type Workspace, workspaceAt } from '../../src/hooks/workspace.ts';
import { newSidecar, openStore, temporaryFolder } from './ledger.ts';

/** An intent as a human would write it. */
export interface IntentText {
  readonly id: string;
  readonly status?: string;
  readonly scope?: readonly string[];
  readonly budget?: string;
}

/** The registry's text, with comments and a key of the human's own (H-47). */
export function registryText(intents: readonly IntentText[]): string {
  const items = intents.map(
    ({ id, status = 'IN_PROGRESS', scope = ['src/components/**'], budget }) => `  - id: ${id} # the id
    name: "Work of ${id}"
    status: ${status} # set by a human
    ticket: KEEP-${id}
    owned_scope:
${scope.map((glob) => `      - '${glob}'\n`).join('')}    constraints: ['keep it small']
    acceptance_criteria: []
${budget === undefined ? '' : `    budget: ${budget}\n`}`,
  );
  return `# the human's own words\nactive_intents:\n${items.join('\n')}# the end\n`;
}

/** One agent's session on a workspace, with the tools that a host would have. */
export class Agent {
  #calls = 0;

  constructor(
    private readonly place: TestWorkspace,
    readonly id: string,
  ) {}

  get origin(): EventOrigin {
    return { sessionId: this.id, host: 'test', transcript: null };
  }

  get state(): SessionState {
    return this.place.session(this.id).state;
  }

  call(more: Partial<ToolCall>, args: JsonObject = {}): ToolCall {
    this.#calls += 1;
    const tool = more.tool ?? 'file_write';
    return {
      callId: `${this.id}-${this.#calls}`,
      sessionId: this.id,
      tool,
      hostTool: tool,
      kind: 'write',
      mutating: true,
      declared: true,
      targets: [],
      args,
      identity: digestOf({ tool, args }),
      cwd: this.place.root,
      ...more,
    };
  }

  pre(call: ToolCall): Promise<PreToolAnswer> {
    return this.place.engine.preToolUse({ ...this.origin, call });
  }

  post(call: ToolCall, ok = true): Promise<EventAnswer> {
    return this.place.engine.postToolUse({ ...this.origin, call, ok, result: { done: ok } });
  }

  prompt(byHuman = true): Promise<EventAnswer> {
    return this.place.engine.userPrompt(this.origin, byHuman);
  }

  /** Runs a call as a host does: asks, acts when allowed, reports. */
  async use(
    call: ToolCall,
    act: () => void = () => undefined,
  ): Promise<PreToolAnswer & { after?: EventAnswer }> {
    const answer = await this.pre(call);
    if (answer.decision.verdict !== 'allow') return answer;
    act();
    return { ...answer, after: await this.post(call) };
  }

  select(intentId: unknown, reasoning?: string): Promise<PreToolAnswer> {
    const args = { intent_id: intentId, ...(reasoning === undefined ? {} : { reasoning }) } as JsonObject;
    return this.use(this.call({ tool: HANDSHAKE_TOOL, kind: 'control', mutating: false }, args));
  }

  /** Begins a request and selects an intent. */
  async begin(intentId: string): Promise<PreToolAnswer> {
    await this.prompt();
    return this.select(intentId);
  }

  write(file: string, content = `by ${this.id}\n`): Promise<PreToolAnswer & { after?: EventAnswer }> {
    const call = this.call({ targets: [{ path: file, role: 'write' }] }, { file, content });
    return this.use(call, () => this.place.put(file, content));
  }

  read(file: string): Promise<PreToolAnswer> {
    const targets = [{ path: file, role: 'read' as const }];
    return this.use(this.call({ tool: 'file_read', kind: 'read', mutating: false, targets }, { file }));
  }

  /** A shell command; `act` is what it does. */
  shell(command: string, act: () => void): Promise<PreToolAnswer & { after?: EventAnswer }> {
    return this.use(this.call({ tool: 'shell', kind: 'execute', command }, { command }), act);
  }
}

/** A temporary workspace with the engine on it. */
export class TestWorkspace implements Disposable {
  readonly base = temporaryFolder('engine');
  readonly root: string;
  readonly workspace: Workspace;
  readonly engine: HookEngine;
  readonly #home = process.env.HOME;

  constructor(intents: readonly IntentText[], files: readonly string[] = []) {
    mkdirSync(`${this.base}/home`);
    process.env.HOME = `${this.base}/home`;
    const { root, intents: registry } = newSidecar(this.base, 'ws');
    writeFileSync(registry, registryText(intents));
    this.root = root;
    for (const file of files) this.put(file, 'before\n');
    this.workspace = workspaceAt(root, '', { busyMs: 2_000, snapshotMs: 20_000 });
    this.engine = createEngine(this.workspace);
  }

  agent(id: string): Agent {
    return new Agent(this, id);
  }

  put(file: string, content: string): void {
    mkdirSync(path.dirname(`${this.root}/${file}`), { recursive: true });
    writeFileSync(`${this.root}/${file}`, content);
  }

  text(file: string): string | null {
    return existsSync(`${this.root}/${file}`) ? readFileSync(`${this.root}/${file}`, 'utf8') : null;
  }

  get registry(): string {
    return readFileSync(this.workspace.layout.intents, 'utf8');
  }

  /** A human's edit of the registry. */
  edit(from: string | RegExp, to: string): void {
    const edited = this.registry.replace(from, to);
    if (edited === this.registry) throw new Error(`the registry has no ${from}`);
    writeFileSync(this.workspace.layout.intents, edited);
  }

  /** A human sets an intent's status. */
  setStatus(id: string, status: string): void {
    this.edit(new RegExp(`(id: ${id} [\\s\\S]*?status: )\\w+`), `$1${status}`);
  }

  statusOf(id: string): string | undefined {
    return new RegExp(`id: ${id} [\\s\\S]*?status: (?:&\\w+ )?(\\w+)`).exec(this.registry)?.[1];
  }

  session(id: string) {
    using store = openStore(this.workspace.layout);
    return store.session(id);
  }

  usage(id: string) {
    using store = openStore(this.workspace.layout);
    return store.usage(id);
  }

  receipts(): Receipt[] {
    return linesOf<Receipt>(this.workspace.layout.receipts);
  }

  trace(): TraceRecord[] {
    return linesOf<TraceRecord>(this.workspace.layout.trace);
  }

  [Symbol.dispose](): void {
    if (this.#home === undefined) delete process.env.HOME;
    else process.env.HOME = this.#home;
    rmSync(this.base, { recursive: true, force: true });
  }
}

function linesOf<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
