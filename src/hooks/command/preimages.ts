import { isMutatingRole } from '../../core/tool-call.ts';
import { readFileState } from '../../platform/file-state.ts';
import { isWatched } from '../call-detail.ts';
import type { KeepStep } from '../steps.ts';

/** Largest file whose bytes are kept for the comparison after the call. */
const MAX_PREIMAGE = 16 << 20;

/** PreimageHook: what the named files hold before the call, so that hashes never rest on the agent's word. */
export const keepPreimages: KeepStep = (tx, request, targets) => {
  if (isWatched(request.call)) return;
  const kept = new Set(tx.preimages(request.sessionId, request.call.callId).map(({ path }) => path));
  for (const target of targets) {
    // Keep what an outer door stored: it is older, so it is the state before the call.
    if (target.relative !== null && kept.has(target.relative)) continue;
    if (!isMutatingRole(target.role) || target.relative === null) continue;
    const state = readFileState(target.absolute, MAX_PREIMAGE);
    tx.putPreimage(request.sessionId, request.call.callId, {
      path: target.relative,
      hash: state?.hash ?? null,
      content: state?.content ?? null,
    });
  }
};
