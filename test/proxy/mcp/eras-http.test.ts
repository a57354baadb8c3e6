import http from 'node:http';
import { Readable } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { proxyOf } from './http-support.ts';

/** A server of the stateless protocol over HTTP; each request's headers are kept. */
async function serve() {
  const seen: http.IncomingHttpHeaders[] = [];
  const { fetch, close } = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'new', version: '1' }, { capabilities: { tools: {} } });
      server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
        content: [{ type: 'text' as const, text }],
      }));
      return server;
    },
    { legacy: 'reject' },
  );
  const server = http.createServer(async (request, response) => {
    seen.push(request.headers);
    const body = request.method === 'POST' ? Readable.toWeb(request) : null;
    const asked = new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'GET',
      headers: request.headers as Record<string, string>,
      ...(body ? { body: body as ReadableStream, duplex: 'half' } : {}),
    } as RequestInit);
    const answer = await fetch(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) Readable.fromWeb(answer.body as never).pipe(response);
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    close: async () => {
      await close();
      server.closeAllConnections();
      server.close();
    },
  };
}

const OFFERED = { 'io.modelcontextprotocol/clientCapabilities': {} };
const PINNED = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

describe('the stateless protocol over HTTP', () => {
  test('from the client through the proxy to the server, with the headers that repeat the body', async () => {
    const upstream = await serve();
    const proxy = await proxyOf(upstream.url);
    try {
      let changes = 0;
      const noted = () => {
        changes += 1;
      };
      const client = new Client(
        { name: 'new client', version: '1' },
        { ...PINNED, listChanged: { tools: { onChanged: noted, autoRefresh: false } } },
      );
      await client.connect(new StreamableHTTPClientTransport(new URL(proxy.url)));
      const names = async () => (await client.listTools()).tools.map(({ name }) => name);
      expect(await names()).toEqual(['select_active_intent']);
      await client.callTool({ name: 'select_active_intent', arguments: { intent_id: 'INT-001' } });
      expect(await names()).toContain('echo');
      await vi.waitFor(() => expect(changes).toBeGreaterThan(0), { timeout: 20_000 });
      const answer = await client.callTool({ name: 'echo', arguments: { text: 'grüße' } });
      expect(answer).toMatchObject({ content: [{ text: 'grüße' }] });
      expect(upstream.seen.at(-1)).toMatchObject({
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'echo',
      });
      // Another client has not made the handshake.
      const other = new Client({ name: 'another', version: '1' }, PINNED);
      await other.connect(new StreamableHTTPClientTransport(new URL(proxy.url)));
      expect((await other.listTools()).tools).toHaveLength(1);
      await Promise.all([client.close(), other.close()]);
    } finally {
      await proxy.close();
      await upstream.close();
    }
  });

  test('headers that contradict the body, and versions that are not known, are errors with their status', async () => {
    const upstream = await serve();
    const proxy = await proxyOf(upstream.url);
    const post = async (
      headers: Record<string, string>,
      version = '2026-07-28',
      method = 'tools/list',
      more: object = OFFERED,
    ) => {
      const answer = await fetch(proxy.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 7,
          method,
          params: { _meta: { 'io.modelcontextprotocol/protocolVersion': version, ...more } },
        }),
      });
      return [answer.status, ((await answer.json()) as { error?: { code: number } }).error?.code];
    };
    try {
      const right = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
      expect(await post(right)).toEqual([200, undefined]);
      expect(await post(right, '2026-07-28', 'tools/list', {})).toEqual([400, -32602]);
      expect(await post({ ...right, 'mcp-method': 'tools/call' })).toEqual([400, -32020]);
      expect(await post({ 'mcp-method': 'tools/list' })).toEqual([400, -32020]);
      expect(await post({ ...right, 'mcp-protocol-version': '2099-01-01' }, '2099-01-01')).toEqual([
        400, -32022,
      ]);
      expect(await post({ ...right, 'mcp-method': 'ping' }, '2026-07-28', 'ping')).toEqual([404, -32601]);
    } finally {
      await proxy.close();
      await upstream.close();
    }
  });
});
