import type { HostAdapter, HostEvent } from '../adapter.ts';
import { malformed, payloadOf } from '../decoding/payload.ts';
import { encodeAnswer, refusal } from './answer.ts';
import type { GenericMessage } from './contract.ts';
import { handleMessage } from './handle.ts';

const HOST = 'generic';

interface GenericInput extends HostEvent {
  readonly message: GenericMessage;
}

async function decode(bytes: Uint8Array): Promise<GenericInput> {
  const raw = payloadOf(HOST, bytes);
  // The schema needs a validator, which no other host's hook has to load.
  const { parseMessage } = await import('./contract.ts');
  const parsed = parseMessage(raw);
  if ('problem' in parsed) throw malformed(HOST, parsed.problem);
  const { message } = parsed;
  return { event: message.event, sessionId: message.session_id, cwd: message.cwd, raw, message };
}

/** Any agent that speaks the documented contract (docs/generic-hook.md). */
export const generic: HostAdapter = {
  host: HOST,
  projectVariables: [],
  decode,
  handle: async (input, engine) => encodeAnswer(await handleMessage((input as GenericInput).message, engine)),
  failed: (_event, reason) => encodeAnswer(refusal(reason)),
};
