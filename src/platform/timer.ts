/** Does a work once after so many milliseconds, unless the process ends before; the result calls it off. */
export function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
}
