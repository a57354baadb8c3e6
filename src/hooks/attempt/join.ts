import { identityOf } from '../../core/identity.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import type { PendingCall, Reading } from '../../ledger/port.ts';
import { type CallDetail, readDetail } from '../call-detail.ts';
import type { Door, EventOrigin, PostToolRequest, PreToolRequest } from '../requests.ts';

/**
 * The order in which doors see a call: the model asks, the host is about to run it, a server gets it. A call may only be
 * joined inwards: what is already under way cannot be begun again from outside.
 */
const DEPTH: Readonly<Record<Door, number>> = { llm: 0, hook: 1, api: 1, mcp: 2 };

/** Whose word on the outcome counts when several doors saw a call: who is nearest to the files first. */
const RECORDERS: readonly Door[] = ['hook', 'api', 'mcp', 'llm'];

export function doorOf({ door }: EventOrigin): Door {
  return door ?? 'hook';
}

function doorsOf(detail: CallDetail): readonly Door[] {
  return detail.doors ?? ['hook'];
}

/** What tells one call's arguments from another's, whatever the tool is called at a door. */
export function argumentsOf({ args }: ToolCall): string {
  return identityOf('', args);
}

/** A call that an outer door has let through and that now comes to an inner one. */
export interface Joined<R> {
  /** The request in the session and under the id of the outer door. */
  readonly request: R;
  readonly pending: PendingCall;
  readonly detail: CallDetail;
}

/** The call in flight that a request means: its own id in its session, or the outer id that the client names. */
function inFlight<R extends PreToolRequest | PostToolRequest>(tables: Reading, request: R): Joined<R> | null {
  const { call, outerCallId } = request;
  const own = tables.pendingCall(request.sessionId, call.callId);
  if (own) return { request, pending: own, detail: readDetail(own.detail) };
  if (outerCallId === undefined) return null;
  const outer = tables.callsInFlight().find(({ callId }) => callId === outerCallId);
  const detail = outer ? readDetail(outer.detail) : null;
  // The id is the client's word; that it means this call is seen by what the call asks for.
  if (!outer || !detail || detail.args !== argumentsOf(call)) return null;
  const { sessionId, callId } = outer;
  return { request: { ...request, sessionId, call: { ...call, sessionId, callId } }, pending: outer, detail };
}

/**
 * The call that an outer door has already let through, if this is one (issue: a call that several doors see is decided,
 * counted and recorded once). It is judged again, for the world may have changed, but neither counted nor recorded.
 * `again`: this very door let it through and could not tell its host.
 */
export function joinAttempt(
  tables: Reading,
  request: PreToolRequest,
  again: boolean,
): Joined<PreToolRequest> | null {
  const found = request.call.unnamed ? null : inFlight(tables, request);
  if (!found) return null;
  const depth = DEPTH[doorOf(request)];
  if (again) return found;
  return doorsOf(found.detail).every((door) => DEPTH[door] < depth) ? found : null;
}

/** The detail of a call once one more door has let it through. What was kept first stays: it is from before all. */
export function detailOfJoin(earlier: CallDetail, added: CallDetail, door: Door): CallDetail {
  const known = new Set(earlier.targets.map(({ absolute, role }) => `${role}:${absolute}`));
  return {
    ...earlier,
    doors: [...new Set([...doorsOf(earlier), door])],
    targets: [
      ...earlier.targets,
      ...added.targets.filter(({ absolute, role }) => !known.has(`${role}:${absolute}`)),
    ],
  };
}

/**
 * An outcome under the id of the call it ends, or null when another door tells of it. Only the door nearest to the
 * files records; a model's proxy hears of an outcome last, when mostly it has been recorded.
 */
export function joinOutcome(tables: Reading, request: PostToolRequest): PostToolRequest | null {
  const found = inFlight(tables, request);
  const door = doorOf(request);
  if (!found) return door === 'llm' ? null : request;
  const recorder = RECORDERS.find((one) => doorsOf(found.detail).includes(one));
  return recorder === door ? found.request : null;
}
