import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import { decodeCall } from '../../../src/hosts/gemini/decode.ts';
import { assertNotSearched } from '../../../src/hosts/gemini/searched-path.ts';
import { hookInput } from '../../../src/hosts/shared/decode/hook-input.ts';
import { temporaryFolder } from '../../support/ledger.ts';
import { expectWriteOrError } from '../support/undecodable.ts';

const decodeInput = (bytes: Uint8Array) => hookInput('gemini', bytes);

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const payload = (more: object = {}) => ({
  hook_event_name: 'BeforeTool',
  session_id: 's1',
  cwd: '/ws',
  transcript_path: '/t.jsonl',
  tool_name: 'write_file',
  tool_input: { file_path: '/ws/a', content: 'x' },
  ...more,
});
const decode = (more: object = {}) => decodeCall(decodeInput(bytes(payload(more))));
const own = { server_name: 'pactclaw', tool_name: 'select_active_intent' };

/** Recorded payloads of the real client, by file. */
function recorded(name: string): Record<string, unknown>[] {
  return readFileSync(`fixtures/hosts/gemini/${name}`, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { in: Record<string, unknown> }).in);
}

describe('recorded payloads', () => {
  test.each(['hooks.jsonl', 'hooks-governed.jsonl'])(
    '%s: every event decodes, every call is known',
    (name) => {
      const payloads = recorded(name);
      expect(payloads.length).toBeGreaterThan(30);
      for (const one of payloads) {
        const input = decodeInput(bytes(one));
        expect(input).toMatchObject({ event: one.hook_event_name, sessionId: one.session_id, cwd: one.cwd });
        if (one.tool_name === undefined) continue;
        const call = decodeCall(input);
        expect(call.declared, String(one.tool_name)).toBe(one.tool_name !== 'mcp_rec_write_note');
      }
    },
  );

  test('both ends of a call have one id, and calls with other arguments have another', () => {
    const calls = recorded('hooks-governed.jsonl').filter((one) => one.tool_name !== undefined);
    const ids = (event: string) =>
      calls.filter((one) => one.hook_event_name === event).map((one) => decodeCall(decodeInput(bytes(one))));
    const [before, after] = [ids('BeforeTool'), ids('AfterTool')];
    for (const call of after) expect(before.map(({ callId }) => callId)).toContain(call.callId);
    // Two equal commands ran at once.
    expect(new Set(after.map(({ callId }) => callId)).size).toBe(after.length - 1);
    expect(after.every(({ unnamed }) => unnamed)).toBe(true);
  });
});

describe('what cannot be decoded is an error, never a call', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', []],
    ['no session', payload({ session_id: undefined })],
    ['a session without end', payload({ session_id: 'x'.repeat(257) })],
    ['no event', payload({ hook_event_name: undefined })],
    ['no folder', payload({ cwd: undefined })],
  ])('%s', (_what, value) => {
    expect(() => decodeInput(bytes(value))).toThrow(PactError);
  });

  test.each([
    ['no tool', { tool_name: undefined }],
    ['an input that is a list', { tool_input: [] }],
    ['a write without a path', { tool_input: { content: 'x' } }],
    ['a write to a list of paths', { tool_input: { file_path: ['/ws/a'] } }],
    ['a read of a path that is no text', { tool_name: 'read_file', tool_input: { file_path: 7 } }],
    ['a shell without a command', { tool_name: 'run_shell_command', tool_input: {} }],
    ['a shell whose command is no text', { tool_name: 'run_shell_command', tool_input: { command: ['ls'] } }],
  ])('%s', (_what, more) => {
    expect(() => decode(more)).toThrow(PactError);
  });

  test('no bytes at all give anything but a PactError or a call that names its tool', () => {
    expectWriteOrError(
      (bytes) => decodeCall(decodeInput(bytes)),
      (tool_input) => payload({ tool_input }),
    );
  });
});

