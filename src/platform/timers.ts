/** A thing that will happen unless it is called off. It does not keep the process alive unless it says so. */
export interface Timer {
  cancel(): void;
}

/** Runs `work` once after `ms` milliseconds. */
export function after(ms: number, work: () => void): Timer {
  const handle = setTimeout(work, ms).unref();
  return { cancel: () => clearTimeout(handle) };
}

/** The same, and the process stays alive until then. */
export function afterAtLeast(ms: number, work: () => void): Timer {
  const handle = setTimeout(work, ms);
  return { cancel: () => clearTimeout(handle) };
}

/** Runs `work` again and again, `ms` milliseconds apart. */
export function every(ms: number, work: () => void): Timer {
  const handle = setInterval(work, ms).unref();
  return { cancel: () => clearInterval(handle) };
}

/** What a promise gives, unless it takes longer than so many milliseconds: then this rejects with `late`. */
export function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const alarm = after(ms, () => reject(late()));
    work.then(resolve, reject).finally(() => alarm.cancel());
  });
}
