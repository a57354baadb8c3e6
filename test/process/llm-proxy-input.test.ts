import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ASKS_FOR_CALL,
  anthropicEvents,
  eventsOf,
  SSE_HEADERS,
  speak,
  WIRES,
  type Wire,
} from '../../fixtures/llm/answers.ts';
import { type RawUpstream, startRawUpstream } from '../../fixtures/llm/raw-upstream.ts';
import { type Asked, requestOf, targetOf } from '../../fixtures/llm/requests.ts';
import { GovernedProject } from '../e2e/support/governed.ts';
import { Conversation, KEY, LlmProxy } from './support/llm.ts';

let project: GovernedProject;
let upstream: RawUpstream;
let proxy: LlmProxy;

beforeAll(async () => {
  project = new GovernedProject();
  upstream = await startRawUpstream(() => ({ status: 500, pieces: ['no script'] }));
  proxy = await LlmProxy.start(project, upstream.url);
});

afterAll(async () => {
  await proxy.stop();
  await upstream.close();
  project.remove();
});

const WRITE = { id: 'call_w', name: 'write_file', args: { path: 'src/components/a.ts', content: 'x' } };

/** What is asked, or the very bytes of a body. */
function post(
  wire: Wire,
  asked: Asked | string | Uint8Array,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const isRaw = typeof asked === 'string' || asked instanceof Uint8Array;
  return fetch(`${proxy.url}${targetOf(wire, !isRaw && asked.stream)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-pactclaw-session': randomUUID(), ...headers },
    body: isRaw ? (asked as string) : JSON.stringify(requestOf(wire, asked)),
    ...(signal ? { signal } : {}),
  });
}

/** A session that may act, so that a call would come out if nothing were wrong with it. */
async function acting(wire: Wire): Promise<string> {
  const session = randomUUID();
  let turn = 0;
  upstream.script = (request) =>
    speak(
      wire,
      request,
      turn++ === 0
        ? { calls: [{ id: `call_${session}`, name: 'select_active_intent', args: { intent_id: 'INT-001' } }] }
        : { text: 'Ready.' },
    );
  await new Conversation(wire, proxy.url, { stream: false, session }).user('Begin.');
  return session;
}

const OLD = { id: 'old', name: 'look', args: {} };
/** The next request of such a session: it goes on with a result, so that no new handshake is due. */
const GOING_ON: Asked = {
  stream: true,
  steps: [{ user: 'Begin.' }, { call: OLD }, { result: 'ok', of: OLD }],
};
const STREAMED: Asked = { stream: true };

/** What comes out for an acting session when the upstream sends these bytes. */
async function heard(
  wire: Wire,
  pieces: readonly (string | number)[],
  cut = false,
): Promise<{ text: string; broken: boolean }> {
  const session = await acting(wire);
  upstream.script = () => ({ headers: SSE_HEADERS, pieces, cut });
  let text = '';
  try {
    const response = await post(wire, GOING_ON, { 'x-pactclaw-session': session });
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString('utf8');
    return { text, broken: false };
  } catch {
    return { text, broken: true };
  }
}

describe.each(WIRES)('%s: what an upstream may do', (wire) => {
  test('an acting session is given a call that is whole', async () => {
    const { text, broken } = await heard(wire, eventsOf(wire, { calls: [WRITE] }));
    expect(broken).toBe(false);
    expect(text).toMatch(ASKS_FOR_CALL);
  });

  test('a stream that is cut stays cut, and the call in it never comes out', async () => {
    const events = eventsOf(wire, { text: 'Hello.', calls: [WRITE] });
    const { text, broken } = await heard(
      wire,
      events.slice(0, { anthropic: -2, chat: -3, gemini: -1, responses: -2 }[wire]),
      true,
    );
    expect(broken).toBe(true);
    expect(text).toContain('Hello.');
    expect(text).not.toMatch(ASKS_FOR_CALL);
  });

  test('a stream that ends early without its end is broken off too', async () => {
    const { text, broken } = await heard(
      wire,
      eventsOf(wire, { calls: [WRITE] }).slice(0, wire === 'gemini' ? 1 : 3),
    );
    expect(broken).toBe(true);
    expect(text).not.toMatch(ASKS_FOR_CALL);
  });

  test('an event that is no JSON ends the answer with an error', async () => {
    const events = eventsOf(wire, { text: 'Hello.', calls: [WRITE] });
    const { text, broken } = await heard(wire, [
      ...events.slice(0, -2),
      'data: {"broken\n\n',
      ...events.slice(-2),
    ]);
    expect(broken).toBe(true);
    expect(text).toContain('an event of the stream is not JSON');
    expect(text).not.toMatch(ASKS_FOR_CALL);
  });

  test('two calls of one id: the second is refused', async () => {
    const { text } = await heard(wire, eventsOf(wire, { calls: [WRITE, { ...WRITE, args: { path: 'b' } }] }));
    expect(text).toContain('two calls of one answer have the id call_w');
    expect(text).not.toMatch(/\\?"path\\?":\\?"b\\?"/);
  });

  test.each([
    [429, { 'retry-after': '7', 'content-type': 'application/json' }],
    [529, { 'content-type': 'text/plain' }],
    [401, { 'content-type': 'application/json', 'x-request-id': 'r' }],
  ])('an error %i is passed on as it is', async (status, headers) => {
    upstream.script = () => ({ status, headers, pieces: ['{"error": "as ', 'it is"}'] });
    const response = await post(wire, STREAMED);
    expect(response.status).toBe(status);
    for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name)).toBe(value);
    expect(await response.text()).toBe('{"error": "as it is"}');
  });

  test('an answer that is no JSON is an error in the protocol’s own shape', async () => {
    upstream.script = () => ({ pieces: ['<html>'] });
    const response = await post(wire, {});
    expect(response.status).toBe(502);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toContain("the upstream's answer cannot be read");
  });

  test('text is passed on before the answer is complete', async () => {
    const session = await acting(wire);
    const events = eventsOf(wire, { text: 'Hello there.', calls: [WRITE] });
    const early = wire === 'gemini' ? 2 : 6;
    upstream.script = () => ({
      headers: SSE_HEADERS,
      pieces: [...events.slice(0, early), 1_500, ...events.slice(early)],
    });
    const response = await post(wire, GOING_ON, { 'x-pactclaw-session': session });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = await reader.read();
    expect(upstream.requests.at(-1)?.aborted).toBe(false);
    expect(Buffer.from(first.value ?? []).toString('utf8')).toContain(events[0]?.slice(0, 20));
    await reader.cancel();
  });

  test('a client that goes away takes the upstream request with it', async () => {
    upstream.script = () => ({
      headers: SSE_HEADERS,
      pieces: [...eventsOf(wire, { text: 'a' }).slice(0, 2), 20_000],
    });
    const abort = new AbortController();
    const response = await post(wire, STREAMED, {}, abort.signal);
    await (response.body as ReadableStream<Uint8Array>).getReader().read();
    const request = upstream.requests.at(-1);
    abort.abort();
    for (let tries = 0; tries < 200 && !request?.aborted; tries += 1)
      await new Promise((r) => setTimeout(r, 10));
    expect(request?.aborted).toBe(true);
  });
});

describe.each(WIRES.filter((wire) => wire !== 'gemini'))('%s, whose arguments are text in pieces', (wire) => {
  test('arguments that are no JSON are refused', async () => {
    const { text } = await heard(wire, eventsOf(wire, { calls: [{ ...WRITE, raw: '{"path": "src/comp' }] }));
    expect(text).toContain('cannot be read: its arguments are not valid JSON');
    expect(text).not.toMatch(ASKS_FOR_CALL);
  });

  test('a call in a thousand deltas comes out whole', async () => {
    const args = { path: 'src/components/big.ts', content: 'y'.repeat(1_000) };
    const { text } = await heard(wire, eventsOf(wire, { calls: [{ ...WRITE, args }], grain: 1 }));
    expect(text).toMatch(ASKS_FOR_CALL);
    expect(text.match(/"(partial_json|arguments|delta)":"y"/g)?.length).toBe(1_000);
  });
});

describe.each(WIRES)('%s: what a client may send', (wire) => {
  const messageOf = async (response: Response) =>
    ((await response.json()) as { error: { message: string } }).error.message;

  test.each([
    ['no JSON', '{"model":'],
    ['a list', '[]'],
    ['no messages', '{"model":"m"}'],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
  ])('%s is a 400 that says so', async (_name, body) => {
    const before = upstream.requests.length;
    const response = await post(wire, body);
    expect(response.status).toBe(400);
    expect(await messageOf(response)).toMatch(/^PactClaw: .*\. (Send|Use) /);
    expect(upstream.requests.length).toBe(before);
  });

  test('a gzipped request is read', async () => {
    upstream.script = (request) => speak(wire, request, { text: 'Read.' });
    const packed = gzipSync(JSON.stringify(requestOf(wire)));
    const response = await post(wire, packed, { 'content-encoding': 'gzip' });
    expect(await response.text()).toContain('Read.');
    expect(upstream.requests.at(-1)?.headers['content-encoding']).toBeUndefined();
  });

  test('an encoding that nobody here reads is a 415 with what to do', async () => {
    const response = await post(wire, new Uint8Array([0x28, 0xb5, 0x2f, 0xfd]), {
      'content-encoding': 'zstd',
    });
    expect(response.status).toBe(415);
    expect(await messageOf(response)).toContain('enable_request_compression');
  });

  test('a hundred megabytes are a 413', async () => {
    const before = upstream.requests.length;
    const { status, text } = await flood(targetOf(wire), 100 << 20);
    expect(status).toBe(413);
    expect(text).toContain('longer than');
    expect(upstream.requests.length).toBe(before);
  });
});

/** Sends a body of so many bytes without saying how long it is, and reads what comes back meanwhile. */
function flood(path: string, size: number): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(proxy.url);
    const socket = net.connect(Number(port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('utf8')));
    socket.on('error', () => {});
    socket.on('close', () => resolve({ status: Number(/HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text }));
    setTimeout(() => reject(new Error(`no answer: ${text}`)), 30_000).unref();
    socket.write(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n`);
    const piece = Buffer.alloc(1 << 20, 0x20);
    let sent = 0;
    const more = () => {
      while (sent < size && !socket.destroyed) {
        sent += piece.length;
        socket.write(`${piece.length.toString(16)}\r\n`);
        if (!socket.write(Buffer.concat([piece, Buffer.from('\r\n')])))
          return void socket.once('drain', more);
      }
      if (!socket.destroyed) socket.write('0\r\n\r\n');
    };
    more();
  });
}

