import type { Facts } from '../../core/facts.ts';
import type { Refusal } from '../../core/ruling.ts';
import type { ViolationKind } from '../../core/words.ts';
import type { Tx } from '../../ledger/store.ts';
import type { EventOrigin } from '../requests.ts';

/** Refusals that the next agent should know of; the rest are the protocol at work (H-107, Q-4). */
const WORTH_KEEPING: ReadonlySet<ViolationKind> = new Set([
  'scope',
  'ownership',
  'budget',
  'loop',
  'breadth',
  'policy',
]);
const MAX_KEPT = 10;

/** A lesson that waits for the end of the run. */
export interface WaitingLesson {
  readonly intentId: string;
  readonly text: string;
}

function keyOf(sessionId: string): string {
  return `lessons:${sessionId}`;
}

/** Lessons that a session has gathered since they were last written down. */
export function waitingLessons(tx: Tx, sessionId: string): WaitingLesson[] {
  return JSON.parse(tx.note(keyOf(sessionId)) ?? '[]') as WaitingLesson[];
}

/** What still waits after a try to write the lessons down. */
export function keepLessons(tx: Tx, sessionId: string, lessons: readonly WaitingLesson[]): void {
  if (tx.note(keyOf(sessionId)) !== null) tx.putNote(keyOf(sessionId), JSON.stringify(lessons));
}

/** Keeps a lesson until the run ends. */
export function addLesson(tx: Tx, sessionId: string, lesson: WaitingLesson): void {
  const kept = waitingLessons(tx, sessionId);
  if (kept.length >= MAX_KEPT || kept.some((one) => one.text === lesson.text)) return;
  tx.putNote(keyOf(sessionId), JSON.stringify([...kept, lesson]));
}

/** Keeps a refusal as a lesson, when it is one. */
export function noteLesson(tx: Tx, origin: EventOrigin, facts: Facts, refusal: Refusal): void {
  const intentId = facts.session.intentId ?? facts.handshake?.intent?.id;
  if (intentId === undefined || !WORTH_KEEPING.has(refusal.kind)) return;
  addLesson(tx, origin.sessionId, { intentId, text: `${facts.call.hostTool}: ${refusal.sentence}` });
}
