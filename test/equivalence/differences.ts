import type { Case } from './corpus.ts';
import type { Answer } from './ground.ts';

/** A call to which a door gave another answer than the reference. */
export interface Seen {
  readonly door: string;
  readonly one: Case;
  readonly want: Answer;
  readonly got: Answer;
}

/** Why a door's answer must be another one. It never lets a call through that another door refuses. */
interface Reason {
  readonly why: string;
  readonly applies: (seen: Seen) => boolean;
}

const REASONS: readonly Reason[] = [
  {
    why: 'The client looks elsewhere for a relative path that is not there: which file it would edit cannot be told, so the call is refused unread.',
    applies: ({ door, one, got }) =>
      door === 'hooks of gemini' && one.ask.does === 'edit' && got.rule === 'unread',
  },
];

/** The reason of a difference; null where there is none, and then it is a fault. */
export function reasonOf(seen: Seen): string | null {
  if (seen.got.verdict === 'allow' && seen.want.verdict !== 'allow') return null;
  return REASONS.find(({ applies }) => applies(seen))?.why ?? null;
}
