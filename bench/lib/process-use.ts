import fs from 'node:fs';

/** Milliseconds of a clock tick in /proc (USER_HZ is 100 on every Linux that Node runs on). */
const TICK_MS = 10;

/** The numbers of a process in /proc that follow its name, the state first; null where /proc does not tell. */
function statOf(pid: number | 'self'): readonly string[] | null {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name is in parentheses and may hold blanks; what follows it does not.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** Processor time of this process's children that have ended, in ticks' precision; null where /proc does not tell. */
export function childCpuMs(): number | null {
  const fields = statOf('self');
  return fields && (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** Processor time of a running process, user and system, in ticks' precision; NaN where /proc does not tell. */
export function cpuMsOf(pid: number): number {
  const fields = statOf(pid);
  return fields ? (Number(fields[11]) + Number(fields[12])) * TICK_MS : Number.NaN;
}

/** Resident memory of a running process in MiB; NaN where /proc does not tell. */
export function residentMiB(pid: number): number {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kib) / 1_024;
  } catch {
    return Number.NaN;
  }
}
