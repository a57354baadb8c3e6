import { McpServer, type RegisteredTool } from '@modelcontextprotocol/sdk/server/mcp.js';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import { describeHandshake, OWN_TOOLS, type OwnTool, type OwnToolPorts, runOwnTool } from './own-tools.ts';

const INSTRUCTIONS = `This workspace is governed. Call ${HANDSHAKE_TOOL} with an intent_id before any other tool; every other tool is refused until then.`;

/** A handshake server and the way to tell its client that the registry has changed. */
export interface HandshakeServer {
  readonly server: McpServer;
  /** Describes the open intents anew; the client is sent `tools/list_changed`. */
  readonly refresh: () => Promise<void>;
}

/**
 * The handshake as an MCP server, for hosts that PactClaw does not own (H-32). It answers what an intent allows; the
 * session's transition is made by the host's hooks, which know the session.
 */
export async function createHandshakeServer(version: string, ports: OwnToolPorts): Promise<HandshakeServer> {
  const server = new McpServer(
    { name: 'pactclaw', version },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: true } } },
  );
  const offer = (tool: OwnTool, description: string): RegisteredTool =>
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description,
        inputSchema: tool.input,
        annotations: tool.annotations,
        ...(tool.meta ? { _meta: tool.meta } : {}),
      },
      (args) => runOwnTool(tool, ports, args),
    );
  const offered: [OwnTool, RegisteredTool][] = [];
  for (const tool of OWN_TOOLS) {
    const isHandshake = tool.name === HANDSHAKE_TOOL;
    const registered = offer(tool, isHandshake ? await describeHandshake(tool, ports) : tool.description);
    if (isHandshake) offered.push([tool, registered]);
  }
  return {
    server,
    refresh: async () => {
      for (const [tool, registered] of offered)
        registered.update({ description: await describeHandshake(tool, ports) });
    },
  };
}
