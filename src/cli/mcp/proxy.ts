import path from 'node:path';
import { PactError } from '../../core/errors.ts';
import { ResidentEngines } from '../../hooks/resident.ts';
import { loadSettings } from '../../hooks/settings/settings.ts';
import type { Workspace } from '../../hooks/workspace.ts';
import { Store } from '../../ledger/store.ts';
import {
  assertServerName,
  checkedUrl,
  hostNameOf,
  parseServers,
  type ServerConfig,
  serverNameOf,
  sourceOf,
} from '../../mcp/server-config.ts';
import type { ServerPlan } from '../../mcp/upstream.ts';
import { startChild } from '../../platform/child-wire.ts';
import { newUuid } from '../../platform/clock.ts';
import { markOfAny } from '../../platform/file-mark.ts';
import { readIfThere } from '../../platform/files.ts';
import { isLoopback } from '../../platform/http-admission.ts';
import { ownErrors, ownWire } from '../../platform/own-wire.ts';
import { pollFile, watchFile } from '../../platform/watch.ts';
import type { Wire } from '../../platform/wire.ts';
import { checkPins } from '../../proxy/mcp/pin-keeper.ts';
import type { ProxyPorts, SessionOptions } from '../../proxy/mcp/ports.ts';
import { Session } from '../../proxy/mcp/session.ts';
import { usageError } from '../command.ts';
import { installFolder, openWorkspace } from '../context.ts';
import { type ListenPlace, toListenPlace } from '../listen-place.ts';
import { logNewsLater } from '../operator-log.ts';
import { ownToolsOf } from './own-tools.ts';

declare const PACTCLAW_VERSION: string;

/** Options of `pactclaw mcp proxy`. */
export interface ProxyOptions {
  readonly config?: string;
  readonly url?: string;
  readonly header?: readonly string[];
  readonly name?: string;
  readonly intent?: string;
  readonly timeout?: number;
  readonly listen?: string;
  readonly workspace?: string;
}

/** How often the pins are looked at for a human's word, in milliseconds. */
const PINS_MS = 500;
/** Never given to a server: what lets a client in here is none of its business. */
const TOKEN = 'PACTCLAW_MCP_TOKEN';

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      if (at < 1) throw usageError(`--header ${line.slice(0, 40)} is not "Name: value"`);
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

function fromFile(file: string): ServerConfig[] {
  const bytes = readIfThere(file);
  if (bytes) return parseServers(bytes.toString('utf8'), file, process.env);
  throw new PactError('NOT_FOUND', 'the file of servers is missing', 'Name an mcp.json.', { file });
}

/** The servers that the command line names: in one of three ways. */
function serversOf(command: readonly string[], options: ProxyOptions): ServerConfig[] {
  const ways = [command.length > 0, options.config !== undefined, options.url !== undefined];
  if (ways.filter(Boolean).length !== 1)
    throw usageError('name the servers in one way: -- COMMAND, --config FILE or --url URL');
  if (options.config !== undefined) {
    if (options.name !== undefined) throw usageError('--name is for one server; --config names its own');
    return fromFile(path.resolve(options.config));
  }
  if (options.header !== undefined && options.url === undefined) throw usageError('--header goes with --url');
  const [program = '', ...args] = command;
  const server: ServerConfig =
    options.url !== undefined
      ? {
          name: options.name ?? hostNameOf(checkedUrl(options.url)),
          url: checkedUrl(options.url),
          headers: headersOf(options.header ?? []),
        }
      : { name: options.name ?? serverNameOf(program, args), command: program, args, env: {}, cwd: null };
  assertServerName(server.name);
  return [server];
}

/**
 * The address of the server that the clients' own authorization is for: a single one behind HTTP, for which the human
 * has given none, of a proxy that asks for no token of its own.
 */
function protectedOf(configs: readonly ServerConfig[], token: string | null): string | null {
  const [config, ...others] = configs;
  if (token !== null || others.length > 0 || !config || !('url' in config)) return null;
  const isGiven = Object.keys(config.headers).some((name) => name.toLowerCase() === 'authorization');
  return isGiven ? null : config.url;
}

async function planOf(
  config: ServerConfig,
  workspace: Workspace,
  passes: boolean,
  log: (text: string) => void,
): Promise<ServerPlan> {
  const common = { name: config.name, source: sourceOf(config) };
  if ('url' in config) {
    const { HttpWire } = await import('../../platform/http-wire.ts');
    return {
      ...common,
      cwd: workspace.ground.root,
      remote: true,
      open: (authorization) =>
        new HttpWire(config.url, config.headers, passes ? (authorization ?? null) : null),
    };
  }
  const cwd = path.resolve(config.cwd ?? '.');
  const { command, args } = config;
  const env = { ...config.env, [TOKEN]: undefined };
  const said = (line: string) => log(`[${config.name}] ${line}`);
  return { ...common, cwd, open: () => startChild({ command, args, cwd, env, said }) };
}

