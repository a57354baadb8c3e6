import { linkSync, symlinkSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, handshake, McpProject, textOf } from '../support/mcp-project.ts';
import { installTools, referenceServer } from './support/mcp-tools.ts';

beforeAll(() => installTools('mcp-servers'), 300_000);

const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

describe('server-filesystem', () => {
  async function files() {
    const project = new McpProject();
    const client = await project.connect(['--', ...referenceServer('filesystem', project.root)]);
    return { project, client, at: (file: string) => `${project.root}/${file}` };
  }

  test('before the handshake nothing is read and nothing written', async () => {
    const { project, client, at } = await files();
    await using _ = project;
    expect(await names(client)).toEqual(['select_active_intent']);
    for (const [tool, args] of [
      ['read_text_file', { path: at('README.md') }],
      ['write_file', { path: at('src/a/one.ts'), content: 'x' }],
      ['list_allowed_directories', {}],
    ] as const) {
      const answer = await call(client, tool, args);
      expect([answer.isError, textOf(answer)]).toEqual([
        true,
        expect.stringContaining('Reasoning Intercept Required'),
      ]);
    }
    expect(project.text('src/a/one.ts')).toBe('before\n');
  });

  test('in scope it writes, edits and moves, and each is in the ledger', async () => {
    const { project, client, at } = await files();
    await using _ = project;
    await handshake(client);
    expect(await names(client)).toContain('write_file');
    await call(client, 'write_file', { path: at('src/a/two.ts'), content: 'two\n' });
    await call(client, 'edit_file', { path: at('src/a/two.ts'), edits: [{ oldText: 'two', newText: '2' }] });
    await call(client, 'move_file', { source: at('src/a/two.ts'), destination: at('src/a/three.ts') });
    expect(project.text('src/a/three.ts')).toBe('2\n');
    const trace = (project.text('.orchestration/agent_trace.jsonl') ?? '').trim().split('\n');
    expect(trace.map((line) => JSON.parse(line) as object)).toMatchObject([
      { path: 'src/a/two.ts', mutation: 'create', tool_name: 'mcp__server-filesystem__write_file' },
      { path: 'src/a/two.ts', mutation: 'modify' },
      { path: 'src/a/three.ts', mutation: 'move', from_path: 'src/a/two.ts' },
    ]);
    expect(project.cli('fsck').status).toBe(0);
  });

  test('what leaves the scope is refused, whichever way it is asked for', async () => {
    const { project, client, at } = await files();
    await using _ = project;
    await handshake(client);
    symlinkSync(at('README.md'), at('src/a/link.ts'));
    symlinkSync(project.root, at('src/a/up'));
    linkSync(at('README.md'), at('src/a/hard.ts'));
    const attacks: [string, object][] = [
      ['write_file', { path: at('README.md'), content: 'x' }],
      ['write_file', { path: 'README.md', content: 'x' }],
      ['write_file', { path: at('src/a/../../README.md'), content: 'x' }],
      ['write_file', { path: at('src/a/link.ts'), content: 'x' }],
      ['write_file', { path: at('src/a/up/README.md'), content: 'x' }],
      ['write_file', { path: at('src/a/hard.ts'), content: 'x' }],
      ['edit_file', { path: at('README.md'), edits: [{ oldText: 'before', newText: 'x' }] }],
      ['move_file', { source: at('src/a/one.ts'), destination: at('one.ts') }],
      ['move_file', { source: at('README.md'), destination: at('src/a/README.md') }],
      ['create_directory', { path: at('elsewhere') }],
      ['write_file', { path: at('.orchestration/active_intents.yaml'), content: 'x' }],
      ['write_file', { path: at('.orchestration/mcp_pins.json'), content: '{"version":1,"servers":{}}' }],
      ['write_file', { path: at('.Orchestration/config.yaml'), content: 'x' }],
      ['write_file', { path: at('.claude/settings.json'), content: '{}' }],
      ['write_file', { path: at('.git/hooks/pre-commit'), content: 'x' }],
    ];
    for (const [tool, args] of attacks) {
      const answer = await call(client, tool, args);
      expect([answer.isError, textOf(answer)], JSON.stringify(args)).toEqual([
        true,
        expect.stringMatching(/^(Governance|Policy) Violation/),
      ]);
    }
    expect(project.text('README.md')).toBe('before\n');
    expect(project.text('src/a/one.ts')).toBe('before\n');
    expect(
      project.receipts().filter((line) => line.startsWith('pre mcp__') && line.endsWith('allowed')),
    ).toEqual([]);
  });

  test('tools that a human declares to read, read anywhere and need no snapshot', async () => {
    const { project, client, at } = await files();
    await using _ = project;
    project.put(
      '.orchestration/config.yaml',
      'mcp:\n  tools:\n    "server-filesystem/read_text_file": { kind: read, paths: [path] }\n',
    );
    await handshake(client);
    expect(textOf(await call(client, 'read_text_file', { path: at('README.md') }))).toBe('before\n');
    expect(textOf(await call(client, 'list_directory', { path: project.root }))).toContain(
      'outside the owned_scope',
    );
    expect(textOf(await call(client, 'read_text_file', { path: '/etc/passwd' }))).toContain('forbidden path');
  });
});

