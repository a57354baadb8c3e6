import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, test } from 'vitest';
import { call, handshake, McpProject, MISBEHAVING, textOf } from '../support/mcp-project.ts';

const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

/** A project with a client that has made its handshake in front of the misbehaving server. */
async function acting(...options: string[]) {
  const project = new McpProject();
  const client = await project.connect(['--name', 'odd', ...options, '--', ...MISBEHAVING]);
  await handshake(client);
  return { project, client };
}

describe('the proxy as a process', () => {
  test('gate, handshake, a call in scope, one outside, and the record of each', async () => {
    await using project = new McpProject();
    const client = await project.connect(['--name', 'odd', '--', ...MISBEHAVING]);
    expect(await names(client)).toEqual(['select_active_intent']);
    const early = await call(client, 'write', { path: `${project.root}/src/a/x.ts` });
    expect(textOf(early)).toContain('State Violation: Reasoning Intercept Required');
    expect(project.text('src/a/x.ts')).toBeNull();
    await handshake(client);
    expect(await names(client)).toContain('write');
    await call(client, 'write', { path: `${project.root}/src/a/x.ts` });
    expect(project.text('src/a/x.ts')).toBe('x\n');
    expect(textOf(await call(client, 'write', { path: `${project.root}/README.md` }))).toContain('outside');
    expect(project.text('README.md')).toBe('before\n');
    await client.close();
    expect(project.receipts()).toEqual([
      'pre mcp__odd__write denied',
      'pre select_active_intent allowed',
      'post select_active_intent allowed',
      'pre mcp__odd__write allowed',
      'post mcp__odd__write allowed',
      'pre mcp__odd__write denied',
    ]);
  });

  test('a server that dies in a call: the call fails, its end is recorded, the server comes back', async () => {
    const { project, client } = await acting();
    await using _ = project;
    const answer = await call(client, 'die');
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain('MCP server odd is gone: it ended with code 7');
    expect(project.receipts().at(-1)).toBe('post mcp__odd__die failed');
    await expect
      .poll(async () => textOf(await call(client, 'kept', { n: Math.random() })), { timeout: 20_000 })
      .toBe('1');
  });

  test('a flood arrives whole and in order, and a second answer is dropped', async () => {
    const { project, client } = await acting();
    await using _ = project;
    let heard = 0;
    client.fallbackNotificationHandler = async () => {
      heard += 1;
    };
    await call(client, 'flood', { lines: 5_000 });
    expect(heard).toBe(5_000);
    expect(textOf(await call(client, 'twice'))).toBe('first');
    expect(textOf(await call(client, 'kept'))).toBe('1');
  });

  test('a call that is never answered can be taken back, and has a time limit where one is set', async () => {
    const { project, client } = await acting('--timeout', '1');
    await using _ = project;
    const taken = new AbortController();
    const waiting = client.callTool({ name: 'never', arguments: { n: 1 } }, undefined, {
      signal: taken.signal,
    });
    await sleep(300);
    taken.abort();
    await expect(waiting).rejects.toThrow();
    expect(textOf(await call(client, 'never', { n: 2 }))).toContain('did not answer tools/call within 1 s');
    await expect
      .poll(() => project.receipts().filter((line) => line === 'post mcp__odd__never failed'), {
        timeout: 10_000,
      })
      .toHaveLength(2);
  });

  test('garbage between the messages harms nothing; what is no answer is an error', async () => {
    const { project, client } = await acting();
    await using _ = project;
    expect(textOf(await call(client, 'garbage'))).toBe('done');
    await expect(call(client, 'wrong')).rejects.toThrow(/answered wrongly/);
    expect(project.said).toContain('a line that is not JSON: Server says hello!');
  });

  test('a message over the bound ends the server, not the proxy', async () => {
    const { project, client } = await acting();
    await using _ = project;
    expect(textOf(await call(client, 'huge'))).toContain('it sent a message longer than');
    expect(project.receipts().at(-1)).toBe('post mcp__odd__huge failed');
  });

  test('what stays in flight when the client goes away is ended in the record', async () => {
    const { project, client } = await acting();
    await using _ = project;
    const waiting = client.callTool({ name: 'never', arguments: {} }).catch(() => undefined);
    await expect
      .poll(() => project.receipts().at(-1), { timeout: 10_000 })
      .toBe('pre mcp__odd__never allowed');
    await client.close();
    await waiting;
    await expect
      .poll(() => project.receipts().at(-1), { timeout: 10_000 })
      .toBe('post mcp__odd__never failed');
  });

  test('a server that cannot be started is a clear error, not a hang', async () => {
    await using project = new McpProject();
    await expect(project.connect(['--', '/no/such/program'])).rejects.toThrow(
      /could not be started \(ENOENT\)/,
    );
    await expect(project.connect(['--', process.execPath, '-e', 'process.exit(3)'])).rejects.toThrow(
      /it ended with code 3/,
    );
  });
});

