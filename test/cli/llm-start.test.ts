import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningDoor, startLlmDoor } from '../../src/cli/llm/start.ts';
import { workspaceAt } from '../../src/hooks/workspace.ts';
import { type HttpDoor, listenHttp } from '../../src/platform/http-server.ts';

let folder: string;
let provider: HttpDoor;
let door: RunningDoor;
let asked: string[];
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'llm-start-'));
  asked = [];
  provider = await listenHttp(
    { host: '127.0.0.1', port: 0, token: null },
    {
      refusal: () => ({}),
      serve: async (call, reply) => {
        asked.push(`${call.method} ${call.target}`);
        reply.refuse(200, {}, '{"data":[]}');
      },
    },
  );
  door = await startLlmDoor({
    upstream: provider.url,
    place: { host: '127.0.0.1', port: 0 },
    workspace: workspaceAt(folder, folder),
    host: 'llm',
    allowProviderTools: [],
    contextTokens: null,
    passPaths: [],
    hideTools: false,
    requireTools: false,
    tell: () => {},
  });
});
afterEach(async () => {
  await door.close();
  await provider.close();
  fs.rmSync(folder, { recursive: true });
});

test.each([
  ['a page of another site', { origin: 'https://evil.example' }],
  ['a page without a site', { origin: 'null' }],
  ['an image on such a page', { 'sec-fetch-site': 'cross-site' }],
])('F-23: %s cannot drive the door of a model', async (_who, headers) => {
  for (const target of ['/v1/messages', '/v1/models']) {
    const reply = await fetch(`${door.url}${target}`, { method: 'POST', body: '{}', headers });
    expect([reply.status, await reply.json()]).toEqual([
      403,
      expect.objectContaining({ error: expect.anything() }),
    ]);
  }
  expect(asked).toEqual([]);
});

test('a program, and a page of this machine, can', async () => {
  for (const headers of [{}, { origin: 'http://localhost:3000' }]) {
    const reply = await fetch(`${door.url}/v1/models`, { headers });
    expect(reply.status).toBe(200);
  }
  expect(asked).toEqual(['GET /v1/models', 'GET /v1/models']);
});
