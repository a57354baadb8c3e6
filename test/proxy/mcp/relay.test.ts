import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { FakeServer, TOOL } from '../../support/mcp.ts';
import { Stage, textOf } from './support.ts';

function everything(): FakeServer {
  const server = new FakeServer('all', ['one']);
  server.capabilities = {
    tools: {},
    resources: { subscribe: true },
    prompts: {},
    logging: {},
    completions: {},
  };
  return server;
}

describe('what is passed on', () => {
  test('capabilities, name and instructions of a single server reach the client', async () => {
    const server = everything();
    server.capabilities = {
      ...server.capabilities,
      experimental: { x: { y: 1 } },
      tasks: { requests: { tools: { call: {} } } },
    };
    await using stage = new Stage([server]);
    const welcome = await stage.begin({ sampling: {}, roots: { listChanged: true } });
    expect(welcome).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'all', version: '1' },
      capabilities: {
        resources: { subscribe: true },
        experimental: { x: { y: 1 } },
        tools: { listChanged: true },
        tasks: { requests: { tools: { call: {} } } },
      },
    });
    // The server is told what the client can do.
    expect((await server.last.hears(({ method }) => method === 'initialize')).params).toMatchObject({
      capabilities: { sampling: {}, roots: { listChanged: true } },
    });
  });

  test('requests and notifications that we do not know go through as they are, with their answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), async (params, value) => {
        const said = JSON.parse(JSON.stringify(params)) as JsonObject;
        const back = JSON.parse(JSON.stringify({ value })) as JsonObject;
        const server = everything();
        server.answers = {
          'x/unknown': () => ({ result: back }),
          'x/wrong': () => ({ error: { code: 5, message: 'm', data: back } }),
        };
        await using stage = new Stage([server]);
        await stage.act();
        expect((await stage.client.ask('x/unknown', said)).result).toEqual(back);
        expect((await stage.client.ask('x/wrong', said)).error).toEqual({
          code: 5,
          message: 'm',
          data: back,
        });
        stage.client.say({ method: 'notifications/x', params: said });
        expect((await server.last.hears(({ method }) => method === 'notifications/x')).params).toEqual(said);
        expect((await server.last.hears(({ method }) => method === 'x/unknown')).params).toEqual(said);
        server.last.say({ method: 'notifications/y', params: said });
        expect((await stage.client.hears(({ method }) => method === 'notifications/y')).params).toEqual(said);
      }),
      { numRuns: 8 },
    );
  });

  test('pages of resources and prompts keep their cursors', async () => {
    const server = everything();
    server.answers = {
      'resources/list': (params) => ({ result: { resources: [], nextCursor: `after ${params.cursor}` } }),
    };
    await using stage = new Stage([server]);
    await stage.begin();
    expect((await stage.client.ask('resources/list', { cursor: 'c1' })).result).toEqual({
      resources: [],
      nextCursor: 'after c1',
    });
  });

  test('all pages of tools are read, and held against the pins as one list', async () => {
    const server = everything();
    server.answers = {
      'tools/list': ({ cursor }) =>
        cursor === 'p2'
          ? { result: { tools: [TOOL('two')] } }
          : { result: { tools: [TOOL('one')], nextCursor: 'p2' } },
    };
    await using stage = new Stage([server]);
    await stage.act();
    expect((await stage.tools()).slice(3)).toEqual(['one', 'two']);
  });

  test('a server’s request reaches the client, and the answer that very request', async () => {
    const server = everything();
    server.answers = {
      'tools/call': async ({ arguments: args }) => {
        const n = (args as JsonObject).n as number;
        server.last.say({ id: n, method: 'elicitation/create', params: { message: `m${n}`, odd: true } });
        const answer = await server.last.hears(({ id, method }) => id === n && method === undefined);
        return { result: { content: [{ type: 'text', text: JSON.stringify(answer.result) }] } };
      },
    };
    await using stage = new Stage([server]);
    await stage.act({ elicitation: {} });
    stage.client.answers = ({ method, params }) =>
      method === 'elicitation/create'
        ? { result: { action: 'accept', content: { for: (params as JsonObject).message } } }
        : null;
    const [one, two] = await Promise.all([stage.call('one', { n: 1 }), stage.call('one', { n: 2 })]);
    expect(textOf(one)).toBe('{"action":"accept","content":{"for":"m1"}}');
    expect(textOf(two)).toBe('{"action":"accept","content":{"for":"m2"}}');
  });

  test('progress and log messages of a call arrive before its result', async () => {
    const server = everything();
    server.answers = {
      'tools/call': ({ _meta }) => {
        const { progressToken } = _meta as JsonObject;
        for (const progress of [1, 2])
          server.last.say({
            method: 'notifications/progress',
            params: { progressToken: progressToken ?? null, progress },
          });
        server.last.say({ method: 'notifications/message', params: { level: 'info', data: 'log' } });
        return { result: { content: [], structuredContent: { ok: true } } };
      },
    };
    await using stage = new Stage([server]);
    await stage.act();
    stage.client.heard.length = 0;
    expect(await stage.call('one', {}, { _meta: { progressToken: 'tok' } })).toEqual({
      content: [],
      structuredContent: { ok: true },
    });
    expect(stage.client.heard.map(({ method, params }) => [method, params])).toEqual([
      ['notifications/progress', { progressToken: 'tok', progress: 1 }],
      ['notifications/progress', { progressToken: 'tok', progress: 2 }],
      ['notifications/message', { level: 'info', data: 'log' }],
      [undefined, undefined],
    ]);
  });

  test('cancelling reaches the server by its own id, in both directions', async () => {
    const server = everything();
    server.answers = { 'tools/call': () => null };
    await using stage = new Stage([server]);
    await stage.act({ sampling: {} });
    stage.client.say({ id: 'mine', method: 'tools/call', params: { name: 'one', arguments: {} } });
    const call = await server.last.hears(({ method }) => method === 'tools/call');
    stage.client.say({ method: 'notifications/cancelled', params: { requestId: 'mine', reason: 'enough' } });
    expect((await server.last.hears(({ method }) => method === 'notifications/cancelled')).params).toEqual({
      requestId: call.id,
      reason: 'enough',
    });
    server.last.say({ id: 'theirs', method: 'sampling/createMessage', params: {} });
    const asked = await stage.client.hears(({ method }) => method === 'sampling/createMessage');
    server.last.say({ method: 'notifications/cancelled', params: { requestId: 'theirs' } });
    expect((await stage.client.hears(({ method }) => method === 'notifications/cancelled')).params).toEqual({
      requestId: asked.id,
    });
    await expect.poll(() => stage.receipts().at(-1), { timeout: 10_000 }).toBe('post mcp__all__one failed');
    expect(stage.client.heard.some(({ id, method }) => id === 'mine' && method === undefined)).toBe(false);
  });
});

