import type { JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import { HANDSHAKE } from '../generic/handshake-tool.ts';
import { freeze, handshakeText, type PluginWiring, refusedBecause } from '../shared/in-process/bridge.ts';
import { createDesk, type Place } from '../shared/in-process/desk.ts';
import type { Context, CustomMessage, ExtensionApi, Message } from './host.ts';
import { HOST } from './names.ts';
import { createPrompts } from './prompts.ts';

const NO_GATE =
  'State Violation: no hook has seen this handshake, so nothing would govern what follows. A human can check with: pactclaw verify pi';

function placeOf({ cwd, sessionManager }: Context): Place {
  return { session: sessionManager.getSessionId(), agent: null, cwd };
}

/** The same at events that come while the client ends, when it gives no context any more. */
function placeIfAlive(context: Context): Place | null {
  try {
    return placeOf(context);
  } catch {
    return null;
  }
}

/** Whether a response makes the handshake and no other call: the engine counts the first of a request for nothing (C-100). */
function isHandshake({ content }: Message): boolean {
  const parts: { type?: unknown; name?: unknown }[] = Array.isArray(content) ? content : [];
  const calls = parts.filter(({ type }) => type === 'toolCall');
  return calls.length > 0 && calls.every(({ name }) => name === HANDSHAKE_TOOL);
}

/** A message that the model reads and the human's screen leaves out. */
function messageOf(content: string): CustomMessage {
  return { customType: 'pactclaw', content, display: false };
}

/** The extension inside the host. It decides nothing: it asks the hook and obeys. */
export function register(pi: ExtensionApi, wiring: PluginWiring): void {
  const desk = createDesk(HOST, wiring);
  const prompts = createPrompts();
  /** Arguments of calls that were allowed and have not ended. */
  const open = new Map<string, object>();
  /** What an allowed handshake is to answer, until the tool has answered it. */
  const handshakes = new Map<string, JsonObject>();
  const request = (source: string, context: Context) =>
    desk.send(placeOf(context), { hook: 'input', input: { source }, begins: true, counts: true });

  pi.on('input', async ({ source }, context) => {
    if (!context.isIdle()) {
      prompts.waits(source);
      return { action: 'continue' };
    }
    await desk.settled();
    const refused = refusedBecause(await request(source, context));
    prompts.told();
    if (refused === null) return { action: 'continue' };
    if (context.hasUI) context.ui.notify(refused, 'error');
    else console.error(refused);
    return { action: 'handled' };
  });

  // As a message and not in the system prompt, which stays as it is when the handshake has changed what holds.
  pi.on('before_agent_start', async (_event, context) => {
    const told = desk.context(placeOf(context).session);
    return told === null ? undefined : { message: messageOf(told) };
  });

  pi.on('message_start', async ({ message }, context) => {
    const source = prompts.delivered(message);
    if (source !== null) await request(source, context);
    return undefined;
  });

  pi.on('tool_call', async (event, context) => {
    const { toolName, toolCallId, input } = event;
    freeze(input);
    const answer = await desk.send(placeOf(context), {
      hook: 'tool_call',
      input: { toolName, toolCallId, input },
      begins: true,
      counts: true,
    });
    const refused = refusedBecause(answer);
    if (refused !== null) return { block: true, reason: refused };
    if (answer.verdict !== 'allow')
      return { block: true, reason: 'PactClaw gave no verdict, so the call is refused.' };
    open.set(toolCallId, input);
    if (answer.handshake !== null) handshakes.set(toolCallId, answer.handshake as JsonObject);
    return undefined;
  });

  pi.on('tool_result', async ({ toolName, toolCallId, input, content, isError }, context) => {
    open.delete(toolCallId);
    // Another tool of that name has answered: no handshake was made.
    const forged = handshakes.delete(toolCallId);
    const answer = await desk.send(placeOf(context), {
      hook: 'tool_result',
      input: { toolName, toolCallId, input, content, isError: isError || forged },
    });
    const alarm = answer.alarm ?? refusedBecause(answer) ?? (forged ? NO_GATE : null);
    if (alarm === null) return undefined;
    return { content: [{ type: 'text', text: alarm }], details: {}, isError: true };
  });

  pi.on('tool_execution_end', async ({ toolName, toolCallId }, context) => {
    const input = open.get(toolCallId);
    if (!open.delete(toolCallId)) return undefined;
    desk.later(placeOf(context), {
      hook: 'tool_execution_end',
      input: { toolName, toolCallId, input, isError: true },
    });
    return undefined;
  });

  pi.on('turn_end', async ({ message }, context) => {
    const { model, usage } = message;
    if (message.role === 'assistant')
      desk.responded(placeOf(context).session, { model, usage, handshake: isHandshake(message) });
    return undefined;
  });

  pi.on('agent_end', async (_event, context) => {
    desk.later(placeOf(context), { hook: 'agent_end', input: {}, counts: true });
    await desk.settled();
    return undefined;
  });

  pi.on('session_before_compact', async (_event, context) => {
    const place = placeIfAlive(context);
    if (place) await desk.send(place, { hook: 'session_before_compact', input: {}, counts: true });
    return undefined;
  });

  pi.on('session_compact', async (_event, context) => {
    const place = placeIfAlive(context);
    if (place === null) return undefined;
    const { context: told } = await desk.send(place, { hook: 'session_compact', input: {} });
    if (told !== null) pi.sendMessage(messageOf(told));
    return undefined;
  });

  pi.on('session_shutdown', async () => {
    await desk.settled();
    return undefined;
  });

  pi.registerTool({
    name: HANDSHAKE.name,
    label: 'Select the active intent',
    description: HANDSHAKE.description,
    promptSnippet: 'Name the intent you work for; required before any other tool',
    parameters: HANDSHAKE.parameters,
    execute: async (callId) => {
      const handshake = handshakes.get(callId);
      if (handshake === undefined) throw new Error(NO_GATE);
      handshakes.delete(callId);
      return { content: [{ type: 'text', text: handshakeText(handshake) }], details: {} };
    },
  });
}
