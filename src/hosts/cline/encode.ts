import type { JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { EventAnswer } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { encodeNotice } from '../shared/encode/exit.ts';
import { bounded, jsonReply, refusalReply } from '../shared/encode/reply.ts';
import type { Answers } from '../shared/hook-host.ts';
import { shellLine } from '../shared/install/shell-line.ts';
import { OWN_PREFIX } from './tools.ts';

/** Ends the run before the tool: the only refusal that the host has. It reads no exit code. */
function encodeCancel(text: string): HookReply {
  const reason = bounded(text);
  return refusalReply({ cancel: true, errorMessage: reason }, reason);
}

/** No file can be made or read below it. */
const NOWHERE = '/dev/null/refused by PactClaw';

/**
 * Arguments with which a tool does nothing but fail, by its name. For any other tool nobody can be sure that there are
 * such arguments.
 */
const HARMLESS: Readonly<Record<string, (reason: string) => JsonObject>> = {
  run_commands: (reason) => ({ commands: [`${shellLine(['printf', '%s\\n', reason])} >&2; exit 1`] }),
  editor: () => ({ path: NOWHERE, new_text: '' }),
  read_files: () => ({ files: [{ path: NOWHERE }] }),
  search_codebase: () => ({ queries: [] }),
  fetch_web_content: () => ({ requests: [] }),
  // The server answers a handshake only where a hook has let one pass.
  [`${OWN_PREFIX}${HANDSHAKE_TOOL}`]: () => ({ intent_id: 'refused by PactClaw' }),
};

/** A refusal that the agent survives: the tool runs with other arguments, which do nothing, and its model is told why. */
function encodeSoft(call: ToolCall, text: string): HookReply {
  const harmless = Object.hasOwn(HARMLESS, call.hostTool) ? HARMLESS[call.hostTool] : undefined;
  if (!call.declared || !harmless) return encodeCancel(text);
  const reason = bounded(text);
  return refusalReply(
    {
      overrideInput: harmless(reason),
      contextModification: `The call of ${call.hostTool} was refused. ${reason}`,
    },
    reason,
  );
}

/** Answer to the events that may hand the model something to read. An alarm ends the run. */
function told(_event: string, { alarm, context }: EventAnswer): HookReply {
  if (alarm !== null) return encodeCancel(alarm);
  return jsonReply(context === null ? {} : { contextModification: bounded(context) });
}

/** The host's answers. A halt ends the run, and so does a failure of ours where the host waits for the answer. */
export const ANSWERS: Answers = {
  refuse: (text, halt, call) => (halt || call === null ? encodeCancel(text) : encodeSoft(call, text)),
  result: told,
  context: told,
  notice: encodeNotice,
};
