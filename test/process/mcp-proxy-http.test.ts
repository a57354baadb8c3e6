import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { call, handshake, McpProject, MISBEHAVING, textOf } from '../support/mcp-project.ts';

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

interface Reply {
  readonly status: number;
  readonly body: string;
}

/** A request with whatever headers and body, which no well-behaved client would send. */
function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString('utf8');
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}

describe('served as streamable HTTP', () => {
  test('two clients have a session each, with a handshake each', async () => {
    await using project = new McpProject();
    const url = await project.listen(['--name', 'odd', '--', ...MISBEHAVING]);
    const [one, two] = [await project.connectTo(url), await project.connectTo(url)];
    await handshake(one);
    expect(textOf(await call(one, 'kept', { n: 1 }))).toBe('1');
    expect(textOf(await call(two, 'kept', { n: 1 }))).toContain('Reasoning Intercept Required');
    await call(one, 'write', { path: `${project.root}/src/a/x.ts` });
    expect(project.text('src/a/x.ts')).toBe('x\n');
  });

  test.each([
    ['a Host of elsewhere', { host: 'evil.example' }, JSON.stringify(HELLO), 403],
    ['an Origin of elsewhere', { origin: 'http://evil.example' }, JSON.stringify(HELLO), 403],
    ['a session nobody knows', { 'mcp-session-id': 'x' }, JSON.stringify(HELLO), 404],
    ['a batch', {}, JSON.stringify([HELLO]), 400],
    ['no JSON', {}, '{', 400],
    ['a request before initialize', {}, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 400],
    [
      'a protocol version of elsewhere',
      { 'mcp-protocol-version': '1999-01-01' },
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      400,
    ],
    ['a body over the bound', { 'content-length': String(100 << 20) }, '{', 413],
  ])('refuses %s', async (_what, headers, body, status) => {
    await using project = new McpProject();
    const url = await project.listen(['--', ...MISBEHAVING]);
    const reply = await post(url, body, headers).catch((error: Error) => ({
      status: 0,
      body: error.message,
    }));
    expect(reply.status, reply.body).toBe(status);
    expect(reply.body).toContain('"error"');
  });

  test('with a token, nobody without it comes in, and the server never sees it', async () => {
    await using project = new McpProject();
    const url = await project.listen(['--name', 'odd', '--intent', 'INT-001', '--', ...MISBEHAVING], {
      PACTCLAW_MCP_TOKEN: 'secret',
    });
    expect((await post(url, JSON.stringify(HELLO))).status).toBe(401);
    expect((await post(url, JSON.stringify(HELLO), { authorization: 'Bearer secreT' })).status).toBe(401);
    const client = await project.connectTo(url, { authorization: 'Bearer secret' });
    expect(textOf(await call(client, 'env', { name: 'PACTCLAW_MCP_TOKEN' }))).toBe('not set');
  });

  test('does not open to other machines without a token', async () => {
    await using project = new McpProject();
    const { status, stderr } = project.cli('mcp', 'proxy', '--listen', '0.0.0.0:0', '--', 'true');
    expect([status, stderr]).toEqual([2, expect.stringContaining('set PACTCLAW_MCP_TOKEN')]);
  });

  test('a connection that is opened and says nothing stops nobody', async () => {
    await using project = new McpProject();
    const url = await project.listen(['--name', 'odd', '--', ...MISBEHAVING]);
    const port = Number(new URL(url).port);
    const silent = [1, 2, 3].map(() => net.connect(port, '127.0.0.1'));
    for (const socket of silent) socket.write('POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n');
    const client = await project.connectTo(url);
    await handshake(client);
    expect(textOf(await call(client, 'kept'))).toBe('1');
    for (const socket of silent) socket.destroy();
  });
});

describe('in front of streamable HTTP', () => {
  test('a server behind an address is governed like any other', async () => {
    await using project = new McpProject();
    const url = await project.conformanceServer();
    const client = await project.connect(['--name', 'suite', '--url', url]);
    expect(textOf(await call(client, 'test_simple_text'))).toContain('Reasoning Intercept Required');
    await handshake(client);
    expect(textOf(await call(client, 'test_simple_text'))).toContain('simple text response');
    expect((await client.readResource({ uri: 'test://static-text' })).contents).toHaveLength(1);
  });

  test('a server that is not there is a clear error', async () => {
    await using project = new McpProject();
    await expect(project.connect(['--url', 'http://127.0.0.1:9/mcp'])).rejects.toThrow(
      /ECONNREFUSED|fetch failed/,
    );
  });

  test('a server that cuts the stream of a call leaves it failed, not waiting', async () => {
    const server = http.createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
      request.once('end', () => {
        const message = text === '' ? {} : (JSON.parse(text) as { id?: number; method?: string });
        if (message.method === 'tools/call') {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(': wait\n\n');
          setTimeout(() => response.destroy(), 50);
          return;
        }
        const tools = [{ name: 'cut', inputSchema: { type: 'object' } }];
        const result =
          message.method === 'initialize'
            ? {
                protocolVersion: '2025-11-25',
                capabilities: { tools: {} },
                serverInfo: { name: 's', version: '1' },
              }
            : { tools };
        if (message.id === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
        else
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await using project = new McpProject();
      const { port } = server.address() as AddressInfo;
      const args = ['--name', 'cutting', '--intent', 'INT-001', '--url', `http://127.0.0.1:${port}/mcp`];
      const client = await project.connect(args);
      const answer = await call(client, 'cut');
      expect(textOf(answer)).toContain('closed the connection without an answer');
      expect(project.receipts().at(-1)).toBe('post mcp__cutting__cut failed');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
