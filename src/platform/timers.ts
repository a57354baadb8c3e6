/** A thing that will happen unless it is called off. */
export interface Timer {
  cancel(): void;
}

/** Runs `work` once after `ms` milliseconds. It does not keep the process alive by itself. */
export function after(ms: number, work: () => void): Timer {
  const handle = setTimeout(work, ms);
  handle.unref();
  return { cancel: () => clearTimeout(handle) };
}
