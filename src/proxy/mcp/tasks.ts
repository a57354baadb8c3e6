import { isObject, type JsonObject } from '../../core/json.ts';
import { type Answer, CODES, failure, type Notification, toolError } from '../../mcp/message.ts';
import { readPages } from '../../mcp/pages.ts';
import type { Upstream } from '../../mcp/upstream.ts';
import { after, type Timer } from '../../platform/timers.ts';
import type { Flight } from './flights.ts';
import { alarmed } from './governor.ts';
import type { Route } from './routes.ts';

/** Statuses after which a task changes nothing more (both generations). */
const ENDED: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);
/** Requests about one task, of both generations: 2025-11-25, and the extension of 2026-07-28. */
const ABOUT_ONE: ReadonlySet<string> = new Set(['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel']);
const NOTICES: ReadonlySet<string> = new Set(['notifications/tasks/status', 'notifications/tasks']);
/** How often a task is looked at, in milliseconds, whatever its server suggests. */
const LOOK_MS = { shortest: 1_000, longest: 30_000 } as const;
/** Most tasks of one session that are known at once, ended ones among them. */
const MAX_TASKS = 1_000;

/** Records how the call ended that had become a task; gives the alarm, or null. Works once, then says the same again. */
export type EndCall = (answer: Answer) => Promise<string | null>;

interface Task {
  readonly id: string;
  readonly upstream: Upstream;
  readonly end: EndCall;
  /** What the end of its call has brought, when it has ended. */
  ended: Promise<string | null> | null;
  timer: Timer | null;
}

/** The task that a `tools/call` was answered with, in the words of either generation; null for any other answer. */
export function taskIn(answer: Answer): JsonObject | null {
  if ('error' in answer) return null;
  const { result } = answer;
  const task = result.resultType === 'task' ? result : result.task;
  return isObject(task) && typeof task.taskId === 'string' && typeof task.status === 'string' ? task : null;
}

function lookMs({ pollInterval, pollIntervalMs }: JsonObject): number {
  const wished = Number(pollIntervalMs ?? pollInterval ?? 0) || 0;
  return Math.min(Math.max(wished, LOOK_MS.shortest), LOOK_MS.longest);
}

/** How the call ended that had become a task, by the last state of the task or by the call's own result. */
function lastAnswer(answer: Answer): Answer {
  if ('error' in answer) return answer;
  const { status, statusMessage, result } = answer.result;
  if (status === 'failed' || status === 'cancelled')
    return failure(CODES.internal, `the task is ${status}${statusMessage ? `: ${statusMessage}` : ''}`);
  return isObject(result) ? { result } : answer;
}

/** How a task's state is told that ended with an alarm: with the alarm, and its result as an error. */
function warned(state: JsonObject, alarm: string): JsonObject {
  const { result } = state;
  const failed = isObject(result) ? alarmed(alarm, { result }, toolError) : null;
  return {
    ...state,
    statusMessage: alarm,
    ...(failed && 'result' in failed ? { result: failed.result } : {}),
  };
}

/**
 * Calls of tools that have become tasks. Each stays a governed call until its task has ended, which is looked at here
 * whether the client asks or not. A client reaches only the tasks that its own calls have become.
 */
export class Tasks {
  readonly #tasks = new Map<string, Task>();

  constructor(
    private readonly upstreams: readonly Upstream[],
    /** Passes a request on, unless its server is held back. */
    private readonly pass: (flight: Flight, route: Route) => Promise<Answer>,
  ) {}

  static takes(method: string): boolean {
    return ABOUT_ONE.has(method) || method === 'tasks/list';
  }

