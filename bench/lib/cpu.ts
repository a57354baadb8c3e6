import { childCpuMs } from './process-use.ts';

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
