import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { register } from '../../../src/hosts/pi/extension.ts';
import type { Context, ExtensionApi } from '../../../src/hosts/pi/host.ts';
import { FakeLauncher } from '../support/launcher.ts';

type Handler = (event: never, context: Context) => Promise<unknown>;

let launcher: FakeLauncher;
let handlers: Record<string, Handler>;
let tool: Parameters<ExtensionApi['registerTool']>[0];
let messages: unknown[];
let notes: string[];
let idle: boolean;
let context: Context;

beforeEach(() => {
  launcher = new FakeLauncher();
  [handlers, messages, notes, idle] = [{}, [], [], true];
  register(
    {
      on: (event, handler) => {
        handlers[event] = handler as Handler;
      },
      registerTool: (given) => {
        tool = given;
      },
      sendMessage: (message) => {
        messages.push(message);
      },
    },
    launcher.wiring,
  );
  context = {
    cwd: launcher.folder,
    hasUI: true,
    ui: { notify: (text) => notes.push(text) },
    sessionManager: { getSessionId: () => 's1' },
    isIdle: () => idle,
  };
});
afterEach(() => launcher[Symbol.dispose]());

const fire = (event: string, payload: object = {}) => (handlers[event] as Handler)(payload as never, context);
const attempt = (more: object = {}) =>
  fire('tool_call', { toolName: 'bash', toolCallId: 'c1', input: { command: 'ls' }, ...more });
const finish = (more: object = {}) =>
  fire('tool_result', {
    toolName: 'bash',
    toolCallId: 'c1',
    input: {},
    content: [{ type: 'text', text: 'done' }],
    isError: false,
    ...more,
  });
const hooks = () => launcher.sent.map(({ hook }) => hook);

describe('before a call', () => {
  test('an allow lets it run, and nobody changes it any more', async () => {
    launcher.answer({ verdict: 'allow' });
    const input = { command: 'ls' };
    expect(await attempt({ input })).toBeUndefined();
    expect(() => {
      input.command = 'rm';
    }).toThrow(TypeError);
    expect(launcher.sent).toMatchObject([
      { hook: 'tool_call', session: 's1', first: true, input: { input } },
    ]);
  });

  test.each([
    ['a denial', () => launcher.answer({ verdict: 'deny', reason: 'out of scope' }, 2), 'out of scope'],
    ['no verdict', () => launcher.answer({ verdict: 'none' }), 'no verdict'],
    ['a hook that is gone', () => launcher.program('exit 127'), 'could not judge'],
  ])('%s blocks', async (_what, prepare, reason) => {
    prepare();
    expect(await attempt()).toEqual({ block: true, reason: expect.stringContaining(reason) });
  });
});

describe('after a call', () => {
  test('nothing changes when all is well', async () => {
    expect(await finish()).toBeUndefined();
  });

  test('an alarm, or a failure to record, is all that the model reads', async () => {
    launcher.answer({ verdict: 'none', alarm: 'undone' });
    expect(await finish()).toEqual({
      content: [{ type: 'text', text: 'undone' }],
      details: {},
      isError: true,
    });
    launcher.program('exit 1');
    expect(await finish()).toMatchObject({ isError: true });
  });

  test('one that another extension refused after us is ended, once', async () => {
    launcher.answer({ verdict: 'allow' });
    await attempt();
    const end = { toolName: 'bash', toolCallId: 'c1' };
    await fire('tool_execution_end', end);
    await fire('tool_execution_end', end);
    await fire('tool_execution_end', { ...end, toolCallId: 'refused' });
    await fire('session_shutdown');
    expect(launcher.sent.slice(1)).toMatchObject([
      { hook: 'tool_execution_end', input: { toolCallId: 'c1', input: { command: 'ls' }, isError: true } },
    ]);
  });

  test('one that ended as usual is not told twice', async () => {
    launcher.answer({ verdict: 'allow' });
    await attempt();
    launcher.answer({ verdict: 'none' });
    await finish();
    await fire('tool_execution_end', { toolName: 'bash', toolCallId: 'c1' });
    await fire('session_shutdown');
    expect(hooks()).toEqual(['tool_call', 'tool_result']);
  });
});

