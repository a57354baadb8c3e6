/** How many of the last events count. */
const KEPT = 1_024;

/** How long the last events took, for who asks how the engine fares. Costs nothing until somebody does. */
export class Latency {
  readonly #recent = new Float64Array(KEPT);
  #count = 0;
  #slowest = 0;

  add(ms: number): void {
    this.#recent[this.#count % KEPT] = ms;
    this.#count += 1;
    if (ms > this.#slowest) this.#slowest = ms;
  }

  /** Events since the start; the slowest of them, and two quantiles of the last {@link KEPT}, in milliseconds. */
  get figures(): {
    readonly events: number;
    readonly p50Ms: number;
    readonly p99Ms: number;
    readonly slowestMs: number;
  } {
    const sorted = this.#recent.slice(0, Math.min(this.#count, KEPT)).sort();
    const at = (q: number) => Number((sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0).toFixed(2));
    return {
      events: this.#count,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      slowestMs: Number(this.#slowest.toFixed(2)),
    };
  }
}
