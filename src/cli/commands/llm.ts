import type { Command } from 'commander';
import { isLoopback } from '../../platform/http-admission.ts';
import { example, gather, toCount, usageError } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { toListenPlace } from '../listen-place.ts';
import { KNOWN_CLIENTS } from '../llm/decoder.ts';
import { startLlmDoor } from '../llm/start.ts';
import { say, tell } from '../output.ts';

const DEFAULT_LISTEN = '127.0.0.1:8790';
interface Options {
  readonly upstream: string;
  readonly listen: string;
  readonly workspace?: string;
  readonly host?: string;
  readonly allowProviderTool?: readonly string[];
  readonly contextTokens?: number;
  readonly hideTools?: boolean;
  readonly requireTools?: boolean;
  readonly passPath?: readonly string[];
  readonly json?: boolean;
}

async function proxy(options: Options): Promise<void> {
  const place = toListenPlace(options.listen);
  const workspace = openWorkspace(options.workspace);
  const host = options.host ?? 'llm';
  if (!/^[\w.-]{1,64}$/.test(host)) throw usageError(`--host ${host} is no name of a host`);
  const { url, port, close } = await startLlmDoor({
    upstream: options.upstream,
    place,
    workspace,
    host,
    allowProviderTools: options.allowProviderTool ?? [],
    contextTokens: options.contextTokens ?? null,
    hideTools: options.hideTools ?? false,
    requireTools: options.requireTools ?? false,
    tell,
    passPaths: options.passPath ?? [],
  });
  if (options.json)
    say(JSON.stringify({ url, port, upstream: options.upstream, workspace: workspace.layout.root }));
  else {
    say(`listening on ${url}, upstream ${options.upstream}, workspace ${workspace.layout.root}`);
    say(`  ANTHROPIC_BASE_URL=${url}  OPENAI_BASE_URL=${url}/v1  GOOGLE_GEMINI_BASE_URL=${url}`);
  }
  if (!isLoopback(place.host)) tell('pactclaw: others on the network can reach this address');
  const leave = () => {
    void close().finally(() => process.exit(0));
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
      'HTTP proxy for Anthropic Messages, OpenAI chat/completions and Responses, and Gemini generateContent: judges tool calls before the client sees them',
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
      '--hide-tools',
      "keep the client's tools from the model until the handshake; loses the provider's prompt cache",
    )
    .option('--require-tools', 'refuse requests that offer the model no tools')
    .option(
      '--pass-path <pattern>',
      'let requests by ungoverned whose path the proxy does not know and this glob matches; repeatable',
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
