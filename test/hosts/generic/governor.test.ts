import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { governor } from '../../../src/hosts/generic/governor.ts';
import type { Governor } from '../../../src/hosts/generic/governor-types.ts';
import { RefusedError } from '../../../src/hosts/generic/refused-error.ts';
import { Store } from '../../../src/ledger/store.ts';
import { TestWorkspace } from '../../support/workspace.ts';

let place: TestWorkspace;
let agent: Governor;
beforeEach(() => {
  place = new TestWorkspace([{ id: 'INT-001' }], ['src/components/a.ts', 'src/other.ts']);
  agent = governor({ workspace: place.root, sessionId: 's1', host: 'kit' }, '');
});
afterEach(() => place[Symbol.dispose]());

interface File {
  path: string;
  content: string;
}
let ran: string[];
beforeEach(() => {
  ran = [];
});
const writer = () =>
  agent.tool(
    'save',
    async ({ path, content }: File) => {
      ran.push(path);
      place.put(path, content);
      return { saved: path };
    },
    { kind: 'write', targets: ({ path }) => [{ path, role: 'write' }] },
  );
const refusal = async (work: Promise<unknown>): Promise<RefusedError> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RefusedError);
  return error as RefusedError;
};
const begin = async () => {
  await agent.userPrompt();
  await agent.handshakeTool.execute({ intent_id: 'INT-001', reasoning: 'it fits' });
};
const attempts = () =>
  place
    .receipts()
    .filter(({ phase }) => phase === 'pre' || phase === 'post')
    .map(({ phase, tool, status }) => `${phase} ${tool} ${status}`);

describe('before the handshake', () => {
  test('nothing runs', async () => {
    await agent.userPrompt();
    const error = await refusal(writer()({ path: 'src/components/a.ts', content: 'x' }));
    expect(error).toMatchObject({ rule: 'state', verdict: 'deny', when: 'before' });
    expect(error.message).toContain('State Violation: Reasoning Intercept Required');
    expect(ran).toEqual([]);
  });

  test('the agent is told of the open intents, after it of its bounds', async () => {
    expect(await agent.userPrompt()).toContain('INT-001');
    const answer = await agent.handshakeTool.execute({ intent_id: 'INT-001' });
    expect(answer).toMatchObject({ intent: { id: 'INT-001' }, owned_scope: ['src/components/**'] });
    expect(await agent.context()).toContain('src/components/**');
  });

  test.each([{ intent_id: 'INT-404' }, {}, null, 7])('a handshake with %j is refused', async (args) => {
    await agent.userPrompt();
    await refusal(agent.handshakeTool.execute(args));
    await refusal(writer()({ path: 'src/components/a.ts', content: 'x' }));
  });
});

describe('after the handshake', () => {
  test('a write in scope lands and is recorded; one outside does neither', async () => {
    await begin();
    expect(await writer()({ path: 'src/components/new.ts', content: 'x' })).toEqual({
      saved: 'src/components/new.ts',
    });
    const error = await refusal(writer()({ path: 'src/other.ts', content: 'x' }));
    expect(error).toMatchObject({ rule: 'scope', when: 'before' });
    expect(ran).toEqual(['src/components/new.ts']);
    expect(place.trace()).toMatchObject([{ path: 'src/components/new.ts', rationale: 'it fits' }]);
    expect(place.receipts().every(({ host }) => host === undefined || host === 'kit')).toBe(true);
  });

  test('the end of a tool that throws is recorded too, and its error is the caller’s', async () => {
    await begin();
    const fails = agent.tool('look', () => Promise.reject(new Error('no such page')), { kind: 'network' });
    await expect(fails({})).rejects.toThrow('no such page');
    const throws = agent.tool(
      'look',
      () => {
        throw new Error('at once');
      },
      { kind: 'network' },
    );
    await expect(throws({ n: 1 })).rejects.toThrow('at once');
    expect(attempts().slice(2)).toEqual([
      'pre look allowed',
      'post look failed',
      'pre look allowed',
      'post look failed',
    ]);
  });

  test('calls at once are each judged and ended', async () => {
    await begin();
    const save = writer();
    const names = Array.from({ length: 8 }, (_, at) => `src/components/p${at}.ts`);
    const done = await Promise.all(names.map((path) => save({ path, content: path })));
    expect(done).toHaveLength(8);
    expect(
      place
        .trace()
        .map(({ path }) => path)
        .sort(),
    ).toEqual(names);
    expect(attempts().filter((line) => line === 'post save allowed')).toHaveLength(8);
  });

  test('the fourth identical call halts the session', async () => {
    await begin();
    const look = agent.tool('look', async () => 'same', { kind: 'network' });
    for (const _ of [1, 2, 3]) await look({ q: 1 });
    expect(await refusal(look({ q: 1 }))).toMatchObject({ verdict: 'halt', rule: 'loop-breaker' });
    expect(await refusal(look({ q: 2 }))).toMatchObject({ rule: 'state' });
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
  });

  test('what a command changed outside is undone, and its result is no result', async () => {
    await begin();
    const shell = agent.tool(
      'sh',
      async () => {
        place.put('src/other.ts', 'leaked\n');
        return 'fine';
      },
      { kind: 'execute', command: () => 'node build.js' },
    );
    const error = await refusal(shell({}));
    expect(error).toMatchObject({ when: 'after', rule: null });
    expect(error.message).toContain('src/other.ts');
    expect(place.text('src/other.ts')).toBe('before\n');
  });

  test('use of the model is counted once, against the intent', async () => {
    await begin();
    agent.used({ tokens: 50, model: 'm' });
    agent.used({ turns: 2, tokens: 5 });
    const look = agent.tool('look', async () => 1, { kind: 'network' });
    await look({ n: 1 });
    await look({ n: 2 });
    expect(place.usage('INT-001')).toMatchObject({ tokens: 55, turns: 3 });
    agent.used({ tokens: 7 });
    await agent.stop();
    expect(place.usage('INT-001')).toMatchObject({ tokens: 62, turns: 4 });
  });
});

