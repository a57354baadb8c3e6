import { describe, expect, test } from 'vitest';
import { assertServerName, hostNameOf, parseServers, serverNameOf } from '../../src/mcp/server-config.ts';

const parse = (mcpServers: unknown, variables = {}) =>
  parseServers(JSON.stringify({ mcpServers }), 'mcp.json', variables);

/** A variable as the file spells it. */
const put = (name: string) => `\${${name}}`;

describe('mcp.json', () => {
  test('names commands and addresses; members of other programs stay unread', () => {
    const file = {
      files: { command: 'npx', args: ['-y', 'x'], env: { A: '1' }, type: 'stdio', alwaysLoad: true },
      web: { type: 'http', url: 'https://x.example/mcp', headers: { 'X-Key': 'k' } },
    };
    expect(parse(file)).toEqual([
      { name: 'files', command: 'npx', args: ['-y', 'x'], env: { A: '1' }, cwd: null },
      { name: 'web', url: 'https://x.example/mcp', headers: { 'X-Key': 'k' } },
    ]);
  });

  test('variables are put in, with defaults', () => {
    const [server] = parse(
      { a: { command: put('BIN'), args: [put('X:-y'), '$Z'], env: { T: `a${put('BIN')}b` } } },
      { BIN: 'run' },
    );
    expect(server).toMatchObject({ command: 'run', args: ['y', '$Z'], env: { T: 'arunb' } });
    expect(() => parse({ a: { command: put('NOPE') } })).toThrow(
      /server a needs the environment variable NOPE/,
    );
  });

  test.each([
    ['no JSON', '{', /it is not JSON/],
    ['no servers', '{"mcpServers":{}}', /it names no server/],
    ['another shape', '{"servers":{}}', /it has no mcpServers/],
    ['a server without a command', '{"mcpServers":{"a":{}}}', /server a has neither a command nor a url/],
    ['a name with the separator', '{"mcpServers":{"a__b":{"command":"x"}}}', /cannot be the name/],
    ['an address of another kind', '{"mcpServers":{"a":{"url":"file:///x"}}}', /no http or https address/],
  ])('%s is refused with what is wrong', (_what, text, message) => {
    expect(() => parseServers(text, 'mcp.json', {})).toThrow(message);
  });
});

describe('names', () => {
  test.each([
    ['npx', ['-y', '@modelcontextprotocol/server-filesystem@2026.8.31', '.'], 'server-filesystem'],
    ['node', ['/opt/tools/my-server/dist/index.js'], 'my-server'],
    ['uvx', ['mcp-server-git', '--repository', '.'], 'mcp-server-git'],
    ['/usr/bin/some-server', [], 'some-server'],
    ['docker', ['run', '-i', 'mcp/fetch'], 'fetch'],
    ['node', [], 'node'],
    ['node', ['/___'], 'server'],
  ])('of %s %j', (command, args, name) => {
    expect(serverNameOf(command, args)).toBe(name);
    expect(() => assertServerName(name)).not.toThrow();
  });

  test('of an address is its host', () => {
    expect(hostNameOf('https://mcp.example.com:8080/mcp')).toBe('mcp.example.com');
  });

  test.each(['', 'a/b', 'a__b', 'a_', '_a', 'a b', 'x'.repeat(65), '__proto__'])('%j is none', (name) => {
    expect(() => assertServerName(name)).toThrow(/cannot be the name/);
  });
});
