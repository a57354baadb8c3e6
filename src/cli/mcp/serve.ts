import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createEngine } from '../../hooks/engine.ts';
import { createHandshakeServer } from '../../proxy/mcp/handshake-server.ts';
import { openWorkspace } from '../context.ts';
import { ownToolsOf } from './own-tools.ts';

declare const PACTCLAW_VERSION: string;

/** `pactclaw mcp serve`: the handshake tool for hosts that PactClaw does not own. */
export async function serve(options: { readonly workspace?: string }): Promise<void> {
  const workspace = openWorkspace(options.workspace);
  const server = createHandshakeServer(PACTCLAW_VERSION, ownToolsOf(workspace, createEngine(workspace)));
  process.stdin.on('end', () => void server.close());
  await server.connect(new StdioServerTransport());
  // A host starts this with its session and keeps it as long: nobody else is there while a command runs.
  const { keepWiring } = await import('../wiring/keeper.ts');
  const keeper = await keepWiring(workspace);
  server.server.onclose = () => void keeper.close();
  if (process.stdin.readableEnded) await keeper.close();
}