describe('what is declared wrongly does not run', () => {
  test.each<[string, object]>([
    ['a command without its text', { kind: 'execute' }],
    ['a writer that changes nothing', { kind: 'write', mutating: false }],
    ['an unknown kind', { kind: 'wish' }],
    ['a target without a role', { kind: 'write', targets: () => [{ path: 'src/components/a.ts' }] }],
    [
      'a target that cannot be told',
      {
        kind: 'write',
        targets: () => {
          throw new Error('no path');
        },
      },
    ],
    [
      'a reader that names a file for writing',
      { kind: 'read', targets: () => [{ path: 'src/other.ts', role: 'write' }] },
    ],
    ['a writer that names no file', { kind: 'write' }],
  ])('%s', async (_what, options) => {
    await begin();
    const tool = agent.tool('t', () => ran.push('t'), options as never);
    await expect(tool({})).rejects.toThrow();
    expect(ran).toEqual([]);
  });

  test('arguments that change while they are judged, or that JSON cannot hold', async () => {
    await begin();
    const tool = agent.tool('t', (_args: { url: string }) => ran.push('t'), { kind: 'network' });
    const args = { url: 'a' };
    const call = tool(args);
    args.url = 'b';
    await expect(call).rejects.toThrow('changed after they were judged');
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    await refusal(tool(circle as never));
    expect(ran).toEqual([]);
  });

  test('an undeclared tool is held against the scope by what its arguments name', async () => {
    await begin();
    const tool = agent.tool('mystery', () => ran.push('t'));
    expect(await refusal(tool({ path: 'src/other.ts' }))).toMatchObject({ rule: 'scope' });
    expect(ran).toEqual([]);
  });
});

test('broken state refuses: at the prompt, and at every tool', async () => {
  await begin();
  place.put('.orchestration/active_intents.yaml', 'active_intents: [');
  expect((await refusal(agent.userPrompt())).message).toContain('Fail-Safe Default');
  expect((await refusal(writer()({ path: 'src/components/a.ts', content: 'x' }))).message).toContain(
    'Fail-Safe',
  );
  expect(ran).toEqual([]);
});

test.each([
  [{ workspace: '/nonexistent/folder' }, 'the workspace folder is missing'],
  [{ workspace: '/tmp', sessionId: '' }, 'session_id'],
  [{ workspace: '/tmp', host: 'x'.repeat(65) }, 'host'],
])('a governor with %j is refused at once', (options, message) => {
  expect(() => governor(options, '')).toThrow(message);
});

describe('the workspace’s state', () => {
  test('is opened once for all calls and sessions of the process', async () => {
    const opened = vi.spyOn(Store, 'open');
    await begin();
    await writer()({ path: 'src/components/a.ts', content: 'x' });
    const other = governor({ workspace: place.root, sessionId: 's2' }, '');
    await other.userPrompt();
    await agent.stop();
    expect(opened).toHaveBeenCalledTimes(1);
    opened.mockRestore();
  });

  test('that was taken away between two calls is not used on', async () => {
    await begin();
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(`${place.root}/.orchestration/state.db${suffix}`, { force: true });
    const error = await refusal(writer()({ path: 'src/components/a.ts', content: 'x' }));
    expect(error.rule).toBe('state');
    expect(ran).toEqual([]);
    await begin();
    await writer()({ path: 'src/components/a.ts', content: 'x' });
    expect(ran).toEqual(['src/components/a.ts']);
  });
});
