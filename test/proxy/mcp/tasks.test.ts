import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { FakeServer } from '../../support/mcp.ts';
import { Stage, textOf } from './support.ts';

/** A server whose calls become tasks, in the words of 2025-11-25 or of the extension of 2026-07-28. */
class TaskServer extends FakeServer {
  readonly states = new Map<string, JsonObject>();
  #next = 0;

  constructor(words: 'older' | 'newer' = 'older', name = 'jobs') {
    super(name, ['run']);
    this.capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
    const stateOf = ({ taskId }: JsonObject) => this.states.get(String(taskId));
    const unknown = { error: { code: -32602, message: 'Task not found' } };
    this.answers = {
      'tools/call': () => {
        this.#next += 1;
        const taskId = `task-${this.#next}`;
        const state = { taskId, status: 'working', pollInterval: 1_000, pollIntervalMs: 1_000 };
        this.states.set(taskId, state);
        return { result: words === 'older' ? { task: state } : { resultType: 'task', ...state } };
      },
      'tasks/get': (params) => {
        const state = stateOf(params);
        return state ? { result: state } : unknown;
      },
      'tasks/result': (params) =>
        stateOf(params) ? { result: { content: [{ type: 'text', text: 'all done' }] } } : unknown,
      'tasks/list': () => ({
        result: { tasks: [...this.states.values(), { taskId: 'of-another', status: 'working' }] },
      }),
      'tasks/cancel': (params) => {
        this.end(String(params.taskId), 'cancelled');
        return { result: stateOf(params) ?? {} };
      },
      'tasks/update': () => ({ result: {} }),
    };
  }

  end(taskId: string, status: string, more: JsonObject = {}): void {
    this.states.set(taskId, { ...this.states.get(taskId), status, ...more });
  }
}

/** Begins a task; gives its id. */
async function begin(stage: Stage): Promise<string> {
  const answer = await stage.call('run', {}, { task: { ttl: 60_000 } });
  const state = (answer.task ?? answer) as JsonObject;
  expect(state).toMatchObject({ taskId: expect.any(String), status: 'working' });
  return String(state.taskId);
}

const ends = (stage: Stage) => stage.receipts().filter((line) => line.startsWith('post mcp__'));
const ask = async (stage: Stage, method: string, params: JsonObject) => {
  const { result, error } = await stage.client.ask(method, params);
  return (result ?? error) as JsonObject;
};

describe('a call of a tool that becomes a task', () => {
  test('is refused like any other call before the handshake', async () => {
    const server = new TaskServer();
    await using stage = new Stage([server]);
    const { capabilities } = await stage.begin();
    expect(capabilities).toHaveProperty('tasks.requests.tools.call');
    expect(await stage.call('run', {}, { task: {} })).toMatchObject({
      code: -32000,
      message: expect.stringContaining('Reasoning Intercept Required'),
    });
    expect(textOf(await stage.call('run'))).toContain('Reasoning Intercept Required');
    expect(server.last.count('tools/call')).toBe(0);
  });

  test.each(['older', 'newer'] as const)(
    'is judged, and ends when its task does (%s words)',
    async (words) => {
      const server = new TaskServer(words);
      await using stage = new Stage([server]);
      await stage.act();
      const taskId = await begin(stage);
      expect((await server.last.hears(({ method }) => method === 'tools/call')).params).toMatchObject({
        name: 'run',
      });
      expect(stage.place.receipts().at(-1)).toMatchObject({ note: expect.stringContaining('goes on') });
      stage.place.put('src/a/one.ts', 'by the task\n');
      server.end(taskId, 'completed', { result: { content: [{ type: 'text', text: 'all done' }] } });
      expect(await ask(stage, 'tasks/get', { taskId })).toMatchObject({ status: 'completed' });
      expect(ends(stage)).toEqual(['post mcp__jobs__run allowed', 'post mcp__jobs__run allowed']);
      expect(stage.place.trace().map(({ path }) => path)).toContain('src/a/one.ts');
      // Asked again, it is told again, and recorded once.
      if (words === 'older')
        for (const _ of [1, 2]) expect(textOf(await ask(stage, 'tasks/result', { taskId }))).toBe('all done');
      expect(ends(stage)).toHaveLength(2);
    },
  );

  test('what it changes outside the scope is undone, and its result is an error however often it is asked for', async () => {
    const server = new TaskServer('newer');
    await using stage = new Stage([server]);
    await stage.act();
    const taskId = await begin(stage);
    stage.place.put('README.md', 'by the task\n');
    server.end(taskId, 'completed', { result: { content: [{ type: 'text', text: 'all done' }] } });
    for (const _ of [1, 2]) {
      const state = await ask(stage, 'tasks/get', { taskId });
      expect(state.result).toMatchObject({ isError: true });
      expect(textOf(state.result as JsonObject)).toContain('README.md');
      expect(state.statusMessage).toContain('README.md');
    }
    expect(stage.place.text('README.md')).toBe('before\n');
    expect(stage.place.statusOf('INT-001')).toBe('BLOCKED');
  });

  test('is found outside the scope by the next call of the session already', async () => {
    const server = new TaskServer();
    await using stage = new Stage([server]);
    await stage.act();
    await begin(stage);
    stage.place.put('README.md', 'by the task\n');
    await stage.call('why', { file: 'src/a/one.ts' });
    expect(stage.place.text('README.md')).toBe('before\n');
    expect(stage.place.statusOf('INT-001')).toBe('BLOCKED');
  });

  test('ends though its client never asks', async () => {
    const server = new TaskServer();
    await using stage = new Stage([server]);
    await stage.act();
    const taskId = await begin(stage);
    server.end(taskId, 'completed');
    await expect.poll(() => ends(stage), { timeout: 20_000 }).toHaveLength(2);
  });

  test('of a declared tool ends with its task, without a snapshot', async () => {
    const server = new TaskServer();
    await using stage = new Stage([server], { rules: { 'jobs/run': { kind: 'read', paths: [] } } });
    await stage.act();
    const taskId = await begin(stage);
    expect(ends(stage)).toEqual([]);
    server.end(taskId, 'failed');
    await ask(stage, 'tasks/get', { taskId });
    expect(ends(stage)).toEqual(['post mcp__jobs__run failed']);
    expect(fs.existsSync(stage.place.workspace.layout.shadow)).toBe(false);
  });

  test('that never ends is recorded as failed when its server or the session goes', async () => {
    const server = new TaskServer();
    const stage = new Stage([server]);
    await stage.act();
    await begin(stage);
    await stage.session.close();
    expect(ends(stage)).toEqual(['post mcp__jobs__run allowed', 'post mcp__jobs__run failed']);
    stage.place[Symbol.dispose]();
  });

  test('is cancelled by its client alone, and by the gate where its beginning has raised an alarm', async () => {
    const server = new TaskServer();
    await using stage = new Stage([server]);
    await stage.act();
    const taskId = await begin(stage);
    expect(await ask(stage, 'tasks/cancel', { taskId })).toMatchObject({ status: 'cancelled' });
    expect(ends(stage).at(-1)).toBe('post mcp__jobs__run failed');
    const call = server.answers['tools/call'];
    server.answers = {
      ...server.answers,
      'tools/call': (...args) => {
        stage.place.put('README.md', 'at once\n');
        return call?.(...args) ?? null;
      },
    };
    const alarmed = await stage.call('run', { again: 1 }, { task: {} });
    expect(alarmed).toMatchObject({ code: -32000, message: expect.stringContaining('README.md') });
    await server.last.hears(
      ({ method, params }) => method === 'tasks/cancel' && JSON.stringify(params).includes('task-2'),
    );
  });
});

