import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BusEvent, CallOutput, Hooks } from '../../../src/hosts/opencode/host.ts';
import { hooksFor } from '../../../src/hosts/opencode/plugin.ts';
import { FakeLauncher } from '../support/launcher.ts';

let launcher: FakeLauncher;
let hooks: Hooks;
/** Sessions that the host knows of. */
let known: Record<string, string | undefined>;
let lookups: string[];

beforeEach(() => {
  launcher = new FakeLauncher();
  known = { root: undefined, old: 'root' };
  lookups = [];
  const get = async ({ path: { id } }: { path: { id: string } }) => {
    lookups.push(id);
    if (!(id in known)) throw new Error('no such session');
    return { data: { parentID: known[id] } as { parentID?: string } };
  };
  hooks = hooksFor({ directory: launcher.folder, client: { session: { get } } }, launcher.wiring);
});
afterEach(() => launcher[Symbol.dispose]());

const call = (more: object = {}) => ({ tool: 'bash', sessionID: 'root', callID: 'c1', ...more });
const tell = (type: string, properties: BusEvent['properties']) =>
  hooks.event({ event: { type, properties } });
const attempt = (more: object = {}, args: unknown = { command: 'ls' }) =>
  hooks['tool.execute.before'](call(more), { args });
const finish = async (output: CallOutput = { output: 'done' }, more: object = {}) => {
  await hooks['tool.execute.after'](call({ args: {}, ...more }), output);
  return output;
};

describe('before a call', () => {
  test('an allow lets it run, and nobody changes it any more', async () => {
    launcher.answer({ verdict: 'allow' });
    const args = { command: 'ls', more: { a: 1 } };
    await attempt({}, args);
    expect(() => {
      args.more.a = 2;
    }).toThrow(TypeError);
    expect(launcher.sent).toMatchObject([
      { hook: 'tool.execute.before', session: 'root', agent: null, first: true, output: { args } },
    ]);
  });

  test.each([
    ['a denial', () => launcher.answer({ verdict: 'deny', reason: 'out of scope' }, 2), 'out of scope'],
    ['no verdict', () => launcher.answer({ verdict: 'none' }), 'no verdict'],
    ['a hook that is gone', () => launcher.program('exit 127'), 'could not judge'],
  ])('%s throws', async (_what, prepare, message) => {
    prepare();
    await expect(attempt()).rejects.toThrow(message);
  });

  test('a session is begun once', async () => {
    launcher.answer({ verdict: 'allow' });
    await attempt();
    await attempt({ callID: 'c2' });
    expect(launcher.sent.map(({ first }) => first)).toEqual([true, undefined]);
  });
});

test('a session whose beginning was not recorded begins with the next event', async () => {
  launcher.program('exit 1');
  await expect(hooks['chat.message']({ sessionID: 'root' }, { parts: [] })).rejects.toThrow('Fail-Safe');
  launcher[Symbol.dispose]();
  launcher = new FakeLauncher(launcher.folder);
  await hooks['chat.message']({ sessionID: 'root' }, { parts: [] });
  await hooks['chat.message']({ sessionID: 'root' }, { parts: [] });
  expect(launcher.sent.map(({ first }) => first)).toEqual([true, undefined]);
});

describe('subagents are governed in their parent’s session', () => {
  test('told by an event', async () => {
    launcher.answer({ verdict: 'allow' });
    await tell('session.created', { info: { id: 'child', parentID: 'root', role: '', sessionID: '' } });
    await tell('session.created', { info: { id: 'grandchild', parentID: 'child', role: '', sessionID: '' } });
    await attempt({ sessionID: 'grandchild' });
    expect(launcher.sent).toMatchObject([{ session: 'root', agent: 'grandchild' }]);
    expect(lookups).toEqual(['root']);
  });

  test('or asked for, where another process made them', async () => {
    launcher.answer({ verdict: 'allow' });
    await attempt({ sessionID: 'old' });
    expect(launcher.sent).toMatchObject([{ session: 'root', agent: 'old' }]);
  });

  test('one that the host does not tell of stands for itself; so do circles', async () => {
    launcher.answer({ verdict: 'allow' });
    await attempt({ sessionID: 'stranger' });
    known.a = 'b';
    known.b = 'a';
    await attempt({ sessionID: 'a' });
    expect(launcher.sent).toMatchObject([
      { session: 'stranger', agent: null },
      { hook: 'tool.execute.before' },
    ]);
  });

  test('their prompt is no request', async () => {
    await hooks['chat.message']({ sessionID: 'old' }, { parts: [] });
    expect(launcher.sent).toEqual([]);
  });
});

