import { messageOf, PactError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { HostAdapter, HostEvent } from '../adapter.ts';
import { payloadOf } from '../shared/decode/payload.ts';
import { encodeAnswer, refusal } from './answer.ts';
import type { GenericMessage } from './contract.ts';
import { handleMessage } from './handle.ts';

const HOST = 'generic';

interface GenericInput extends HostEvent {
  readonly message: GenericMessage;
}

const REMEDY = 'See docs/generic-hook.md, and schema/hook-message.schema.json in the package.';

function payload(bytes: Uint8Array): JsonObject {
  try {
    return payloadOf(HOST, bytes);
  } catch (error) {
    throw new PactError('INVALID_INPUT', messageOf(error), REMEDY);
  }
}

async function decode(bytes: Uint8Array): Promise<GenericInput> {
  const raw = payload(bytes);
  // The schema needs a validator, which no other host's hook has to load.
  const { parseMessage } = await import('./contract.ts');
  const parsed = parseMessage(raw);
  if ('problem' in parsed)
    throw new PactError('INVALID_INPUT', `the message does not fit the contract: ${parsed.problem}`, REMEDY);
  const { message } = parsed;
  return { event: message.event, sessionId: message.session_id, cwd: message.cwd, raw, message };
}

/** Any agent that speaks the documented contract (docs/generic-hook.md). */
export const generic: HostAdapter = {
  host: HOST,
  projectVariables: [],
  // The contract's schema lets no other event pass.
  events: null,
  decode,
  handle: async (input, engine) => encodeAnswer(await handleMessage((input as GenericInput).message, engine)),
  failed: (_event, reason) => encodeAnswer(refusal(reason)),
};
