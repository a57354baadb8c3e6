import { Client as NewClient } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer as OldServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { acceptedContent, inputRequired, McpServer as NewServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Wire } from '../../../src/platform/wire.ts';
import { pairOfWires, SdkTransport } from '../../support/mcp.ts';
import { Stage } from './support.ts';

const ASK = {
  message: 'Which one?',
  requestedSchema: { type: 'object' as const, properties: { name: { type: 'string' as const } } },
};
const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });

function oldServer(wire: Wire): void {
  const server = new OldServer({ name: 'old', version: '1' }, { capabilities: { logging: {} } });
  server.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => said(text));
  server.registerTool('ask', {}, async () => {
    const { action, content } = await server.server.elicitInput(ASK);
    return said(`${action} ${JSON.stringify(content)}`);
  });
  server.registerResource('note', 'note://one', {}, () => ({
    contents: [{ uri: 'note://one', text: 'a note' }],
  }));
  void server.connect(new SdkTransport(wire) as never);
}

function newServer(wire: Wire): void {
  const make = () => {
    const server = new NewServer(
      { name: 'new', version: '1' },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => said(text));
    server.registerTool('ask', { inputSchema: z.object({}) }, (_args, { mcpReq }) => {
      const content = acceptedContent(mcpReq.inputResponses, 'which');
      if (content) return said(`accept ${JSON.stringify(content)}`);
      return inputRequired({ inputRequests: { which: inputRequired.elicit(ASK) } });
    });
    server.registerResource('note', 'note://one', {}, () => ({
      contents: [{ uri: 'note://one', text: 'a note' }],
    }));
    return server;
  };
  serveStdio(make, { legacy: 'reject', transport: new SdkTransport(wire) as never });
}

/** A server that is started anew for each connection. */
function plan(name: string, serve: (wire: Wire) => void) {
  const open = () => {
    const [ours, theirs] = pairOfWires();
    serve(theirs);
    return ours;
  };
  return { plan: { name, source: name, cwd: '/', open } };
}

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<Record<string, unknown>>;
  readResource(params: { uri: string }): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

const CAPABILITIES = { elicitation: {}, roots: {} };
const CHOSEN = { action: 'accept' as const, content: { name: 'the first' } };

async function oldClient(wire: Wire): Promise<AnyClient> {
  const client = new OldClient({ name: 'old client', version: '1' }, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, () => CHOSEN);
  await client.connect(new SdkTransport(wire) as never);
  return client as unknown as AnyClient;
}

async function newClient(wire: Wire): Promise<AnyClient> {
  const client = new NewClient(
    { name: 'new client', version: '1' },
    { capabilities: CAPABILITIES, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('elicitation/create', () => CHOSEN);
  await client.connect(new SdkTransport(wire) as never);
  return client as unknown as AnyClient;
}

describe.each([
  ['initialize', 'initialize', oldClient, oldServer],
  ['initialize', 'server/discover', oldClient, newServer],
  ['server/discover', 'initialize', newClient, oldServer],
  ['server/discover', 'server/discover', newClient, newServer],
] as const)('a client of %s in front of a server of %s', (_client, _server, connect, serve) => {
  test('makes the handshake, sees the tools, calls them, reads, is asked back', async () => {
    let outside: Wire | undefined;
    await using stage = new Stage([plan('peer', serve)], {
      client: (wire) => {
        outside = wire;
      },
      rules: { 'peer/ask': { kind: 'read', paths: [] }, 'peer/echo': { kind: 'read', paths: [] } },
    });
    const client = await connect(outside as Wire);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual(['select_active_intent']);
    expect(await client.callTool({ name: 'echo', arguments: { text: 'x' } })).toMatchObject({
      isError: true,
    });
    await expect(client.readResource({ uri: 'note://one' })).rejects.toThrow('Reasoning Intercept');
    await client.callTool({ name: 'select_active_intent', arguments: { intent_id: 'INT-001' } });
    expect(await names()).toEqual(expect.arrayContaining(['echo', 'ask', 'why']));
    expect(await client.callTool({ name: 'echo', arguments: { text: 'hello' } })).toMatchObject(
      said('hello'),
    );
    expect(await client.callTool({ name: 'ask', arguments: {} })).toMatchObject(
      said('accept {"name":"the first"}'),
    );
    expect(await client.readResource({ uri: 'note://one' })).toMatchObject({
      contents: [{ text: 'a note' }],
    });
    expect(stage.receipts()).toContain('post mcp__peer__ask allowed');
    await client.close();
  });
});
