import { advance } from '../../core/machine.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { RecordStep } from '../steps.ts';
import { actionContext } from './context.ts';

/** HandshakeTransitionHook: the session acts once the handshake that was let through has answered (H-12). */
export const letAct: RecordStep = (recording) => {
  const { request, pending, detail, workspace, intents } = recording;
  if (request.call.tool !== HANDSHAKE_TOOL || !pending) return;
  const accepted = request.ok && pending.intentId !== null;
  const position = advance(
    recording.session,
    accepted ? { type: 'HANDSHAKE_ACCEPTED', intentId: pending.intentId } : { type: 'HANDSHAKE_REJECTED' },
  );
  recording.session = { ...recording.session, ...position };
  if (position.state !== 'CONTEXTUALIZED_ACTION') return;
  recording.session = { ...recording.session, reasoning: detail?.reasoning ?? null };
  recording.context = actionContext(workspace, intents, position.intentId);
};
