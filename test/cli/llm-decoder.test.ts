import { describe, expect, test } from 'vitest';
import { decoderOf } from '../../src/cli/llm/decoder.ts';
import type { JsonObject } from '../../src/core/json.ts';

function decode(host: string, name: string, args: JsonObject) {
  return decoderOf(host)({ id: 'call_1', name, args, sessionId: 's', cwd: '/work' });
}

describe('a client that nobody knows', () => {
  test('has tools of which each may change anything', () => {
    expect(decode('mine', 'save', { deep: [{ path: 'a.ts' }] })).toMatchObject({
      callId: 'call_1',
      tool: 'unknown:save',
      kind: 'execute',
      mutating: true,
      declared: false,
      targets: [{ path: 'a.ts', role: 'write' }],
    });
  });

  test.each([
    [{ command: 'rm a' }, 'rm a'],
    [{ cmd: 'rm a', other: 1 }, 'rm a'],
    [{ command: ['bash', '-c', 'rm "a b"'] }, `bash -c 'rm "a b"'`],
    [{ commands: ['ls', 'rm a'] }, 'ls\nrm a'],
    [{ command: 'ls', cmd: 'rm a' }, 'ls\nrm a'],
  ])('has the command in %j read', (args, command) => {
    expect(decode('mine', 'run', args).command).toBe(command);
  });
});

describe('F-24: a path outside the workspace', () => {
  test.each([
    [{ to: '/etc/passwd' }, '/etc/passwd'],
    [{ options: { output: ['/tmp/x'] } }, '/tmp/x'],
    [{ dir: '~/.ssh' }, '~/.ssh'],
  ])('counts under any name of an argument: %j', (args, path) => {
    expect(decode('mine', 'save', args).targets).toMatchObject([{ path, role: 'write' }]);
  });

  test('is none in a text that only begins like one', () => {
    expect(decode('mine', 'say', { text: 'Use /compact, or and/or nothing.' }).targets).toEqual([]);
  });
});

describe('Gemini CLI, whose hooks know no ids of calls', () => {
  test('has the model’s id, its commands with their folder and its files as targets', () => {
    expect(decode('gemini', 'run_shell_command', { command: 'rm a', dir_path: 'sub' })).toMatchObject({
      callId: 'call_1',
      tool: 'shell',
      command: 'rm a',
      cwd: '/work/sub',
      declared: true,
    });
    expect(decode('gemini', 'write_file', { file_path: 'src/a.ts', content: 'x' })).toMatchObject({
      callId: 'call_1',
      declared: true,
      targets: [{ path: 'src/a.ts', role: 'write' }],
    });
  });
});

describe('Codex, by the names it has towards the model', () => {
  test('a command in its folder, with its terminal and its shell', () => {
    expect(decode('codex', 'exec_command', { cmd: 'rm a', workdir: 'sub' })).toMatchObject({
      tool: 'shell',
      hostTool: 'exec_command',
      command: 'rm a',
      cwd: '/work/sub',
      declared: true,
    });
    expect(decode('codex', 'exec_command', { cmd: 'bash', tty: true }).background).toBe(true);
    expect(decode('codex', 'exec_command', { cmd: 'x', shell: 'python3' }).command).toContain('python3');
  });

  test('a patch is the files it names', () => {
    const input = '*** Begin Patch\n*** Add File: src/a.ts\n+x\n*** End Patch\n';
    expect(decode('codex', 'apply_patch', { input }).targets).toMatchObject([{ path: 'src/a.ts' }]);
    expect(() => decode('codex', 'apply_patch', { input: 'nothing' })).toThrow();
  });

  test('typing into a running command cannot be judged, asking for its output can', () => {
    expect(() => decode('codex', 'write_stdin', { session_id: 1, chars: 'rm a\n' })).toThrow(
      /cannot be judged/,
    );
    expect(decode('codex', 'write_stdin', { session_id: 1, chars: '' })).toMatchObject({ mutating: false });
  });
});

test.each([
  ['claude-code', 'Write', { file_path: '/work/a', content: '' }, 'file_write'],
  ['claude-code', 'Bash', { command: 'ls' }, 'shell'],
  ['qwen', 'run_shell_command', { command: 'ls', is_background: false }, 'shell'],
  ['copilot', 'create', { path: '/work/a' }, 'file_write'],
])('%s %s', (host, name, args, tool) => {
  expect(decode(host, name, args)).toMatchObject({ callId: 'call_1', tool, declared: true });
});

test.each(['claude-code', 'qwen', 'codex', 'copilot'])(
  '%s: a call without what it needs is refused',
  (host) => {
    const shell = {
      'claude-code': 'Bash',
      qwen: 'run_shell_command',
      codex: 'exec_command',
      copilot: 'bash',
    }[host];
    expect(() => decode(host, shell ?? '', {})).toThrow();
  },
);
