import type { HookReply, HostAdapter, HostEvent } from '../adapter.ts';
import { malformed, payloadOf } from '../decoding/payload.ts';
import type { GenericAnswer, GenericMessage } from './contract.ts';
import { handleMessage, refusal } from './handle.ts';

const HOST = 'generic';

interface GenericInput extends HostEvent {
  readonly message: GenericMessage;
}

/** One line of JSON; a refusal also in the two forms that most hosts honour: standard error and exit code 2. */
function encode(answer: GenericAnswer): HookReply {
  const refused = answer.verdict === 'deny' || answer.verdict === 'halt';
  const aloud = refused ? answer.reason : answer.alarm;
  return {
    stdout: `${JSON.stringify(answer)}\n`,
    stderr: aloud === null ? '' : `${aloud}\n`,
    code: refused ? 2 : 0,
  };
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
  handle: async (input, engine) => encode(await handleMessage((input as GenericInput).message, engine)),
  failed: (_event, reason) => encode(refusal(reason)),
};
