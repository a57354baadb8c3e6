import type { Usage } from '../../core/facts.ts';
import type { Tx } from '../../ledger/store.ts';
import type { EventOrigin } from '../requests.ts';

/** Model use that became visible with an event. */
export interface SeenUsage extends Usage {
  readonly model: string | null;
  /** Calls whose own response the transcript already shows. */
  readonly calls: ReadonlySet<string>;
}

/**
 * Whether another door counts this session's model use: a proxy that sees the model's answers knows best, then whoever
 * reports use itself; the transcript, which tells of the same answers, comes last.
 */
function isCountedElsewhere(tx: Tx, { sessionId, usage, door }: EventOrigin): boolean {
  const key = `usage-by:${sessionId}`;
  const counter = tx.note(key);
  if (counter === 'llm') return door !== 'llm';
  if (!usage) return counter !== null;
  const own = door ?? 'hook';
  if (counter !== own) tx.putNote(key, own);
  return false;
}

/**
 * Reads what the host's transcript has gained since the last event, once for all processes: the marks move inside
 * the caller's transaction (H-85). A transcript that cannot be read counts as nothing seen. A door that sees the
 * model itself reports its use instead.
 */
export function readUsage(tx: Tx, origin: EventOrigin): SeenUsage {
  const elsewhere = isCountedElsewhere(tx, origin);
  let turns = elsewhere ? 0 : (origin.usage?.turns ?? 0);
  let tokens = elsewhere ? 0 : (origin.usage?.tokens ?? 0);
  let model = origin.usage?.model ?? null;
  const calls = new Set<string>();
  for (const file of origin.transcript?.files ?? []) {
    const mark = tx.transcript(file);
    const reading = origin.transcript?.read(file, mark?.offset ?? 0, mark?.lastMessage ?? null);
    if (!reading) continue;
    if (!elsewhere) {
      turns += reading.turns;
      tokens += reading.tokens;
    }
    model = reading.model ?? mark?.model ?? model;
    for (const call of reading.calls) calls.add(call);
    tx.putTranscript(file, origin.sessionId, {
      offset: reading.offset,
      lastMessage: reading.lastMessage,
      model,
    });
  }
  return { turns, tokens, model, calls };
}