describe('what is not passed on', () => {
  test.each([
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], -32600],
    ['an older JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 7 }, -32600],
    ['params that are no object', { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] }, -32600],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, -32600],
    ['a bare value', 7, -32600],
  ])('%s is answered with an error', async (_what, message, code) => {
    await using stage = new Stage([everything()]);
    await stage.begin();
    stage.client.say(message as never);
    expect((await stage.client.hears(({ error }) => error !== undefined)).error).toMatchObject({ code });
    expect((await stage.client.ask('ping')).result).toEqual({});
  });

  test('anything before initialize, a second initialize, and an id that is in flight', async () => {
    const server = everything();
    server.answers = { 'tools/call': () => null };
    await using stage = new Stage([server]);
    expect((await stage.client.ask('tools/list')).error).toMatchObject({ code: -32600 });
    // A client that names a version which is not known here is told which are, and may still begin as the older ones do.
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    expect((await stage.client.ask('server/discover')).error).toMatchObject({ code: -32602 });
    expect((await stage.client.ask('server/discover', { _meta })).error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'] },
    });
    await stage.act();
    expect((await stage.client.ask('initialize', { protocolVersion: '2025-11-25' })).error).toMatchObject({
      code: -32600,
    });
    for (const n of [1, 2])
      stage.client.say({ id: 5, method: 'tools/call', params: { name: 'one', arguments: { n } } });
    const refused = await stage.client.hears(({ id, error }) => id === 5 && error !== undefined);
    expect(refused.error).toMatchObject({ message: expect.stringContaining('in flight') });
    expect(server.last.count('tools/call')).toBeLessThan(2);
  });

  test.each([
    ['no name', { arguments: {} }],
    ['arguments that are a list', { name: 'one', arguments: [] }],
  ])('a call with %s', async (_what, params) => {
    const server = everything();
    await using stage = new Stage([server]);
    await stage.act();
    expect((await stage.client.ask('tools/call', params as unknown as JsonObject)).error).toMatchObject({
      code: -32602,
    });
    expect(server.last.count('tools/call')).toBe(0);
  });

  test('a call that names more paths than can be checked', async () => {
    const server = everything();
    await using stage = new Stage([server]);
    await stage.act();
    const answer = await stage.call('one', { paths: Array(5_001).fill('src/a/one.ts') });
    expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringContaining('more than 5000 paths')]);
    expect(server.last.count('tools/call')).toBe(0);
  });

  test('a server that says that its tools changed whenever they are read, is not asked for ever', async () => {
    const server = everything();
    server.answers = {
      'tools/list': () => {
        server.last.say({ method: 'notifications/tools/list_changed' });
        return { result: { tools: server.tools } };
      },
    };
    await using stage = new Stage([server]);
    await stage.act();
    await stage.tools();
    await stage.call('one');
    expect(server.last.count('tools/list')).toBeLessThanOrEqual(2);
  });

  test('a tool that the server does not list', async () => {
    const server = everything();
    await using stage = new Stage([server]);
    await stage.act();
    expect((await stage.call('hidden')).message).toBe('Unknown tool: hidden');
    expect(server.last.count('tools/call')).toBe(0);
    expect(stage.receipts().at(-1)).toBe('post mcp__all__hidden failed');
  });

  test('a server’s tool of one of our names, other than under its own', async () => {
    const server = new FakeServer('all', ['why', 'one']);
    await using stage = new Stage([server]);
    await stage.act();
    expect(await stage.tools()).toContain('all__why');
    await stage.call('all__why');
    expect((await server.last.hears(({ method }) => method === 'tools/call')).params).toMatchObject({
      name: 'why',
    });
  });
});

