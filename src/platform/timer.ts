/** Does a work once after so many milliseconds, unless the process ends before; the result calls it off. */
export function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
}

/** What a promise gives, unless it takes longer than so many milliseconds: then this rejects with `late`. */
export function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const call = after(ms, () => reject(late()));
    work.then(resolve, reject).finally(call);
  });
}