describe('the handshake', () => {
  beforeEach(async () => {
    launcher.answer({ verdict: 'allow', handshake: { intent: 'INT-001' } });
    await attempt({ toolName: 'select_active_intent', toolCallId: 'h1' });
    launcher.answer({ verdict: 'none' });
  });

  test('answers what the hook said of this very call, once', async () => {
    const { content } = await tool.execute('h1', {});
    expect(JSON.parse(content[0]!.text)).toEqual({ intent: 'INT-001' });
    await expect(tool.execute('h1', {})).rejects.toThrow('no hook has seen this handshake');
    await expect(tool.execute('other', {})).rejects.toThrow('no hook has seen this handshake');
  });

  test('is no handshake where another tool of its name answered', async () => {
    const result = await finish({ toolName: 'select_active_intent', toolCallId: 'h1' });
    expect(result).toMatchObject({ isError: true });
    expect(launcher.sent.at(-1)).toMatchObject({ input: { isError: true } });
  });
});

describe('prompts', () => {
  const user = { message: { role: 'user' } };

  test('one is told when it is typed, and its message is not told again', async () => {
    launcher.answer({ verdict: 'none', context: 'open intents' });
    expect(await fire('input', { source: 'interactive', text: 'go' })).toEqual({ action: 'continue' });
    expect(await fire('before_agent_start')).toMatchObject({
      message: { content: 'open intents', display: false },
    });
    await fire('message_start', user);
    await fire('message_start', { message: { role: 'assistant' } });
    expect(launcher.sent).toMatchObject([{ hook: 'input', first: true, input: { source: 'interactive' } }]);
  });

  test('what is typed while the agent works is told when it is delivered', async () => {
    await fire('input', { source: 'interactive', text: 'go' });
    await fire('message_start', user);
    idle = false;
    await fire('input', { source: 'rpc', text: 'and' });
    expect(hooks()).toEqual(['input']);
    await fire('message_start', user);
    await fire('message_start', user);
    expect(launcher.sent.map(({ input }) => (input as { source: string }).source)).toEqual([
      'interactive',
      'rpc',
      'unknown',
    ]);
  });

  test('one that cannot be recorded is refused', async () => {
    launcher.answer({ verdict: 'deny', reason: 'broken' }, 2);
    expect(await fire('input', { source: 'interactive', text: 'go' })).toEqual({ action: 'handled' });
    expect(notes).toEqual(['broken']);
  });
});

test('after a compaction the agent is given its bounds again', async () => {
  launcher.answer({ verdict: 'none', context: 'bounds' });
  await fire('session_before_compact');
  await fire('session_compact');
  expect(hooks()).toEqual(['session_before_compact', 'session_compact']);
  expect(messages).toMatchObject([{ content: 'bounds', display: false }]);
});

test('a client that ends gives no context any more: nothing is told, nothing is thrown', async () => {
  const stale = {
    ...context,
    sessionManager: {
      getSessionId: () => {
        throw new Error('This extension ctx is stale');
      },
    },
  };
  for (const event of ['session_before_compact', 'session_compact'])
    await (handlers[event] as Handler)({} as never, stale);
  expect(launcher.sent).toEqual([]);
});

test('each response is reported once its calls have ended, and whether it made the handshake alone', async () => {
  const response = (name: string) => ({
    message: { role: 'assistant', model: 'm', usage: { input: 1 }, content: [{ type: 'toolCall', name }] },
  });
  await fire('turn_end', response('select_active_intent'));
  await fire('turn_end', response('bash'));
  await fire('turn_end', { message: { role: 'user' } });
  await fire('agent_end');
  await fire('agent_end');
  expect(launcher.sent.map(({ responses }) => responses)).toEqual([
    [
      { model: 'm', usage: { input: 1 }, handshake: true },
      { model: 'm', usage: { input: 1 }, handshake: false },
    ],
    undefined,
  ]);
});