describe('after a call', () => {
  test('nothing changes when all is well', async () => {
    expect(await finish()).toEqual({ output: 'done' });
  });

  test('an alarm is all that the model reads', async () => {
    launcher.answer({ verdict: 'none', alarm: 'undone' });
    expect(await finish({ output: 'secret', metadata: { output: 'secret' }, attachments: [1] })).toEqual({
      title: 'PactClaw',
      output: 'undone',
      metadata: {},
    });
    expect(
      await finish({ content: [{ type: 'text', text: 'secret' }], structuredContent: { a: 1 } }),
    ).toEqual({
      title: 'PactClaw',
      output: 'undone',
      metadata: {},
      content: [{ type: 'text', text: 'undone' }],
    });
  });

  test('so is a failure to record', async () => {
    launcher.program('exit 1');
    expect((await finish()).output).toContain('Fail-Safe Default');
  });

  const failed = (callID: string) =>
    tell('message.part.updated', {
      part: {
        type: 'tool',
        tool: 'edit',
        callID,
        messageID: 'm',
        sessionID: 'root',
        state: { status: 'error' },
      },
    });

  test('one that threw is told by its event, once, and before the next call', async () => {
    launcher.answer({ verdict: 'allow' });
    await attempt();
    await failed('c1');
    await failed('c1');
    await failed('never allowed');
    await attempt({ callID: 'c2' });
    expect(launcher.sent.map(({ hook }) => hook)).toEqual([
      'tool.execute.before',
      'event',
      'tool.execute.before',
    ]);
  });
});

describe('the handshake', () => {
  const tool = () => hooks.tool.select_active_intent!;

  test('answers what the hook said of this very call, once', async () => {
    launcher.answer({ verdict: 'allow', handshake: { intent: 'INT-001' } });
    await attempt({ tool: 'select_active_intent' });
    expect(JSON.parse(await tool().execute({}, { callID: 'c1' }))).toEqual({ intent: 'INT-001' });
    await expect(tool().execute({}, { callID: 'c1' })).rejects.toThrow('no hook has seen this handshake');
  });

  test('is no handshake where another tool of its name answered', async () => {
    launcher.answer({ verdict: 'allow', handshake: { intent: 'INT-001' } });
    await attempt({ tool: 'select_active_intent' });
    launcher.answer({ verdict: 'none' });
    const output = await finish({ output: 'selected' }, { tool: 'select_active_intent' });
    expect(output.output).toContain('no hook has seen this handshake');
    expect(launcher.sent.at(-1)).toMatchObject({ output: { metadata: { exit: 1 } } });
  });
});

describe('prompts', () => {
  test('one that cannot be recorded is refused', async () => {
    launcher.answer({ verdict: 'deny', reason: 'broken' }, 2);
    await expect(hooks['chat.message']({ sessionID: 'root' }, { parts: [] })).rejects.toThrow('broken');
  });

  test('what the agent is to be told stands before every request of the session and of its subagents', async () => {
    launcher.answer({ verdict: 'none', context: 'open intents' });
    await hooks['chat.message']({ sessionID: 'root' }, { parts: [{ synthetic: true }] });
    expect(launcher.sent).toMatchObject([{ first: true, output: { parts: [{ synthetic: true }] } }]);
    for (const sessionID of ['root', 'old']) {
      const system = ['own'];
      await hooks['experimental.chat.system.transform']({ sessionID }, { system });
      expect(system).toEqual(['own', 'open intents']);
    }
    const context: string[] = [];
    await hooks['experimental.session.compacting']({ sessionID: 'root' }, { context });
    expect(context).toEqual(['open intents']);
  });
});

test('each finished response is reported once, and whether it made the handshake alone', async () => {
  const response = (id: string, completed: number | undefined, role = 'assistant') =>
    tell('message.updated', {
      info: {
        id,
        role,
        sessionID: 'old',
        modelID: 'm',
        tokens: { input: 1 },
        time: { ...(completed ? { completed } : {}) },
      },
    });
  await tell('message.part.updated', {
    part: {
      type: 'tool',
      tool: 'select_active_intent',
      callID: 'h',
      messageID: 'shake',
      sessionID: 'root',
      state: { status: 'running' },
    },
  });
  for (const id of ['one', 'one', 'two', 'shake']) await response(id, 5);
  await response('three', undefined);
  await response('four', 5, 'user');
  launcher.answer({ verdict: 'allow' });
  await attempt();
  await attempt({ callID: 'c2' });
  const plain = { modelID: 'm', tokens: { input: 1 }, handshake: false };
  expect(launcher.sent.map(({ responses }) => responses)).toEqual([
    [plain, plain, { ...plain, handshake: true }],
    undefined,
  ]);
});

test('the end of a run is told, of a subagent’s it is not; nothing is left behind', async () => {
  await tell('session.idle', { sessionID: 'old' });
  await tell('session.idle', { sessionID: 'root' });
  await hooks.dispose();
  expect(launcher.sent).toMatchObject([{ hook: 'event', session: 'root', input: { type: 'session.idle' } }]);
});

test('the seal comes off, and nothing else', async () => {
  const permission = { '**': 'deny', '*': 'ask', bash: 'allow' };
  await hooks.config({ permission });
  expect(permission).toEqual({ '*': 'ask', bash: 'allow' });
  await hooks.config({});
});