describe('definitions that change', () => {
  test('in the middle of a session hold the server back at once', async () => {
    const { project, client } = await acting();
    await using _ = project;
    await names(client);
    await call(client, 'rename');
    const answer = await call(client, 'kept');
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain('MCP server odd is held back');
    expect(textOf(answer)).toContain('pactclaw mcp accept odd');
    expect(await names(client)).toEqual(['select_active_intent', 'list_active_intents', 'why']);
  });

  test('between sessions hold it back until a human accepts them', async () => {
    await using project = new McpProject();
    const env = { STATE: `${project.folder}/state` };
    const servers = { odd: { command: MISBEHAVING[0], args: MISBEHAVING.slice(1), env } };
    project.put('mcp.json', JSON.stringify({ mcpServers: servers }));
    const open = () => project.connect(['--config', 'mcp.json', '--intent', 'INT-001']);
    const first = await open();
    expect(textOf(await call(first, 'kept'))).toBe('1');
    await first.close();
    project.put('../state', 'now it does something else');
    const second = await open();
    expect(textOf(await call(second, 'kept'))).toContain('kept changed (description)');
    expect(await names(second)).not.toContain('kept');
    expect(project.cli('mcp', 'pins').stdout).toContain('held back');
    const shown = project.cli('mcp', 'accept', 'odd', '--show').stdout;
    expect(shown).toContain('-  "description": "does something"');
    expect(shown).toContain('+  "description": "now it does something else"');
    expect(project.cli('mcp', 'accept', 'odd').status).toBe(1);
    const accepted = project.cli('mcp', 'accept', 'odd', '--yes');
    expect(accepted.stdout).toContain('accepted');
    // The session that waited goes on by itself.
    await expect
      .poll(async () => textOf(await call(second, 'kept', { n: Math.random() })), { timeout: 10_000 })
      .toBe('1');
    expect(project.cli('mcp', 'accept', 'odd', '--yes').stderr).toContain('nothing waits to be accepted');
  });

  test('an agent’s shell cannot accept them', async () => {
    await using project = new McpProject();
    const { status, stderr } = project.cliIn({ CLAUDECODE: '1' }, 'mcp', 'accept', 'odd', '--yes');
    expect([status, stderr]).toEqual([1, expect.stringContaining('is for humans only')]);
  });

  test('a file of pins that cannot be read holds every server back', async () => {
    const { project, client } = await acting();
    await using _ = project;
    project.put('.orchestration/mcp_pins.json', '{');
    await expect
      .poll(async () => textOf(await call(client, 'kept', { n: Math.random() })), { timeout: 10_000 })
      .toContain('mcp_pins.json cannot be used: it is not JSON');
  });
});

describe('several servers', () => {
  test('stand behind one, their tools under prefixed names, each judged by its own', async () => {
    await using project = new McpProject();
    const [command, ...args] = MISBEHAVING;
    const mcpServers = {
      left: { command, args, env: { SIDE: 'L' } },
      right: { command, args, env: { SIDE: 'R' } },
      broken: { command: '/no/such/program' },
    };
    project.put('mcp.json', JSON.stringify({ mcpServers }));
    const client = await project.connect(['--config', 'mcp.json', '--intent', 'INT-001']);
    const shown = await names(client);
    expect(shown).toContain('left__write');
    expect(shown).toContain('right__write');
    expect(textOf(await call(client, 'left__env', { name: 'SIDE' }))).toBe('L');
    expect(textOf(await call(client, 'right__env', { name: 'SIDE' }))).toBe('R');
    expect(textOf(await call(client, 'broken__write'))).toContain('MCP server broken is not running');
    await expect(call(client, 'write')).rejects.toThrow(/Unknown tool: write/);
    expect(project.receipts()).toContain('post mcp__right__env allowed');
  });
});
