import { describe, expect, it } from 'vitest';
import { atLeast, atMost, timingRow } from '../../bench/lib/rows.ts';
import { median, quantile, ratioOfRounds, summarise } from '../../bench/lib/stats.ts';
import { figure, renderTable } from '../../bench/lib/table.ts';
import { interleave } from '../../bench/lib/timing.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

describe('quantile', () => {
  it('gives measured values by nearest rank', () => {
    expect(quantile(upTo(100), 0.5)).toBe(50);
    expect(quantile(upTo(100), 0.99)).toBe(99);
    expect(quantile(upTo(10), 0.99)).toBe(10);
    expect(quantile([7], 0)).toBe(7);
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe('median', () => {
  it('does not need order, and takes the mean of two middles', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });
});

describe('summarise', () => {
  it('is not moved by one disturbed round', () => {
    expect(
      summarise([
        [1, 1, 1],
        [100, 100, 100],
        [2, 2, 2],
      ]).p50,
    ).toBe(2);
  });

  it('takes the tail of all rounds together while a round is too small to have one', () => {
    const rounds = [upTo(10), upTo(10), [...upTo(9), 500]];
    expect(summarise(rounds)).toMatchObject({ n: 30, p99: 500 });
  });

  it('takes the median of tails where each round has one', () => {
    const rounds = [upTo(200), upTo(200), upTo(200).map((value) => value * 1_000)];
    expect(summarise(rounds).p99).toBe(198);
  });

  it('passes over empty rounds', () => {
    expect(summarise([[], [3]])).toEqual({ n: 1, p50: 3, p95: 3, p99: 3 });
  });
});

describe('ratioOfRounds', () => {
  it('compares within a round, so that load common to both sides cancels', () => {
    expect(ratioOfRounds([[2], [20], [4]], [[1], [10], [2]])).toBe(2);
  });

  it('leaves out rounds whose reference is zero', () => {
    expect(ratioOfRounds([[2], [6]], [[0], [3]])).toBe(2);
  });
});

describe('rows', () => {
  it('judges against the limit, and never meets a target with no figure', () => {
    const row = timingRow('x', [[0.01, 0.02]], 'µs', undefined, atMost('p99', 20));
    expect(row).toMatchObject({ p50: 10, p99: 20, target: { met: true, text: 'p99 ≤ 20 µs' } });
    expect(atLeast('ratio', 1)(row).target?.met).toBe(false);
  });

  it('renders aligned, with notes below', () => {
    const row = { name: 'a', n: 3, unit: 'ms' as const, p50: 1.234, note: 'said' };
    const text = renderTable('title', [row, { ...row, name: 'longer', target: { text: 't', met: false } }]);
    expect(text).toContain('1.23');
    expect(text).toContain('NOT MET');
    expect(text).toContain('a: said');
    expect([figure(12_345), figure(123.4), figure(12.34), figure(undefined)]).toEqual([
      '12,345',
      '123',
      '12.3',
      '',
    ]);
  });
});

describe('interleave', () => {
  it('runs tasks in turn, each turn beginning with another, and never repeats a turn', async () => {
    const order: string[] = [];
    const task = (name: string) => ({ run: (turn: number) => void order.push(`${name}${turn}`) });
    const samples = await interleave({ a: task('a'), b: task('b') }, { rounds: 2, times: 1, warmup: 1 });
    expect(order).toEqual(['a0', 'b0', 'b1', 'a1', 'a2', 'b2']);
    expect(samples.a.map((round) => round.length)).toEqual([1, 1]);
  });

  it('does not time what is done before and after', async () => {
    const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 30));
    const { a } = await interleave(
      { a: { before: slow, run: () => 1, after: slow } },
      { rounds: 1, times: 1, warmup: 0 },
    );
    expect(a[0]?.[0]).toBeLessThan(20);
  });
});
