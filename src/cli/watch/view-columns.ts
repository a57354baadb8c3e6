import { type Span, span, type Tone } from './line.ts';
import { plain, type Row, type Screen } from './screen.ts';
import type { IntentNow, SessionNow } from './snapshot.ts';
import type { Column } from './table.ts';
import { ago, bar, cut, short } from './text.ts';

/** A session without an event for so long does nothing any more, whatever it was at. */
const QUIET_MS = 15 * 60_000;
const BAR = 8;
/** Columns that a workspace's name takes at most. */
const MAX_NAME = 20;
/** From this share of a limit on its use is marked. */
const NEARLY = 0.8;

const STATES: Readonly<Record<string, readonly [word: string, tone: Tone]>> = {
  REQUEST: ['request', 'plain'],
  REASONING_INTERCEPT: ['intercept', 'warn'],
  CONTEXTUALIZED_ACTION: ['action', 'good'],
  HALTED: ['halted', 'bad'],
};
const STATUS_TONES: Readonly<Record<string, Tone>> = {
  IN_PROGRESS: 'good',
  BLOCKED: 'bad',
  COMPLETED: 'dim',
  ABANDONED: 'dim',
};
const CALL_TONES: Readonly<Record<string, Tone>> = { denied: 'bad', failed: 'warn' };
const CALL_ENDS = { running: '…', allowed: '', denied: ' refused', failed: ' failed' } as const;

/** Whether a session's agent is at work now, as far as its events tell. */
export function isWorking({ place, id, updatedAt, state }: Row<SessionNow>, nowMs: number): boolean {
  if (state === 'HALTED' || place.known.sessions.get(id)?.isResting) return false;
  return nowMs - Date.parse(updatedAt) <= QUIET_MS;
}

function callOf({ place, id }: Row<SessionNow>): Span {
  const call = place.known.sessions.get(id)?.call;
  if (!call) return span('-', 'dim');
  const target = call.target === null ? '' : ` ${plain(call.target)}`;
  return span(`${plain(call.tool)}${target}${CALL_ENDS[call.status]}`, CALL_TONES[call.status] ?? 'plain');
}

function workspaceColumn<T>(screen: Screen): readonly Column<Row<T>>[] {
  if (screen.places.length < 2) return [];
  return [
    { title: 'IN', cell: ({ place }) => span(cut(plain(place.name), MAX_NAME), 'dim'), rank: 2, min: 6 },
  ];
}

export function sessionColumns(screen: Screen): readonly Column<Row<SessionNow>>[] {
  const { nowMs } = screen;
  const stateOf = (row: Row<SessionNow>): Span => {
    const [word, tone] = STATES[row.state] ?? [plain(row.state), 'bad'];
    return span(word, isWorking(row, nowMs) || tone === 'bad' ? tone : 'dim');
  };
  const ageOf = ({ place, id }: Row<SessionNow>): Span => {
    const began = place.known.sessions.get(id)?.beganAt;
    return span(began ? ago(nowMs - Date.parse(began)) : '-', 'dim');
  };
  return [
    { title: 'STATE', cell: stateOf, rank: 0, min: 9 },
    { title: 'INTENT', cell: ({ intentId }) => span(plain(intentId ?? '-')), rank: 1, min: 6 },
    ...workspaceColumn<SessionNow>(screen),
    { title: 'HOST', cell: ({ host }) => span(plain(host ?? '-'), 'dim'), rank: 4, min: 5 },
    { title: 'SEEN', cell: ({ updatedAt }) => span(ago(nowMs - Date.parse(updatedAt))), rank: 0, min: 4 },
    { title: 'AGE', cell: ageOf, rank: 6, min: 3 },
    { title: 'SESSION', cell: ({ id }) => span(cut(plain(id), 12), 'dim'), rank: 5, min: 8 },
    { title: 'LAST CALL', cell: callOf, rank: 3, min: 14 },
  ];
}

function budget(used: number, limit: number, withBar: boolean): Span {
  const tone = used >= limit ? 'bad' : used >= limit * NEARLY ? 'warn' : 'plain';
  return span(`${withBar ? `${bar(used, limit, BAR)} ` : ''}${short(used)}/${short(limit)}`, tone);
}

export function intentColumns(screen: Screen, withBars: boolean): readonly Column<Row<IntentNow>>[] {
  const nameOf = ({ name, reason }: IntentNow): Span =>
    reason === null ? span(plain(name), 'dim') : span(plain(`${reason} · ${name}`), 'bad');
  return [
    { title: 'INTENT', cell: ({ id }) => span(plain(id)), rank: 0, min: 8 },
    ...workspaceColumn<IntentNow>(screen),
    { title: 'STATUS', cell: ({ status }) => span(status, STATUS_TONES[status] ?? 'plain'), rank: 1, min: 7 },
    {
      title: 'TURNS',
      cell: ({ turns, maxTurns }) => budget(turns, maxTurns, withBars),
      rank: 0,
      min: withBars ? BAR + 10 : 9,
    },
    {
      title: 'TOKENS',
      cell: ({ tokens, maxTokens }) => budget(tokens, maxTokens, withBars),
      rank: 0,
      min: withBars ? BAR + 10 : 9,
    },
    { title: 'NAME', cell: nameOf, rank: 3, min: 12 },
  ];
}
