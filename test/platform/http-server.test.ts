import net from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { listen } from '../../src/platform/http-listener.ts';
import { BodyTooLarge, type HttpDoor, type HttpService, listenHttp } from '../../src/platform/http-server.ts';

let handled: string[] = [];
let doors: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(doors.map((door) => door.close()));
  doors = [];
  handled = [];
});

/** A service that notes what it is asked, and answers `done`. */
const service: HttpService = {
  refusal: (status, why) => ({ status, why }),
  serve: async (call, reply) => {
    try {
      handled.push(`${call.method} ${call.target} ${await call.body(64)}`);
      reply.head(200, {});
      reply.end('done');
    } catch (error) {
      reply.refuse(error instanceof BodyTooLarge ? 413 : 400, {}, String(error));
    }
  },
};

async function open(
  more: { host?: string; token?: string | null } = {},
  behind: HttpService = service,
): Promise<HttpDoor> {
  const door = await listenHttp({ host: '127.0.0.1', port: 0, token: null, ...more }, behind);
  doors.push(door);
  return door;
}

/** Sends text and gives what comes back until the server closes the connection. */
function talk(port: number, text: string, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host });
    let heard = '';
    socket.on('data', (data) => {
      heard += String(data);
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(heard));
    socket.write(text);
  });
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const LAST = 'connection: close\r\n';
const post = (more: string, body: string, length = body.length) =>
  `POST /x HTTP/1.1\r\ncontent-length: ${length}\r\n${more}\r\n${body}`;
const get = (more: string) => `GET /x HTTP/1.1\r\n${LAST}${more}\r\n`;
const OURS = 'host: 127.0.0.1:80\r\n';

describe('who is admitted', () => {
  test.each([
    ['a program', OURS],
    ['another spelling of this machine', 'host: LocalHost\r\n'],
    ['another address of this machine', 'host: 127.0.0.9:8790\r\n'],
    ['a page of this machine', `${OURS}origin: http://localhost:3000\r\nsec-fetch-site: cross-site\r\n`],
    ['a page over IPv6', 'host: [::1]:80\r\norigin: http://[::1]:80\r\n'],
    ['a page that asks its own server', `${OURS}sec-fetch-site: same-origin\r\n`],
  ])('%s', async (_who, headers) => {
    expect(await talk((await open()).port, get(headers))).toContain('200 OK');
  });

  test.each([
    ['a name that leads here (DNS rebinding)', 'host: evil.example\r\n'],
    ['a name that only begins like ours', 'host: 127.0.0.1.evil.example\r\n'],
    ['no name at all', 'host: \r\n'],
    ['a page of another site', `${OURS}origin: http://evil.example\r\n`],
    ['a page whose site begins like ours', `${OURS}origin: http://localhost.evil.example\r\n`],
    ['a page without a site', `${OURS}origin: null\r\n`],
    ['an image on a page of another site', `${OURS}sec-fetch-site: cross-site\r\n`],
  ])('F-23: not %s', async (_who, headers) => {
    expect(await talk((await open()).port, get(headers))).toMatch(
      /403 Forbidden[\s\S]*"why":"the (host|origin) /,
    );
    expect(handled).toEqual([]);
  });

  test('where other machines may connect any Host serves them, and a page of another site is refused', async () => {
    const { port } = await open({ host: '0.0.0.0' });
    expect(await talk(port, get('host: box.lan\r\n'))).toContain('200 OK');
    expect(await talk(port, get('host: evil.example\r\norigin: http://evil.example\r\n'))).toContain('403 ');
  });

  test('only who shows the token, request by request; a body is not waited for', async () => {
    const { port } = await open({ token: 'yes' });
    const both = post(`${OURS}authorization: Bearer yes\r\n`, 'abc') + post(`${OURS}${LAST}`, 'def');
    expect(await talk(port, both)).toMatch(/200 OK[\s\S]*401 Unauthorized[\s\S]*www-authenticate: Bearer/);
    expect(await talk(port, get(`${OURS}authorization: Bearer yep\r\n`))).toContain('401 Unauthorized');
    const socket = net.connect(port, '127.0.0.1');
    socket.write(post(OURS, 'a', 1 << 30));
    const [first] = (await new Promise((resolve) => socket.once('data', (data) => resolve([data])))) as [
      Buffer,
    ];
    expect(String(first)).toContain('401 Unauthorized');
    socket.destroy();
    expect(handled).toEqual(['POST /x abc']);
  });
});