  /** False if the session has too many tasks, or the id is that of another one. */
  hasRoomFor({ taskId }: JsonObject): boolean {
    for (const { id, ended } of this.#tasks.values())
      if (this.#tasks.size >= MAX_TASKS && ended) this.#tasks.delete(id);
    return !this.#tasks.has(String(taskId)) && this.#tasks.size < MAX_TASKS;
  }

  /** Name of the server that a task runs on. */
  serverOf({ taskId }: JsonObject): string {
    return this.#tasks.get(String(taskId))?.upstream.name ?? 'unknown';
  }

  /** Keeps the task that a call has become. Returns false if there is no room for it. */
  adopt(upstream: Upstream, state: JsonObject, end: EndCall): boolean {
    if (!this.hasRoomFor(state)) return false;
    const id = String(state.taskId);
    const task: Task = { id, upstream, end, ended: null, timer: null };
    this.#tasks.set(id, task);
    this.#lookLater(task, state);
    return true;
  }

  /** Asks a server to cancel a task; nobody waits for it. */
  static cancel(upstream: Upstream, state: JsonObject): void {
    void upstream.request('tasks/cancel', { taskId: state.taskId ?? null }).answer;
  }

  #lookLater(task: Task, state: JsonObject): void {
    task.timer = after(lookMs(state), () => void this.#look(task));
  }

  async #look(task: Task): Promise<void> {
    const answer = await task.upstream.request('tasks/get', { taskId: task.id }).answer;
    if (task.ended) return;
    if ('error' in answer) {
      const { code } = answer.error;
      // The server is gone, or does not know the task any more. Other errors say nothing of the task.
      if (code === CODES.gone || code === CODES.invalidParams) void this.#ended(task, answer);
      else this.#lookLater(task, {});
    } else if (ENDED.has(answer.result.status)) void this.#ended(task, answer);
    else this.#lookLater(task, answer.result);
  }

  #ended(task: Task, answer: Answer): Promise<string | null> {
    task.timer?.cancel();
    task.ended ??= task.end(lastAnswer(answer));
    return task.ended;
  }

  /** Answers a request about tasks. */
  async answer(flight: Flight): Promise<Answer> {
    const { method, params = {} } = flight.request;
    if (method === 'tasks/list') return this.#list();
    const task = typeof params.taskId === 'string' ? this.#tasks.get(params.taskId) : undefined;
    if (!task) return failure(CODES.invalidParams, 'Task not found: no call of this session has become it');
    const answer = await this.pass(flight, { upstream: task.upstream, params });
    if ('error' in answer) return answer;
    const isResult = method === 'tasks/result';
    if (!isResult && !ENDED.has(answer.result.status)) return answer;
    const alarm = await this.#ended(task, answer);
    if (alarm === null) return answer;
    return isResult ? alarmed(alarm, answer, toolError) : { result: warned(answer.result, alarm) };
  }

  /** The tasks of this session alone, on one page. */
  async #list(): Promise<Answer> {
    const tasks: JsonObject[] = [];
    for (const upstream of this.upstreams.filter((one) => one.isReady && one.offers('tasks'))) {
      const read = await readPages(upstream, 'tasks/list', 'tasks');
      if ('error' in read) return { error: read.error };
      tasks.push(
        ...read.entries.filter(({ taskId }) => this.#tasks.get(String(taskId))?.upstream === upstream),
      );
    }
    return { result: { tasks } };
  }

  /**
   * What a client is to hear of a server's notification; null where it is about no task of this session. The end of a task
   * is told when it has been recorded.
   */
  async heard(upstream: Upstream, { method, params = {} }: Notification): Promise<Notification | null> {
    const task = this.#tasks.get(String(params.taskId));
    if (task?.upstream !== upstream) return null;
    const alarm = ENDED.has(params.status) ? await this.#ended(task, { result: params }) : null;
    return { method, params: alarm === null ? params : warned(params, alarm) };
  }

  static isNotice(method: string): boolean {
    return NOTICES.has(method);
  }

  /** Servers are gone, and their tasks with them: their calls end as failed. All servers when none is named. */
  lost(upstream?: Upstream): void {
    for (const task of this.#tasks.values())
      if (upstream === undefined || task.upstream === upstream)
        void this.#ended(task, failure(CODES.gone, 'the server went away before its task had ended'));
  }
}
