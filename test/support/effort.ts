/**
 * Seconds of this process's own computing that `work` takes. A bound on it tells work that grows out of hand from work
 * that waited: other programs of a busy machine do not count. Bounds are far above what is needed, and far below what
 * the fault they are for would take.
 */
export function effortOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