describe('a server that is lost', () => {
  test('fails the calls that wait, comes back, and is told again what the client said', async () => {
    const server = everything();
    server.answers = { 'tools/call': () => null };
    await using stage = new Stage([server]);
    await stage.act();
    await stage.client.ask('logging/setLevel', { level: 'error' });
    for (const uri of ['x://1', 'x://2']) await stage.client.ask('resources/subscribe', { uri });
    await stage.client.ask('resources/unsubscribe', { uri: 'x://1' });
    const waiting = stage.call('one');
    await server.last.hears(({ method }) => method === 'tools/call');
    server.last.close();
    expect(textOf(await waiting)).toContain('MCP server all is gone');
    expect(stage.receipts().at(-1)).toBe('post mcp__all__one failed');
    server.answers = {};
    await expect.poll(() => server.connections.length, { timeout: 5_000 }).toBe(2);
    expect(
      (await server.last.hears(({ method }) => method === 'notifications/initialized')).method,
    ).toBeDefined();
    expect((await stage.call('one', { again: true })).isError).toBeUndefined();
    const said = server.last.heard.filter(({ method }) => /^(logging|resources)/.test(String(method)));
    expect(said.map(({ method, params }) => [method, params])).toEqual([
      ['logging/setLevel', { level: 'error' }],
      ['resources/subscribe', { uri: 'x://2' }],
    ]);
  });

  test('what it had asked the client is taken back', async () => {
    const server = everything();
    await using stage = new Stage([server]);
    await stage.act({ sampling: {} });
    server.last.say({ id: 1, method: 'sampling/createMessage', params: {} });
    const asked = await stage.client.hears(({ method }) => method === 'sampling/createMessage');
    server.last.close();
    expect(
      (await stage.client.hears(({ method }) => method === 'notifications/cancelled')).params,
    ).toMatchObject({
      requestId: asked.id,
    });
  });

  test('from the beginning, alone, is the answer to initialize', async () => {
    const server = everything();
    server.refuses = 'not today';
    await using stage = new Stage([server]);
    expect((await stage.begin()).message).toContain('not today');
  });
});