describe('a call', () => {
  const at = (path: string, role: string) => ({ path, role });
  test.each([
    ['write_file', { file_path: '/ws/a' }, 'file_write', 'write', true, [at('/ws/a', 'write')]],
    ['replace', { file_path: '/ws/a' }, 'patch', 'write', true, [at('/ws/a', 'write')]],
    ['read_file', { file_path: 'a' }, 'file_read', 'read', false, [at('a', 'read')]],
    ['read_many_files', { include: ['a', 'b/**'] }, 'file_read', 'read', false, [at('a', 'read'), at('b/**', 'read')]], // biome-ignore format: one row a case
    ['list_directory', { dir_path: 'a' }, 'file_list', 'read', false, [at('a', 'read')]],
    ['grep_search', { pattern: 'x' }, 'search', 'read', false, []],
    ['run_shell_command', { command: 'ls' }, 'shell', 'execute', true, []],
    ['web_fetch', { prompt: 'https://x' }, 'http', 'network', false, []],
    ['invoke_agent', { agent_name: 'x', prompt: 'y' }, 'agent', 'control', false, []],
    ['save_memory', { fact: 'x' }, 'memory_write', 'execute', true, []],
    [
      'tracker_create_task',
      { path: 'a' },
      'unknown:tracker_create_task',
      'execute',
      true,
      [at('a', 'write')],
    ],
    ['Write', { file_path: 'a' }, 'unknown:Write', 'execute', true, [at('a', 'write')]],
    ['constructor', {}, 'unknown:constructor', 'execute', true, []],
    ['__proto__', {}, 'unknown:__proto__', 'execute', true, []],
  ])('%s %j', (tool_name, tool_input, tool, kind, mutating, targets) => {
    const call = decode({ tool_name, tool_input });
    expect(call).toMatchObject({ tool, kind, mutating, targets, hostTool: tool_name, sessionId: 's1' });
    expect(call.declared).toBe(!tool.startsWith('unknown:'));
  });

  test.each([
    ['sub', '/ws/sub'],
    ['/other', '/other'],
    ['../up', '/up'],
    [undefined, '/ws'],
    ['', '/ws'],
  ])('a command in folder %s starts in %s, and is another call there', (dir_path, cwd) => {
    const call = decode({ tool_name: 'run_shell_command', tool_input: { command: 'ls', dir_path } });
    expect(call.cwd).toBe(cwd);
    const plain = decode({ tool_name: 'run_shell_command', tool_input: { command: 'ls' } });
    expect(call.identity === plain.identity).toBe(dir_path === undefined);
  });

  test('a command in the background is one', () => {
    const tool_input = { command: 'ls', is_background: true };
    expect(decode({ tool_name: 'run_shell_command', tool_input }).background).toBe(true);
  });
});

describe('whose tool it is, the host says beside the name', () => {
  const named = (tool_name: string, mcp_context?: unknown) =>
    decode({ tool_name, mcp_context, tool_input: {} });

  test('the handshake is our server’s', () => {
    expect(named('mcp_pactclaw_select_active_intent', own)).toMatchObject({
      tool: 'select_active_intent',
      kind: 'control',
      declared: true,
    });
  });

  test.each([
    ['another server with a longer name', { server_name: 'pactclaw_select', tool_name: 'active_intent' }],
    ['another tool', { server_name: 'pactclaw', tool_name: 'other' }],
    ['no server', undefined],
    ['something else', 'pactclaw'],
    ['nothing in it', {}],
  ])('not with %s', (_what, context) => {
    expect(named('mcp_pactclaw_select_active_intent', context)).toMatchObject({
      declared: false,
      mutating: true,
    });
  });

  test('a tool of a server is never one of the host’s own', () => {
    expect(named('read_file', { server_name: 'x', tool_name: 'read_file' })).toMatchObject({
      tool: 'unknown:read_file',
      mutating: true,
    });
  });
});

describe('paths that the host reads otherwise than they are spelled', () => {
  const folder = temporaryFolder('gemini-paths');
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test.each(['write_file', 'replace', 'read_file'])(
    '%s: `@folder/file` may mean `folder/file` too',
    (tool_name) => {
      mkdirSync(`${folder}/@src`, { recursive: true });
      writeFileSync(`${folder}/@src/a`, '');
      const { targets } = decode({ cwd: folder, tool_name, tool_input: { file_path: '@src/a' } });
      expect(targets.map(({ path }) => path)).toEqual(['@src/a', 'src/a']);
    },
  );

  test('replace looks elsewhere for a relative path that is not there, so that it is refused', () => {
    mkdirSync(`${folder}/src`, { recursive: true });
    writeFileSync(`${folder}/src/here`, '');
    symlinkSync(`${folder}/nowhere`, `${folder}/src/dangling`);
    const edit = (file_path: string, tool_name = 'replace') =>
      assertNotSearched(decode({ cwd: folder, tool_name, tool_input: { file_path } }));
    for (const path of ['src/here', './src/here', `${folder}/src/new`])
      expect(() => edit(path)).not.toThrow();
    for (const path of ['here', 'src/dangling', '@src/here'])
      expect(() => edit(path)).toThrow('is not there');
    expect(() => edit('here', 'write_file')).not.toThrow();
  });
});
