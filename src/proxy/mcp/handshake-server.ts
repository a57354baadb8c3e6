import { McpServer, type RegisteredTool } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { messageOf, PactError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';

/** What the server serves; the composition root hands it in. Each may throw a PactError, which the client is told. */
export interface HandshakePorts {
  readonly version: string;
  /** Text for the tool's description: which intents are open now (H-49). */
  readonly describeIntents: () => Promise<string>;
  readonly select: (intentId: string) => Promise<JsonObject>;
  readonly list: () => Promise<JsonObject>;
  readonly why: (file: string, start: number | undefined, end: number | undefined) => Promise<JsonObject>;
}

const PURPOSE =
  'Required before any other tool: names the active intent you work for and returns its scope, constraints and history. Call it again for each new request.';

const INSTRUCTIONS = `This workspace is governed. Call ${HANDSHAKE_TOOL} with an intent_id before any other tool; every other tool is refused until then.`;

function answer(value: JsonObject): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value, null, 2) }],
    structuredContent: value as Record<string, unknown>,
  };
}

async function answering(work: () => Promise<JsonObject>): Promise<CallToolResult> {
  try {
    return answer(await work());
  } catch (error) {
    const text = error instanceof PactError ? `${error.message}\n${error.remedy}` : messageOf(error);
    return { isError: true, content: [{ type: 'text', text }] };
  }
}

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
export async function createHandshakeServer(ports: HandshakePorts): Promise<HandshakeServer> {
  const server = new McpServer(
    { name: 'pactclaw', version: ports.version },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: true } } },
  );
  const describe = async () => `${PURPOSE}\n${await ports.describeIntents().catch(messageOf)}`;
  const select: RegisteredTool = server.registerTool(
    HANDSHAKE_TOOL,
    {
      title: 'Select the active intent',
      description: await describe(),
      inputSchema: {
        intent_id: z.string().min(1).describe('ID of an open intent, for example INT-001'),
        reasoning: z
          .string()
          .optional()
          .describe('Why this request belongs to that intent; kept as the rationale of what you change'),
      },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      _meta: { 'anthropic/alwaysLoad': true },
    },
    ({ intent_id }) => answering(() => ports.select(intent_id)),
  );
  server.registerTool(
    'list_active_intents',
    {
      title: 'List intents',
      description: 'Every intent of the registry with its status, scope and what is left of its budget.',
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () => answering(ports.list),
  );
  server.registerTool(
    'why',
    {
      title: 'Why does this code exist',
      description:
        'The intent, time, model and rationale behind lines of a file, found by content even if they moved.',
      inputSchema: {
        file: z.string().min(1),
        start_line: z.int().min(1).optional(),
        end_line: z.int().min(1).optional(),
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ file, start_line, end_line }) => answering(() => ports.why(file, start_line, end_line)),
  );
  return { server, refresh: async () => select.update({ description: await describe() }) };
}