describe('several servers', () => {
  const two = () => {
    const [left, right] = [everything(), everything()];
    const named = (server: FakeServer, name: string) => Object.assign(server, { name });
    return [named(left, 'left'), named(right, 'right')] as const;
  };

  test('share the oldest version, all capabilities, and lists put together', async () => {
    const [left, right] = two();
    left.capabilities = { tools: {}, prompts: { listChanged: true } };
    right.capabilities = { resources: { subscribe: true } };
    left.answers = {
      initialize: () => ({
        result: {
          protocolVersion: '2025-03-26',
          capabilities: left.capabilities,
          serverInfo: { name: 'l', version: '1' },
          instructions: 'be kind',
        },
      }),
      'prompts/list': () => ({ result: { prompts: [{ name: 'hello' }] } }),
      'prompts/get': (params) => ({ result: { messages: [], asked: params } }),
    };
    right.answers = {
      'resources/list': () => ({ result: { resources: [{ uri: 'r://1', name: 'r' }] } }),
      'resources/templates/list': () => ({
        result: { resourceTemplates: [{ uriTemplate: 't://{id}', name: 't' }] },
      }),
      'resources/read': (params) => ({ result: { contents: [], asked: params } }),
    };
    await using stage = new Stage([left, right]);
    const welcome = await stage.begin();
    expect(welcome).toMatchObject({
      protocolVersion: '2025-03-26',
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true },
      },
      serverInfo: { name: 'pactclaw' },
    });
    expect(welcome.instructions).toContain('Instructions of MCP server left:\nbe kind');
    await stage.call('select_active_intent', { intent_id: 'INT-001' });
    expect((await stage.client.ask('prompts/list')).result).toEqual({ prompts: [{ name: 'left__hello' }] });
    expect((await stage.client.ask('prompts/get', { name: 'left__hello' })).result).toMatchObject({
      asked: { name: 'hello' },
    });
    expect((await stage.client.ask('resources/read', { uri: 'r://1' })).result).toMatchObject({
      asked: { uri: 'r://1' },
    });
    expect((await stage.client.ask('resources/read', { uri: 't://7' })).result).toMatchObject({
      asked: { uri: 't://7' },
    });
    expect((await stage.client.ask('resources/read', { uri: 'z://7' })).error).toMatchObject({
      code: -32602,
    });
    expect((await stage.client.ask('x/unknown', {})).error).toMatchObject({ code: -32601 });
  });

  test('progress tokens of two servers do not get mixed up', async () => {
    const [left, right] = two();
    await using stage = new Stage([left, right]);
    await stage.act({ sampling: {} });
    for (const server of [left, right])
      server.last.say({
        id: 1,
        method: 'sampling/createMessage',
        params: { from: server.name, _meta: { progressToken: 1 } },
      });
    const asked = await stage.client.hears(
      ({ method, params }) => method === 'sampling/createMessage' && (params as JsonObject).from === 'right',
    );
    const { progressToken = null } = (asked.params as JsonObject)._meta as JsonObject;
    stage.client.say({ method: 'notifications/progress', params: { progressToken, progress: 3 } });
    expect((await right.last.hears(({ method }) => method === 'notifications/progress')).params).toEqual({
      progressToken: 1,
      progress: 3,
    });
    expect(left.last.count('notifications/progress')).toBe(0);
  });
});
