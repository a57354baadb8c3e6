import type { Intent } from '../../core/intent.ts';
import type { JsonValue } from '../../core/json.ts';
import type { CallInFlight } from '../../ledger/port.ts';
import type { Store, Tx } from '../../ledger/store.ts';
import { LogTail } from '../../platform/log-tail.ts';
import { readDetail } from '../call-detail.ts';
import type { FileDelta } from '../outcome/record.ts';
import { recordEnd } from '../outcome/record-end.ts';
import { stepsAt } from '../pipeline.ts';
import type { PostToolRequest } from '../requests.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import type { Outcome, RecordStep } from '../steps.ts';
import type { Workspace } from '../workspace.ts';

/** What recording needs and reads without the lock. */
export interface Recorder {
  readonly steps: readonly RecordStep[];
  readonly intents: readonly Intent[];
}

/** The end of a contained command as a journal holds it. */
export interface RunRecord {
  readonly call: CallInFlight;
  readonly ok: boolean;
  readonly deltas: readonly FileDelta[];
}

/** A recorder; without the names of intents where the registry cannot be used, since what was decided must be recorded. */
export async function recorderFor(workspace: Workspace, store: Store): Promise<Recorder> {
  const steps = await stepsAt('record');
  const settings: Settings | null = await loadSettings(workspace, store).catch(() => null);
  return { steps, intents: settings?.intents ?? [] };
}

function requestOf({ sessionId, callId, detail }: CallInFlight, ok: boolean): PostToolRequest {
  const { call: kept, host } = readDetail(detail);
  if (!kept) throw new Error('what is kept of the call lacks the call itself');
  const call = { ...kept, callId, args: {} };
  return { sessionId, host: host ?? 'unknown', transcript: null, call, ok, result: null };
}

/** Records the end of a contained command as that of any other call. */
export function recordRun(
  tx: Tx,
  workspace: Workspace,
  { call, ok }: Pick<RunRecord, 'call' | 'ok'>,
  contained: NonNullable<Outcome['contained']>,
  { steps, intents }: Recorder,
): void {
  // The host may have told of an end meanwhile.
  const pending = tx.pendingCall(call.sessionId, call.callId) ?? call;
  const detail = readDetail(pending.detail);
  const outcome = { undone: [], watched: null, contained };
  const request = requestOf({ ...call, detail: pending.detail }, ok);
  const recording = { workspace, tx, request, pending, detail, intents, outcome };
  recordEnd({ ...recording, session: tx.session(call.sessionId), context: null, written: [] }, steps);
}

/** How far back the logs are searched for what a killed process has appended last. */
const REACH = 64 << 20;

/** The last lines of a log that name a receipt. */
function linesNaming(file: string, receiptId: string): { readonly [key: string]: unknown }[] {
  const { lines } = new LogTail(file, REACH, REACH).read();
  return lines.filter((line) => line.includes(`"${receiptId}"`)).map((line) => JSON.parse(line) as never);
}

/**
 * Records what of a run is not recorded yet. A process can be killed at any byte: the trace may have some of its lines, and
 * no receipt. The receipt is written last.
 */
export function completeRecord(tx: Tx, workspace: Workspace, value: JsonValue, recorder: Recorder): void {
  const record = value as unknown as RunRecord;
  const { receiptId } = record.call;
  const { receipts, trace } = workspace.layout;
  if (linesNaming(receipts, receiptId).some(({ receipt_of }) => receipt_of === receiptId)) return;
  const there = new Set(
    linesNaming(trace, receiptId).flatMap(({ receipt_id, path }) => (receipt_id === receiptId ? [path] : [])),
  );
  const deltas = record.deltas.filter(({ path }) => !there.has(path));
  recordRun(tx, workspace, record, { deltas, refused: [], goesOn: there.size > 0 }, recorder);
}
