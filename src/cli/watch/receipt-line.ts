import { isObject } from '../../core/json.ts';
import type { IntentEvent, Receipt, Violation } from '../../core/receipt.ts';

/** What of a receipt a watcher looks at. */
export type SeenReceipt = Pick<
  Receipt,
  | 'id'
  | 'timestamp'
  | 'phase'
  | 'conversation_id'
  | 'tool'
  | 'status'
  | 'host'
  | 'host_tool'
  | 'intent_id'
  | 'state'
  | 'target'
  | 'receipt_of'
  | 'violation'
  | 'intent_event'
>;

const PHASES = ['pre', 'post', 'event'];
const STATUSES = ['allowed', 'denied', 'failed'];
const NEEDED = ['id', 'timestamp', 'conversation_id', 'tool'] as const;
const OPTIONAL = ['host', 'host_tool', 'intent_id', 'state', 'target', 'receipt_of'] as const;

function violationOf(value: unknown): Violation | null {
  if (!isObject(value)) return null;
  const text = (name: string) => (typeof value[name] === 'string' ? value[name] : '');
  const target = typeof value.target === 'string' ? { target: value.target } : {};
  const kind = text('kind') as Violation['kind'];
  return { kind, rule: text('rule'), hook: text('hook'), message: text('message'), ...target };
}

function eventOf(value: unknown): IntentEvent | null {
  if (!isObject(value) || typeof value.intent_id !== 'string') return null;
  const { event, intent_id, reason } = value;
  if (event === 'blocked') return { event, intent_id, reason: typeof reason === 'string' ? reason : '' };
  return event === 'settled' || event === 'reset' || event === 'started' ? { event, intent_id } : null;
}

/** Reads a line of the receipt log; null when it is no receipt. Nothing is verified: `receipt verify` does that. */
export function readReceipt(line: string): SeenReceipt | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const record: Record<string, unknown> = value;
  if (NEEDED.some((name) => typeof record[name] !== 'string')) return null;
  if (!PHASES.includes(String(record.phase)) || !STATUSES.includes(String(record.status))) return null;
  const names = [...NEEDED, ...OPTIONAL, 'phase', 'status'];
  const plain = Object.fromEntries(
    names.flatMap((name) => (typeof record[name] === 'string' ? [[name, record[name]]] : [])),
  );
  const violation = violationOf(record.violation);
  const event = eventOf(record.intent_event);
  return {
    ...plain,
    ...(violation ? { violation } : {}),
    ...(event ? { intent_event: event } : {}),
  } as unknown as SeenReceipt;
}
