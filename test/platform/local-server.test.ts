import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalServer, serveLocally } from '../../src/platform/local-server.ts';

let folder: string;
let server: LocalServer;
let handled: string[];
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'local-server-'));
  handled = [];
  server = await serveLocally({
    socketFile: path.join(folder, 's.sock'),
    maxBody: 64,
    admits: ({ authorization }) => authorization === 'yes',
    handle: (request) => {
      handled.push(`${request.method} ${request.path} ${request.body}`);
      return { status: 200, type: 'text/plain', body: 'done' };
    },
  });
});
afterEach(async () => {
  await server.close();
  fs.rmSync(folder, { recursive: true });
});

/** Sends text and gives what comes back until the server closes the connection. */
function talk(where: { port: number; host: string } | { path: string }, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(where);
    let heard = '';
    socket.on('data', (data) => {
      heard += String(data);
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(heard));
    socket.write(text);
  });
}
const loopback = () => ({ port: server.port, host: '127.0.0.1' });
const request = (more: string, body: string, length = body.length) =>
  `POST /x HTTP/1.1\r\nhost: h\r\ncontent-length: ${length}\r\n${more}\r\n${body}`;

test('who is admitted is served', async () => {
  const heard = await talk(loopback(), request('authorization: yes\r\nconnection: close\r\n', 'abc'));
  expect(heard).toContain('200 OK');
  expect(handled).toEqual(['POST /x abc']);
});

test('of who is not admitted no body is waited for, and the connection ends', async () => {
  expect(await talk(loopback(), request('', 'a', 1 << 30))).toContain('401 Unauthorized');
  expect(handled).toEqual([]);
});

test('a request behind another one is asked for itself', async () => {
  const both = request('authorization: yes\r\n', 'abc') + request('', 'def');
  expect(await talk(loopback(), both)).toMatch(/200 OK[\s\S]*401 Unauthorized/);
  expect(handled).toEqual(['POST /x abc']);
});

test('two lengths, or a length and chunks, are no request', async () => {
  for (const odd of ['content-length: 4\r\n', 'transfer-encoding: chunked\r\n'])
    expect(await talk(loopback(), request(`authorization: yes\r\n${odd}`, '0\r\n\r\n'))).toContain('400 Bad');
  expect(handled).toEqual([]);
});

test('on the socket, which only this user can reach, everyone is admitted', async () => {
  const heard = await talk({ path: path.join(folder, 's.sock') }, request('connection: close\r\n', 'abc'));
  expect(heard).toContain('200 OK');
});
