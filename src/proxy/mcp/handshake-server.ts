import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import { OWN_TOOLS, type OwnToolPorts, runOwnTool } from './own-tools.ts';

const INSTRUCTIONS = `This workspace is governed. Call ${HANDSHAKE_TOOL} with an intent_id before any other tool; every other tool is refused until then.`;

/**
 * The handshake as an MCP server, for hosts that PactClaw does not own (H-32). It answers what an intent allows; the
 * session's transition is made by the host's hooks, which know the session. The tools stay the same whatever the registry
 * holds: clients fail calls of a tool whose description has changed since they listed it (Copilot CLI 1.0.102). Which
 * intents are open is told by the session's context, and by each refusal.
 */
export function createHandshakeServer(version: string, ports: OwnToolPorts): McpServer {
  const server = new McpServer({ name: 'pactclaw', version }, { instructions: INSTRUCTIONS });
  for (const tool of OWN_TOOLS)
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: tool.input,
        annotations: tool.annotations,
        ...(tool.meta ? { _meta: tool.meta } : {}),
      },
      (args) => runOwnTool(tool, ports, args),
    );
  return server;
}
