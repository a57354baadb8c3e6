import fs from 'node:fs';

/** Milliseconds of a clock tick in /proc (USER_HZ is 100 on every Linux that Node runs on). */
const TICK_MS = 10;

/** Processor time of all children that have ended, in ticks' precision; null where /proc does not tell. */
export function childCpuMs(): number | null {
  try {
    const text = fs.readFileSync('/proc/self/stat', 'latin1');
    // The program's name is in parentheses and may hold blanks; what follows it does not.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  } catch {
    return null;
  }
}

/** Adds up what runs cost the processor: on a loaded machine that says more than the clock on the wall. */
export class CpuMeter {
  #spent = 0;
  #runs = 0;

  /** `work`, metered: the processor time of the child processes it waits for. */
  children<A extends unknown[], T>(work: (...args: A) => T): (...args: A) => T {
    return (...args) => {
      const before = childCpuMs();
      const result = work(...args);
      this.add((childCpuMs() ?? Number.NaN) - (before ?? Number.NaN));
      return result;
    };
  }

  /** `work`, metered: the processor time of this process. */
  own<A extends unknown[], T>(work: (...args: A) => T): (...args: A) => T {
    return (...args) => {
      const before = process.cpuUsage();
      const result = work(...args);
      const { user, system } = process.cpuUsage(before);
      this.add((user + system) / 1_000);
      return result;
    };
  }

  private add(ms: number): void {
    this.#spent += ms;
    this.#runs += 1;
  }

  /** Mean of a run, in milliseconds. */
  get mean(): number {
    return this.#spent / this.#runs;
  }
}
