import { type Command, InvalidArgumentError } from 'commander';
import { example, gather, reporting } from '../command.ts';

function toSeconds(text: string): number {
  const value = Number(text);
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || value <= 0)
    throw new InvalidArgumentError('It must be a number of seconds above 0.');
  return value;
}

/** `pactclaw mcp serve|proxy|pins|accept`. Each is loaded when it runs: the proxy starts with every agent session. */
export function register(program: Command): void {
  const mcp = program
    .command('mcp')
    .description('the Model Context Protocol: serve the handshake, govern the tools of MCP servers');
  mcp
    .command('serve')
    .description('MCP server on standard input and output: select_active_intent, list_active_intents, why')
    .option('--workspace <dir>', 'workspace to serve (default: the nearest one)')
    .addHelpText('after', '\nAn agent host starts this by itself once `pactclaw install` has run.')
    .action(async (options) => (await import('../mcp/serve.ts')).serve(options));
  const proxy = mcp
    .command('proxy')
    .description(
      'MCP server in front of others: every call of their tools passes the handshake and the rules',
    )
    .argument('[command...]', 'the server to start, after `--`')
    .option('--config <file>', 'several servers, from the mcpServers of a file')
    .option('--url <url>', 'a server behind streamable HTTP')
    .option('--header <header>', 'sent with each request to --url, as "Name: value"; repeat it', gather)
    .option('--name <name>', 'name of the server (default: from its command or address)')
    .option(
      '--intent <id>',
      'select this intent for the session yourself, instead of leaving it to the agent',
    )
    .option('--timeout <seconds>', 'longest time for one request (default: none)', toSeconds)
    .option('--listen <address>', 'serve streamable HTTP at PORT or HOST:PORT instead of standard streams')
    .option('--workspace <dir>', 'workspace that governs (default: the nearest one)')
    .addHelpText(
      'after',
      '\nWith --listen, PACTCLAW_MCP_TOKEN is the bearer token that clients must send; without it only this machine may connect.',
    )
    .action(async (command, options) => (await import('../mcp/proxy.ts')).proxy(command, options));
  example(
    proxy,
    'pactclaw mcp proxy -- npx -y @modelcontextprotocol/server-filesystem .',
    'pactclaw mcp proxy --config mcp.json',
    'pactclaw mcp proxy --url https://mcp.example.com/mcp --listen 127.0.0.1:8931',
  );
  const pins = reporting(mcp.command('pins'))
    .description('list the servers whose tools are pinned, and those that are held back')
    .action(async (options) => (await import('../mcp/pins.ts')).pins(options));
  example(pins, 'pactclaw mcp pins');
  const accept = reporting(mcp.command('accept'))
    .description('show what changed in the tools of a server that is held back, and accept it (humans only)')
    .argument('<server>', 'the server')
    .option('--yes', 'accept without asking')
    .option('--show', 'only show what changed')
    .action(async (server, options) => (await import('../mcp/accept.ts')).accept(server, options));
  example(accept, 'pactclaw mcp accept filesystem');
}
