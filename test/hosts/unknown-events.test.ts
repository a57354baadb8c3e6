import { describe, expect, test } from 'vitest';
import type { HookEngine } from '../../src/hooks/engine.ts';
import type { HookReply } from '../../src/hosts/adapter.ts';
import { answerEvent } from '../../src/hosts/answer-event.ts';
import type { HostVerifier } from '../../src/hosts/shared/verify/verifier.ts';
import { ADAPTERS, VERIFIERS } from './support/all-hosts.ts';

const SANDBOX = { root: '/ws', home: '/home/x' };
/** Keys under which hosts name an event in the payload; for Copilot the registration alone does. */
const EVENT_KEYS = ['hook_event_name', 'agent_action_name', 'hookName', 'hook'];

/** Nothing that these tests send may reach an engine. */
const engine = new Proxy({} as HookEngine, {
  get: (_target, name) => () => Promise.reject(new Error(`the engine was asked: ${String(name)}`)),
});

function send(verifier: HostVerifier, message: object | string, registered: string | null) {
  const bytes = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
  const adapter = ADAPTERS[verifier.host];
  if (!adapter) throw new Error(`no adapter of ${verifier.host}`);
  return answerEvent(
    adapter,
    registered,
    async () => bytes,
    () => engine,
  );
}

function understood(verifier: HostVerifier, reply: HookReply): string {
  return verifier.verdictOf({ ...reply, signal: null, timedOut: false, failure: null }).verdict;
}

/** A payload of the host whose event is another. */
function named(verifier: HostVerifier, event: string): object {
  const trial = { does: 'shell', command: 'ls' } as const;
  const tool = verifier.toolFor(trial);
  const payload: Record<string, unknown> = {
    ...verifier.payload(SANDBOX, 'beforeTool', tool && { ...tool, trial, id: 'c1' }),
  };
  for (const key of EVENT_KEYS) if (key in payload) payload[key] = event;
  return payload;
}

describe.each(VERIFIERS.map((verifier) => [verifier.host, verifier] as const))('%s', (host, verifier) => {
  const known = ADAPTERS[host]?.events ?? [];
  const unknown = [
    'beforeShellExecution',
    'beforeReadFile',
    'preSomething',
    'PRE_ANYTHING',
    'PreToolUse',
    'BeforeTool',
    'preToolUse',
  ].filter((event) => !known.includes(event));

  test.each(unknown)('F-28: %s, which it does not know, is refused', async (event) => {
    for (const registered of [event, ...(host === 'copilot' ? [] : [null])])
      expect(understood(verifier, await send(verifier, named(verifier, event), registered))).toBe('denied');
  });

  test('F-28: the same with nothing but its name, or in the hook of another event', async () => {
    const event = unknown[0] ?? '';
    const bare = Object.fromEntries(EVENT_KEYS.map((key) => [key, event]));
    expect(understood(verifier, await send(verifier, bare, event))).toBe('denied');
    // Copilot's payloads name no event.
    if (host === 'copilot') return;
    const stop = verifier.events.stop ?? null;
    expect(understood(verifier, await send(verifier, named(verifier, event), stop))).toBe('denied');
  });

  test('F-28: its own refusing event is refused when fields are missing', async () => {
    const event = verifier.events.beforeTool ?? '';
    const payload = verifier.payload(SANDBOX, 'beforeTool', null);
    for (const message of [{}, ...(host === 'windsurf' ? [] : [payload]), '[]', '', '\u0000'])
      expect(understood(verifier, await send(verifier, message, event))).toBe('denied');
  });

  test.each(['Notification', 'afterwards'])(
    '%s, which decides nothing, is answered with nothing',
    async (event) => {
      expect(await send(verifier, named(verifier, event), event)).toEqual({
        stdout: '{}\n',
        stderr: '',
        code: 0,
      });
    },
  );
});