describe('what is read', () => {
  test('two lengths, or a length and chunks, are no request', async () => {
    const { port } = await open();
    for (const odd of ['content-length: 4\r\n', 'transfer-encoding: chunked\r\n'])
      expect(await talk(port, post(`${OURS}${odd}`, '0\r\n\r\n'))).toContain('400 Bad');
    expect(handled).toEqual([]);
  });

  test('a body over the bound is refused, announced or not; a protocol switch is refused', async () => {
    const { port } = await open();
    expect(await talk(port, post(`${OURS}${LAST}`, 'x'.repeat(65)))).toContain('413 ');
    const chunks = `POST /x HTTP/1.1\r\n${OURS}${LAST}transfer-encoding: chunked\r\n\r\n41\r\n${'x'.repeat(65)}\r\n0\r\n\r\n`;
    expect(await talk(port, chunks)).toContain('413 ');
    const other = `GET /x HTTP/1.1\r\n${OURS}connection: upgrade\r\nupgrade: websocket\r\n\r\n`;
    expect(await talk(port, other)).toContain('426 ');
    expect(handled).toEqual([]);
  });

  test('a client that waits for the word to go on is shown who answers, or not let go on', async () => {
    let ready = true;
    const interim = () => (ready ? { 'x-proof': 'p' } : null);
    const { port } = await open({}, { ...service, interim });
    const waits = post(`${OURS}${LAST}expect: 100-continue\r\n`, 'abc');
    expect(await talk(port, waits)).toMatch(/^HTTP\/1.1 100 Continue\r\nx-proof: p\r\n\r\nHTTP\/1.1 200 OK/);
    ready = false;
    expect(await talk(port, waits)).not.toContain('100 Continue');
  });
});

describe('its end', () => {
  test('waits for what is under way, and not for a connection that is only kept open', async () => {
    const slow = deferred();
    const begun = deferred();
    const door = await listenHttp(
      { host: '127.0.0.1', port: 0, token: null },
      {
        ...service,
        serve: async (_call, reply) => {
          begun.resolve();
          await slow.promise;
          reply.refuse(200, {}, 'done');
        },
      },
    );
    const answer = talk(door.port, `GET /x HTTP/1.1\r\n${OURS}\r\n`);
    await begun.promise;
    const closed = door.close(60_000);
    await expect(talk(door.port, get(OURS))).rejects.toThrow('ECONNREFUSED');
    slow.resolve();
    expect(await answer).toContain('done');
    await closed;
  });

  test('cuts off what is under way when no time is given', async () => {
    const begun = deferred();
    const door = await listenHttp(
      { host: '127.0.0.1', port: 0, token: null },
      {
        ...service,
        serve: () => {
          begun.resolve();
          return new Promise(() => undefined);
        },
      },
    );
    const answer = talk(door.port, `GET /x HTTP/1.1\r\n${OURS}\r\n`).catch(() => '');
    await begun.promise;
    await door.close();
    expect(await answer).toBe('');
  });

  test('a port that is taken is named', async () => {
    const { port } = await open();
    await expect(listenHttp({ host: '127.0.0.1', port, token: null }, service)).rejects.toThrow(
      `127.0.0.1:${port} is in use`,
    );
  });
});

test('F-23: the MCP endpoint refuses a page of another site, with a token too', async () => {
  for (const token of [null, 'secret']) {
    const door = await listen({ host: '127.0.0.1', port: 0, token, behind: null, serve: () => undefined });
    doors.push(door);
    const reply = await fetch(door.url, {
      method: 'POST',
      body: '{}',
      headers: { origin: 'http://evil.example', authorization: 'Bearer secret' },
    });
    expect([reply.status, await reply.json()]).toEqual([403, expect.objectContaining({ jsonrpc: '2.0' })]);
  }
});
