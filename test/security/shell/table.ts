import { expect, it } from 'vitest';
import { read, type Summary, summaryOf } from './support.ts';

/**
 * Commands and what is read off them. Paths below /ws are given relative to it; `R` is recursive, `?dir` and
 * `?file` depend on what the destination is, `any` marks patterns whose `*` may hold slashes.
 */
type Row = readonly [command: string, expected: Partial<Summary>];

/** One test a row; what a row leaves out must be empty. */
export function check(rows: readonly Row[]): void {
  it.each(rows)('%s', (command, expected) => {
    const reading = read(command);
    expect(reading.problems).toEqual([]);
    expect(summaryOf(reading)).toEqual({
      targets: [],
      unread: [],
      opaque: [],
      background: false,
      ...expected,
    });
  });
}
