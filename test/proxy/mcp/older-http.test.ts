import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { expect, test, vi } from 'vitest';
import { proxyOf } from './http-support.ts';

/** A server of the transport of 2024-11-05: one stream that names the address to post to. */
async function olderServer() {
  const open = new Map<string, SSEServerTransport>();
  const asked: string[] = [];
  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    asked.push(`${request.method} ${url.pathname}`);
    const known = open.get(url.searchParams.get('sessionId') ?? '');
    if (url.pathname === '/messages' && known) return known.handlePostMessage(request, response);
    if (request.method !== 'GET') return void response.writeHead(405).end();
    const transport = new SSEServerTransport('/messages', response);
    open.set(transport.sessionId, transport);
    const mcp = new McpServer({ name: 'older', version: '1' });
    mcp.registerTool('slow', {}, async () => {
      // Longer than a response to the request may stay without an answer in the newer transport.
      await new Promise((resolve) => setTimeout(resolve, 300));
      return { content: [{ type: 'text', text: 'by the older way' }] };
    });
    await mcp.connect(transport as never);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`,
    asked,
    /** Breaks off every connection. */
    cut: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a server of HTTP with SSE (2024-11-05) is reached once streamable HTTP was refused, and again when it was lost', async () => {
  const server = await olderServer();
  const proxy = await proxyOf(server.url);
  try {
    const client = new Client({ name: 'c', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(proxy.url)) as never);
    await client.callTool({ name: 'select_active_intent', arguments: { intent_id: 'INT-001' } });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('slow');
    const call = (turn: number) => client.callTool({ name: 'slow', arguments: { turn } });
    expect(await call(1)).toMatchObject({ content: [{ text: 'by the older way' }] });
    expect(server.asked.slice(0, 3)).toEqual(['POST /sse', 'GET /sse', 'POST /messages']);
    server.cut();
    await vi.waitFor(() => expect(proxy.logged.join('\n')).toContain('runs again'), { timeout: 30_000 });
    expect(await call(2)).toMatchObject({ content: [{ text: 'by the older way' }] });
    await client.close();
  } finally {
    await proxy.close();
    server.close();
  }
});
