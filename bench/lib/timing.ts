/** One thing to time. `before` and `after` are not timed; `after` sees what `run` gave and may throw on it. */
export interface Task<T = unknown> {
  readonly before?: (turn: number) => void | Promise<void>;
  readonly run: (turn: number) => T | Promise<T>;
  readonly after?: (result: T, turn: number) => void | Promise<void>;
}

/** Milliseconds of every run, by task and round. */
export type Samples<Name extends string> = Readonly<Record<Name, readonly (readonly number[])[]>>;

export interface Plan {
  readonly rounds: number;
  /** Runs of each task in a round. */
  readonly times: number;
  /** Runs of each task before anything is kept. */
  readonly warmup?: number;
}

async function timeOne(task: Task, turn: number): Promise<number> {
  await task.before?.(turn);
  const begun = performance.now();
  const promise = task.run(turn);
  // Awaiting what is no promise would add a turn of the event loop to a measurement of nanoseconds.
  const result = promise instanceof Promise ? await promise : promise;
  const spent = performance.now() - begun;
  await task.after?.(result, turn);
  return spent;
}

/**
 * Times tasks one after another, again and again, each turn beginning with another task: whatever else the machine
 * does meets all of them alike. `turn` counts up over warm-up and rounds and is never used twice for a task.
 */
export async function interleave<Name extends string>(
  tasks: Readonly<Record<Name, Task>>,
  { rounds, times, warmup = 1 }: Plan,
): Promise<Samples<Name>> {
  const names = Object.keys(tasks) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[][]])) as Record<
    Name,
    number[][]
  >;
  let turn = 0;
  const pass = async (keep: boolean): Promise<void> => {
    for (let at = 0; at < names.length; at += 1) {
      const name = names[(turn + at) % names.length] as Name;
      const spent = await timeOne(tasks[name], turn);
      if (keep) samples[name].at(-1)?.push(spent);
    }
    turn += 1;
  };
  for (let i = 0; i < warmup; i += 1) await pass(false);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) samples[name].push([]);
    for (let i = 0; i < times; i += 1) await pass(true);
  }
  return samples;
}

/** Milliseconds that something takes once. */
export async function timeOnce<T>(work: () => T | Promise<T>): Promise<{ ms: number; result: T }> {
  const begun = performance.now();
  const result = await work();
  return { ms: performance.now() - begun, result };
}