/** The human's declarations of tools, read again when the file has changed. */
function rulesOf(workspace: Workspace): ProxyPorts['rules'] {
  let mark: string | null = null;
  let rules: Awaited<ReturnType<ProxyPorts['rules']>> = {};
  return async () => {
    const now = markOfAny(workspace.layout.config);
    if (now === mark) return rules;
    using store = Store.open(workspace.layout, workspace);
    rules = (await loadSettings(workspace, store)).policy.mcpTools;
    mark = now;
    return rules;
  };
}

/** Everything of one proxy that its sessions share. */
class Sessions {
  readonly #sessions = new Set<Session>();
  readonly #watchers: { close(): Promise<void> }[] = [];

  constructor(
    workspace: Workspace,
    private readonly ports: ProxyPorts,
    private readonly options: Omit<SessionOptions, 'sessionId'>,
  ) {
    const each = (work: (session: Session) => unknown) => () => {
      for (const session of this.#sessions) work(session);
    };
    this.#watchers.push(
      watchFile(
        workspace.layout.intents,
        each((session) => session.intentsChanged()),
      ),
      pollFile(
        workspace.layout.mcpPins,
        PINS_MS,
        each((session) => session.recheck()),
      ),
    );
  }

  /** Serves one client until it is gone. */
  async serve(wire: Wire): Promise<void> {
    const session = new Session(wire, { ...this.options, sessionId: `mcp-${newUuid()}` }, this.ports);
    this.#sessions.add(session);
    session.start();
    await session.ended;
    this.#sessions.delete(session);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.close()));
    await Promise.all(this.#watchers.map((watcher) => watcher.close()));
  }
}

/** Resolves when somebody asks the process to end. */
function askedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

async function serveHttp(
  place: ListenPlace,
  token: string | null,
  guarded: string | null,
  all: Sessions,
  log: (text: string) => void,
): Promise<void> {
  const { listen } = await import('../../platform/http-listener.ts');
  const { ProtectedServer } = await import('../../platform/http-protected.ts');
  const behind = guarded === null ? null : new ProtectedServer(guarded);
  const listener = await listen({ ...place, token, behind, serve: (wire) => void all.serve(wire) });
  log(`listening on ${listener.url}`);
  await askedToEnd();
  await listener.close();
}

/** `pactclaw mcp proxy`: governs every call that an MCP client makes of the servers behind it. */
export async function proxy(command: readonly string[], options: ProxyOptions): Promise<void> {
  const configs = serversOf(command, options);
  const place = options.listen === undefined ? null : toListenPlace(options.listen);
  const token = process.env[TOKEN] || null;
  if (place !== null && token === null && !isLoopback(place.host))
    throw usageError(
      `--listen ${place.host} is open to other machines: set ${TOKEN}, or listen on 127.0.0.1`,
    );
  const workspace = openWorkspace(options.workspace);
  const say = ownErrors();
  const log = (text: string) => say(`pactclaw: ${text}`);
  // One process serves many calls: it keeps the state open between them.
  const { busyMs, snapshotMs } = workspace;
  const engines = new ResidentEngines(installFolder(), { busyMs, snapshotMs, told: logNewsLater });
  const engine = engines.engineAt(workspace.layout.root);
  const ports: ProxyPorts = {
    engine,
    own: ownToolsOf(workspace, engine),
    version: PACTCLAW_VERSION,
    rules: rulesOf(workspace),
    checkPins: (server, source, tools) => checkPins(workspace, server, source, tools),
    log,
  };
  const guarded = place === null ? null : protectedOf(configs, token);
  const servers = await Promise.all(
    configs.map((config) => planOf(config, workspace, guarded !== null, log)),
  );
  const all = new Sessions(workspace, ports, {
    servers,
    intent: options.intent ?? null,
    timeoutMs: options.timeout === undefined ? null : options.timeout * 1000,
  });
  try {
    if (place === null) await Promise.race([all.serve(ownWire()), askedToEnd()]);
    else await serveHttp(place, token, guarded, all, log);
  } finally {
    await all.close();
    await engines.prove();
    engines.close();
  }
  // A server's grandchild may hold a stream of ours open.
  process.exit();
}
