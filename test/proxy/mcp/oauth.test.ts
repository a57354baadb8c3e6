import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect, test } from 'vitest';
import { proxyOf } from './http-support.ts';

const AT = '/.well-known/oauth-protected-resource/mcp';

/** A server that lets nobody in without the token that holds now. */
async function protectedServer() {
  const state = { token: 'first', scope: true, seen: [] as (string | undefined)[], document: {} };
  const server = http.createServer(async (request, response) => {
    const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (request.url === AT) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ resource: `${own}/mcp`, ...state.document }));
      return;
    }
    if (!request.url?.startsWith('/mcp')) return void response.writeHead(404).end();
    state.seen.push(request.headers.authorization);
    if (request.headers.authorization !== `Bearer ${state.token}`) {
      const demand = `Bearer error="invalid_token", resource_metadata="${own}${AT}", scope="tools"`;
      return void response.writeHead(401, { 'www-authenticate': demand }).end();
    }
    if (!state.scope)
      return void response.writeHead(403, { 'www-authenticate': 'Bearer error="insufficient_scope"' }).end();
    const mcp = new McpServer({ name: 'guarded', version: '1' });
    mcp.registerTool('echo', {}, () => ({ content: [{ type: 'text', text: 'came through' }] }));
    const transport = new StreamableHTTPServerTransport({});
    await mcp.connect(transport as never);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { state, url: `${origin}/mcp`, origin, close };
}

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};

/** Posts one message as a client does. */
function post(url: string, message: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(message),
  });
}

test('what the server demands reaches the client with its status, and leads to the metadata at the proxy', async () => {
  const server = await protectedServer();
  server.state.document = { authorization_servers: ['https://as.example'], signed_metadata: 'a.b.c' };
  const proxy = await proxyOf(server.url, true);
  try {
    const { origin } = new URL(proxy.url);
    for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
      const answer = await post(proxy.url, HELLO, headers);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer error="invalid_token", resource_metadata="${origin}${AT}", scope="tools"`,
      );
      expect(answer.headers.get('mcp-session-id')).toBeNull();
    }
    const answer = await fetch(`${origin}${AT}`);
    expect(await answer.json()).toEqual({
      resource: `${origin}/mcp`,
      authorization_servers: ['https://as.example'],
    });
    // The authorization server is asked by the client, not through the proxy.
    for (const path of ['/.well-known/oauth-authorization-server', '/authorize', '/token'])
      expect((await fetch(`${origin}${path}`)).status).toBe(404);
    // A document that names another resource is not this server's.
    server.state.document = { resource: 'https://elsewhere.example/mcp' };
    expect((await fetch(`${origin}${AT}`)).status).toBe(404);
  } finally {
    await proxy.close();
    server.close();
  }
});

test('the official client acts with its token, and is told when the token no longer holds', async () => {
  const server = await protectedServer();
  const proxy = await proxyOf(server.url, true);
  try {
    let token = 'first';
    const transport = new StreamableHTTPClientTransport(new URL(proxy.url), {
      fetch: (url, init) => {
        const headers = new Headers(init?.headers);
        headers.set('authorization', `Bearer ${token}`);
        return fetch(url, { ...init, headers });
      },
    });
    const client = new Client({ name: 'c', version: '1' });
    await client.connect(transport as never);
    await client.callTool({ name: 'select_active_intent', arguments: { intent_id: 'INT-001' } });
    let turn = 0;
    const call = () => {
      turn += 1;
      return client.callTool({ name: 'echo', arguments: { turn } });
    };
    expect(await call()).toMatchObject({ content: [{ text: 'came through' }] });
    server.state.token = 'second';
    await expect(call()).rejects.toMatchObject({ code: 401 });
    token = 'second';
    expect(await call()).toMatchObject({ content: [{ text: 'came through' }] });
    server.state.scope = false;
    await expect(call()).rejects.toMatchObject({ code: 403 });
    expect(new Set(server.state.seen)).toEqual(new Set(['Bearer first', 'Bearer second']));
    // Nobody else acts in the session without bringing a token.
    const { sessionId = '' } = transport;
    const other = await post(
      proxy.url,
      { jsonrpc: '2.0', id: 9, method: 'tools/list' },
      { 'mcp-session-id': sessionId },
    );
    expect(other.status).toBe(401);
    await client.close();
    const kept = JSON.stringify([proxy.logged, proxy.place.receipts()]);
    expect(kept).toContain('echo');
    expect(kept).not.toMatch(/Bearer|second/);
  } finally {
    await proxy.close();
    server.close();
  }
});

test('a client of the stateless protocol is told the same', async () => {
  const server = await protectedServer();
  const proxy = await proxyOf(server.url, true);
  try {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const answer = await post(proxy.url, message, headers);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain(new URL(proxy.url).origin);
    const allowed = await post(proxy.url, message, { ...headers, authorization: 'Bearer first' });
    expect(await allowed.json()).toMatchObject({ result: { tools: [{ name: 'select_active_intent' }] } });
  } finally {
    await proxy.close();
    server.close();
  }
});

test('where the authorization is not for the server, it does not get it, and there is no metadata', async () => {
  const server = await protectedServer();
  const proxy = await proxyOf(server.url);
  try {
    const answer = await post(proxy.url, HELLO, { authorization: 'Bearer first' });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('error');
    expect(server.state.seen).not.toContain('Bearer first');
    expect((await fetch(`${new URL(proxy.url).origin}${AT}`)).status).toBe(404);
  } finally {
    await proxy.close();
    server.close();
  }
});
