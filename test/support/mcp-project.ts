import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { Receipt } from '../../src/core/receipt.ts';
import { removeAll } from '../../src/platform/files.ts';
import { temporaryFolder } from './ledger.ts';
import { registryText } from './workspace.ts';

const PACKAGE = process.env.PACTCLAW_TEST_PACKAGE ?? path.resolve(import.meta.dirname, '../..');
const COMMAND = path.join(PACKAGE, 'bin/pactclaw');

/** The server of `fixtures/mcp/misbehaving-server.mjs` as a command line. */
export const MISBEHAVING = [
  process.execPath,
  path.resolve(import.meta.dirname, '../../fixtures/mcp/misbehaving-server.mjs'),
];

/** A project that `pactclaw init` has been run in, and MCP clients that reach their servers through the proxy. */
export class McpProject implements AsyncDisposable {
  readonly folder = temporaryFolder('mcp');
  readonly root = path.join(this.folder, 'project');
  readonly home = path.join(this.folder, 'home');
  readonly clients: Client[] = [];
  readonly #children: ChildProcess[] = [];
  /** What each proxy has said on its standard error. */
  said = '';

  constructor() {
    mkdirSync(this.home);
    this.put('src/a/one.ts', 'before\n');
    this.put('README.md', 'before\n');
    this.put('.orchestration/active_intents.yaml', registryText([{ id: 'INT-001', scope: ['src/a/**'] }]));
    spawnSync('git', ['init', '-q'], { cwd: this.root });
    const { status, stderr } = this.cli('init');
    if (status !== 0) throw new Error(stderr);
  }

  get env(): Record<string, string> {
    return { ...getDefaultEnvironment(), HOME: this.home, PACTCLAW_SERVE: 'off' };
  }

  put(file: string, text: string): void {
    const target = path.join(this.root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  text(file: string): string | null {
    const target = path.join(this.root, file);
    return existsSync(target) ? readFileSync(target, 'utf8') : null;
  }

  cli(...args: string[]) {
    return this.cliIn({}, ...args);
  }

  /** The command line with more in its environment. */
  cliIn(more: Record<string, string>, ...args: string[]) {
    const env = { ...this.env, ...more };
    return spawnSync(COMMAND, args, { cwd: this.root, env, encoding: 'utf8', timeout: 60_000 });
  }

  /** Receipts of calls as `phase tool status`, in the order they were written. */
  receipts(): string[] {
    return (this.text('.orchestration/tool_receipts.log') ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Receipt)
      .filter(({ phase }) => phase !== 'event')
      .map(({ phase, tool, status }) => `${phase} ${tool} ${status}`);
  }

  /** The official client behind `pactclaw mcp proxy ARGS…` on standard streams. */
  async connect(
    args: readonly string[],
    { capabilities = {}, env = {} }: { capabilities?: ClientCapabilities; env?: Record<string, string> } = {},
  ): Promise<Client> {
    const transport = new StdioClientTransport({
      command: COMMAND,
      args: ['mcp', 'proxy', ...args],
      cwd: this.root,
      env: { ...this.env, ...env },
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (chunk: Buffer) => {
      this.said += chunk.toString('utf8');
    });
    return this.#join(new Client({ name: 'a test', version: '1' }, { capabilities }), (client) =>
      client.connect(transport),
    );
  }

  async #join(client: Client, connect: (client: Client) => Promise<void>): Promise<Client> {
    this.clients.push(client);
    await connect(client);
    return client;
  }

  /** Starts a program that prints its address in a line of its own; gives the address. */
  async #listening(command: string, args: readonly string[], env: Record<string, string>): Promise<string> {
    const child = spawn(command, args, {
      cwd: this.root,
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#children.push(child);
    return new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        readline.createInterface({ input: stream }).on('line', (line) => {
          this.said += `${line}\n`;
          const [url] = /http:\/\/\S+\/mcp/.exec(line) ?? [];
          if (url) resolve(url);
        });
      child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${this.said}`)));
    });
  }

  /** `pactclaw mcp proxy ARGS… --listen 127.0.0.1:0`; gives its address. */
  listen(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    return this.#listening(COMMAND, ['mcp', 'proxy', '--listen', '127.0.0.1:0', ...args], env);
  }

  /** The server of `fixtures/mcp/conformance-server.ts`; gives its address. */
  conformanceServer(): Promise<string> {
    const root = path.resolve(import.meta.dirname, '../..');
    const file = path.join(root, 'fixtures/mcp/conformance-server.ts');
    return this.#listening(path.join(root, 'node_modules/.bin/tsx'), [file], {});
  }

  /** The official client at an address. */
  connectTo(url: string, headers: Record<string, string> = {}): Promise<Client> {
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    return this.#join(new Client({ name: 'a test', version: '1' }), (client) =>
      // The SDK types its transport more loosely than the interface it implements.
      client.connect(transport as never),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close().catch(() => undefined)));
    await Promise.all(this.#children.map(end));
    removeAll(this.folder);
  }
}

/** Asks a program and what it started to end, and waits until it has. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}

/** Makes the handshake. */
export async function handshake(client: Client): Promise<void> {
  const answer = await call(client, 'select_active_intent', { intent_id: 'INT-001' });
  if (answer.isError) throw new Error(textOf(answer));
}

export async function call(client: Client, name: string, args: object = {}): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: args as Record<string, unknown> })) as CallToolResult;
}

export function textOf({ content }: CallToolResult): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}
