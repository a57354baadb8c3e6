import type { Command } from 'commander';
import { PactError } from '../../core/errors.ts';
import { ResidentEngines } from '../../hooks/resident.ts';
import { randomHex } from '../../platform/clock.ts';
import { realFolder } from '../../platform/files.ts';
import { httpClient } from '../../platform/http-client.ts';
import { listenHttp } from '../../platform/http-server.ts';
import { LlmDoor } from '../../proxy/llm/door.ts';
import { example, gather, toCount, usageError } from '../command.ts';
import { installFolder, workspaceRoot } from '../context.ts';
import { decoderOf, KNOWN_CLIENTS } from '../llm-decoder.ts';
import { say, tell } from '../output.ts';

const DEFAULT_LISTEN = '127.0.0.1:8790';
/** Of the context, before old results are left out (H-98). */
const DEFAULT_SHARE = 0.8;
/** Bounds of one event, in milliseconds, and of the log that is read from its beginning for one, in bytes. */
const ENGINE = { busyMs: 12_000, snapshotMs: 15_000, readLimit: 4 << 20 } as const;

interface Options {
  readonly upstream: string;
  readonly listen: string;
  readonly workspace?: string;
  readonly host?: string;
  readonly allowProviderTool?: readonly string[];
  readonly contextTokens?: number;
  readonly json?: boolean;
}

/** The provider's address, taken apart. */
function upstreamOf(text: string): { readonly origin: string; readonly basePath: string } {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw usageError(`--upstream ${text} is no URL, for example https://api.anthropic.com`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw usageError('--upstream must be http or https');
  if (url.username !== '' || url.password !== '' || url.search !== '')
    throw usageError('--upstream takes no user, password or query: keys come with each request');
  return { origin: url.origin, basePath: url.pathname.replace(/\/+$/, '') };
}

function placeOf(text: string): { readonly host: string; readonly port: number } {
  const match = /^(?:(.+):)?(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (!match || port > 65_535) throw usageError(`--listen ${text} is not ADDRESS:PORT`);
  return { host: (match[1] ?? '127.0.0.1').replace(/^\[|\]$/g, ''), port };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

async function listen(
  place: { readonly host: string; readonly port: number },
  door: LlmDoor,
): ReturnType<typeof listenHttp> {
  try {
    return await listenHttp(place, (call, reply) => door.serve(call, reply));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${code || String(error)})`;
    throw new PactError(
      'UNAVAILABLE',
      `${place.host}:${place.port} ${why}`,
      'Choose another --listen; port 0 takes any free one.',
    );
  }
}

async function proxy(options: Options): Promise<void> {
  const { origin, basePath } = upstreamOf(options.upstream);
  const place = placeOf(options.listen);
  const root = realFolder(workspaceRoot(options.workspace));
  const engines = new ResidentEngines(installFolder(), ENGINE);
  const client = httpClient(origin);
  const host = options.host ?? 'llm';
  if (!/^[\w.-]{1,64}$/.test(host)) throw usageError(`--host ${host} is no name of a host`);
  const allowed = new Set(options.allowProviderTool ?? []);
  const door = new LlmDoor({
    governor: engines.engineAt(root),
    decode: decoderOf(host),
    settings: {
      host,
      cwd: root,
      salt: randomHex(32),
      providerRuns: (type) => allowed.has(type),
      contextTokens: options.contextTokens ?? null,
      compactAt: DEFAULT_SHARE,
    },
    basePath,
    send: (ask, signal, decoded) => client.send(ask, signal, decoded),
    loopback: isLoopback(place.host),
  });
  const server = await listen(place, door);
  const shown = place.host.includes(':') ? `[${place.host}]` : place.host;
  const url = `http://${shown}:${server.port}`;
  if (options.json)
    say(
      JSON.stringify({
        url,
        port: server.port,
        upstream: options.upstream,
        workspace: root,
      }),
    );
  else {
    say(`listening on ${url}, upstream ${options.upstream}, workspace ${root}`);
    say(`  ANTHROPIC_BASE_URL=${url}  OPENAI_BASE_URL=${url}/v1`);
  }
  if (!isLoopback(place.host)) tell('pactclaw: others on the network can reach this address');
  const leave = () => {
    void Promise.allSettled([server.close(), client.close()])
      .then(() => door.flush())
      .then(() => engines.close())
      .finally(() => process.exit(0));
  };
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
}

/** `pactclaw llm proxy`: the door in front of a language model. */
export function register(program: Command): void {
  const llm = program.command('llm').description('govern agents at the language model that they talk to');
  const command = llm
    .command('proxy')
    .description(
      'HTTP proxy for Anthropic Messages, OpenAI chat/completions and Responses: judges tool calls before the client sees them',
    )
    .requiredOption(
      '--upstream <url>',
      'the provider, for example https://api.anthropic.com or https://api.openai.com/v1',
    )
    .option('--listen <address:port>', 'where to listen; port 0 takes a free one', DEFAULT_LISTEN)
    .option('--workspace <dir>', 'workspace folder (default: the nearest one with .orchestration)')
    .option('--host <name>', `the agent host whose tools the client has: ${KNOWN_CLIENTS.join(', ')}`)
    .option(
      '--allow-provider-tool <type>',
      'let the provider run tools of this type by itself, ungoverned; repeatable',
      gather,
    )
    .option(
      '--context-tokens <count>',
      'context of the model; old tool results are left out at 0.8 of it (default: what is known of the model)',
      toCount,
    )
    .option('--json', 'print one line of JSON when ready')
    .action(async (_options: Options, self: Command) => proxy(self.optsWithGlobals<Options>()));
  example(
    command,
    'pactclaw llm proxy --upstream https://api.anthropic.com',
    'ANTHROPIC_BASE_URL=http://127.0.0.1:8790 claude',
  );
}