describe('server-everything', () => {
  test('its resources, prompts, sampling, elicitation, progress and completions pass unharmed', async () => {
    await using project = new McpProject();
    const client = await project.connect(['--', ...referenceServer('everything', 'stdio')], {
      capabilities: { sampling: {}, elicitation: {}, roots: {} },
    });
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      model: 'none',
      role: 'assistant',
      content: { type: 'text', text: 'sampled' },
    }));
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
    await handshake(client);
    expect(textOf(await call(client, 'echo', { message: 'hello' }))).toBe('Echo: hello');
    const { resources } = await client.listResources();
    expect((await client.readResource({ uri: resources[0]?.uri ?? '' })).contents).toHaveLength(1);
    const { prompts } = await client.listPrompts();
    const simple = prompts.find(({ arguments: wanted }) => !wanted || wanted.length === 0);
    expect((await client.getPrompt({ name: simple?.name ?? '' })).messages.length).toBeGreaterThan(0);
    const heard: number[] = [];
    await client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } },
      undefined,
      {
        onprogress: ({ progress }) => heard.push(progress),
      },
    );
    expect(heard).toEqual([1, 2, 3, 4]);
    const tools = await names(client);
    expect(tools).toEqual(
      expect.arrayContaining(['trigger-sampling-request', 'trigger-elicitation-request']),
    );
    expect(
      JSON.stringify(await call(client, 'trigger-sampling-request', { prompt: 'p', maxTokens: 5 })),
    ).toContain('sampled');
    expect(JSON.stringify(await call(client, 'trigger-elicitation-request'))).toMatch(/decline/i);
    const structured = await call(client, 'get-structured-content', { location: 'New York' });
    expect(structured.structuredContent).toMatchObject({ temperature: expect.any(Number) });
    await client.setLoggingLevel('error');
  });
});

describe('server-memory', () => {
  test('keeps its graph in a file of the scope, and not in one outside', async () => {
    await using project = new McpProject();
    const [command, ...args] = referenceServer('memory');
    const at = (file: string) => ({ command, args, env: { MEMORY_FILE_PATH: `${project.root}/${file}` } });
    project.put(
      'mcp.json',
      JSON.stringify({ mcpServers: { inside: at('src/a/m.jsonl'), outside: at('m.jsonl') } }),
    );
    const client = await project.connect(['--config', 'mcp.json']);
    await handshake(client);
    const graph = { entities: [{ name: 'A', entityType: 't', observations: ['o'] }] };
    expect((await call(client, 'inside__create_entities', graph)).isError).toBeFalsy();
    expect(JSON.stringify(await call(client, 'inside__read_graph'))).toContain('"A\\"');
    expect(project.text('src/a/m.jsonl')).toContain('"A"');
    const wrong = await call(client, 'outside__create_entities', graph);
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining('Governance Violation')]);
    expect(project.text('m.jsonl')).toBeNull();
  });
});