describe('requests about tasks', () => {
  test('reach only tasks of the session itself, whatever id they name', async () => {
    const server = new TaskServer();
    await using stage = new Stage([server]);
    await stage.act();
    const taskId = await begin(stage);
    server.states.set('of-another', { taskId: 'of-another', status: 'working' });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/update'])
      for (const id of ['of-another', '__proto__', 7]) {
        expect(await ask(stage, method, { taskId: id })).toMatchObject({ code: -32602 });
        expect(server.last.heard.filter((one) => one.method === method)).toEqual([]);
      }
    expect(await ask(stage, 'tasks/list', {})).toMatchObject({ tasks: [{ taskId }] });
  });

  test('what a client tells a task is judged', async () => {
    const server = new TaskServer('newer');
    await using stage = new Stage([server]);
    await stage.act();
    const taskId = await begin(stage);
    await ask(stage, 'tasks/update', { taskId, inputResponses: {} });
    expect(stage.receipts()).toContain('pre mcp__jobs__tasks/update allowed');
    stage.place.setStatus('INT-001', 'BLOCKED');
    expect(await ask(stage, 'tasks/update', { taskId, inputResponses: {} })).toMatchObject({ code: -32000 });
    expect(server.last.count('tasks/update')).toBe(1);
  });

  test('notices of other sessions are dropped; one of an end comes when it is recorded', async () => {
    const server = new TaskServer();
    await using stage = new Stage([server]);
    await stage.act();
    const taskId = await begin(stage);
    const method = 'notifications/tasks/status';
    server.last.say({ method, params: { taskId: 'of-another', status: 'completed' } });
    server.last.say({ method, params: { taskId, status: 'completed' } });
    const heard = await stage.client.hears((one) => one.method === method);
    expect(heard.params).toMatchObject({ taskId });
    expect(ends(stage)).toHaveLength(2);
  });

  test('find the server of a task among several', async () => {
    const [left, right] = [new TaskServer('older', 'left'), new FakeServer('right', ['look'])];
    await using stage = new Stage([right, left]);
    await stage.act();
    const answer = await stage.call('left__run', {}, { task: {} });
    const { taskId } = answer.task as JsonObject;
    expect(await ask(stage, 'tasks/get', { taskId: taskId ?? null })).toMatchObject({ status: 'working' });
    expect(right.last.count('tasks/get')).toBe(0);
  });

  test('a second task under the id of the first is refused and cancelled', async () => {
    const [left, right] = [new TaskServer('older', 'left'), new TaskServer('older', 'right')];
    await using stage = new Stage([left, right]);
    await stage.act();
    await stage.call('left__run', {}, { task: {} });
    expect(await stage.call('right__run', {}, { task: {} })).toMatchObject({
      message: expect.stringContaining('under an id that is in use'),
    });
    await right.last.hears(({ method }) => method === 'tasks/cancel');
  });
});
