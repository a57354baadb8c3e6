import { expect, test } from 'vitest';
import type { HookEngine } from '../../../../src/hooks/engine.ts';
import type { PostToolRequest } from '../../../../src/hooks/requests.ts';
import { ADAPTERS } from '../../support/all-hosts.ts';

/** What the engine is told of a PostToolUse. */
async function told(host: string, more: object): Promise<PostToolRequest> {
  let request: PostToolRequest | undefined;
  const engine = {
    postToolUse: async (one: PostToolRequest) => {
      request = one;
      return { context: null, alarm: null };
    },
    openCalls: async () => [],
  } as unknown as HookEngine;
  const payload = { hook_event_name: 'PostToolUse', session_id: 's', cwd: '/w', tool_use_id: 't1', ...more };
  const adapter = ADAPTERS[host]!;
  await adapter.handle(await adapter.decode(Buffer.from(JSON.stringify(payload)), 'PostToolUse'), engine);
  return request!;
}

const moved = { stdout: '', stderr: '', interrupted: false, backgroundTaskId: 'b1', timedOutAfterMs: 2000 };

test.each([
  ['claude-code', 'Bash', { command: 'python3 s.py', timeout: 2000 }, moved],
  ['claude-code', 'Bash', { command: 'make', run_in_background: true }, { backgroundTaskId: 'b2' }],
  ['claude-code', 'Monitor', { command: 'tail -f x', description: 'm' }, { taskId: 'm1' }],
  ['qwen', 'monitor', { command: 'tail -f x', description: 'm' }, { llmContent: 'Monitor started.' }],
  ['qwen', 'run_shell_command', { command: 'make', is_background: true }, { llmContent: '' }],
])('F-1: %s: a %s that goes on has not ended', async (host, tool_name, tool_input, tool_response) => {
  expect(await told(host, { tool_name, tool_input, tool_response })).toMatchObject({ stillRunning: true });
});

test.each([
  ['claude-code', 'Bash', { command: 'ls' }, { stdout: 'backgroundTaskId', stderr: '' }],
  ['qwen', 'run_shell_command', { command: 'ls', is_background: false }, { llmContent: 'x' }],
])('%s: a %s that ended has ended', async (host, tool_name, tool_input, tool_response) => {
  expect(await told(host, { tool_name, tool_input, tool_response })).not.toHaveProperty('stillRunning');
});
