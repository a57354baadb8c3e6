import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownToolsOf } from '../../../src/cli/mcp/own-tools.ts';
import { createHandshakeServer } from '../../../src/proxy/mcp/handshake-server.ts';
import { TestWorkspace } from '../../support/workspace.ts';

let place: TestWorkspace;
beforeEach(() => {
  place = new TestWorkspace([{ id: 'INT-001' }]);
});
afterEach(() => place[Symbol.dispose]());

async function connected(): Promise<Client> {
  const server = createHandshakeServer('1.0.0', ownToolsOf(place.workspace, place.engine));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(ours);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(theirs);
  return client;
}

test('U-11: the tools are the same before and after a change of the registry, and for every registry', async () => {
  const client = await connected();
  const before = await client.listTools();
  expect(before.tools.map(({ name }) => name)).toEqual([
    'select_active_intent',
    'list_active_intents',
    'why',
  ]);
  expect(JSON.stringify(before)).not.toContain(place.registry.match(/name: (.*)/)?.[1]);
  place.edit('INT-001', 'INT-002');
  expect(await client.listTools()).toEqual(before);
  expect((await (await connected()).listTools()).tools).toEqual(before.tools);
  await client.close();
});

test('which intents are open is told by list_active_intents', async () => {
  const client = await connected();
  const { content } = await client.callTool({ name: 'list_active_intents', arguments: {} });
  expect(JSON.stringify(content)).toContain('INT-001');
  await client.close();
});