describe('the door itself', () => {
  test('a client that never ends its headers is let go', async () => {
    const { port } = new URL(proxy.url);
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.write('POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ');
    const ended = await new Promise<boolean>((resolve) => {
      socket.on('close', () => resolve(true));
      socket.on('data', () => {});
      socket.on('error', () => {});
      setTimeout(() => resolve(false), 25_000).unref();
    });
    expect(ended).toBe(true);
  }, 40_000);

  test.each([
    ['GET', '/v1/responses/resp_1'],
    ['POST', '/v1/messages/batches'],
    ['POST', '/v1/threads/t/runs'],
    ['POST', '/v1beta/models/gemini:batchGenerateContent'],
    ['POST', '/v1beta/interactions'],
    ['POST', '/v1/%74hreads'],
  ])('%s %s is refused: its calls would go by unjudged', async (method, path) => {
    const before = upstream.requests.length;
    const response = await fetch(`${proxy.url}${path}`, {
      method,
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    expect(response.status).toBe(403);
    expect(upstream.requests.length).toBe(before);
  });

  test('what holds no call is passed on untouched, both ways', async () => {
    upstream.script = () => ({
      status: 203,
      headers: { 'x-own': 'y' },
      pieces: [new Uint8Array([1, 2, 255])],
    });
    const response = await fetch(`${proxy.url}/v1/models?a=1&b=%20`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect([response.status, response.headers.get('x-own')]).toEqual([203, 'y']);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([1, 2, 255]));
    expect(upstream.requests.at(-1)).toMatchObject({ method: 'GET', path: '/v1/models?a=1&b=%20' });
    expect(upstream.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    await fetch(`${proxy.url}/v1/files`, { method: 'POST', body: 'raw bytes' });
    expect(upstream.requests.at(-1)?.text).toBe('raw bytes');
  });

  test('a page of the web cannot use it under another name', async () => {
    const { port } = new URL(proxy.url);
    const answer = await new Promise<string>((resolve) => {
      const socket = net.connect(Number(port), '127.0.0.1');
      socket.on('data', (chunk) => resolve(chunk.toString('utf8')));
      socket.write('GET /v1/models HTTP/1.1\r\nhost: evil.example\r\n\r\n');
    });
    expect(answer).toContain('403');
  });

  test('an upstream that is not there is a 502 that says so', async () => {
    const lost = await LlmProxy.start(project, 'http://127.0.0.1:9');
    const client = new Anthropic({ baseURL: lost.url, apiKey: KEY, maxRetries: 0 });
    const call = client.messages.create({
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    await expect(call).rejects.toThrow(/502.*http:\/\/127\.0\.0\.1:9 cannot be reached/s);
    await lost.stop();
  });

  test('a SIGTERM ends it at once and well, with a stream under way', async () => {
    const own = await LlmProxy.start(project, upstream.url);
    upstream.script = () => ({
      headers: SSE_HEADERS,
      pieces: [...anthropicEvents({ text: 'a' }).slice(0, 2), 20_000],
    });
    const response = await fetch(`${own.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify(requestOf('anthropic', STREAMED)),
    });
    await (response.body as ReadableStream<Uint8Array>).getReader().read();
    expect(await own.stop()).toBe(0);
  });
});
