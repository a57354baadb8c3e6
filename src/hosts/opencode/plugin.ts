import type { JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import { HANDSHAKE } from '../generic/handshake-tool.ts';
import { freeze, handshakeText, type PluginWiring, refusedBecause } from '../shared/in-process/bridge.ts';
import { createDesk } from '../shared/in-process/desk.ts';
import type { BusEvent, CallInput, CallOutput, Hooks, MessageInfo, PluginInput, ToolPart } from './host.ts';
import { HOST, SEAL } from './names.ts';
import { createPlaces } from './places.ts';

const NO_GATE =
  'State Violation: no hook has seen this handshake, so nothing would govern what follows. A human can check with: pactclaw verify opencode';

/** Puts a text in the place of a result, so that the model reads that and nothing else. */
function replaceResult(output: CallOutput, text: string): void {
  output.title = 'PactClaw';
  output.output = text;
  output.metadata = {};
  delete output.attachments;
  delete output.structuredContent;
  if (output.content !== undefined) output.content = [{ type: 'text', text }];
}

/** The plugin inside the host, for one project that it works in. It decides nothing: it asks the hook and obeys. */
export function hooksFor(host: PluginInput, wiring: PluginWiring): Hooks {
  const desk = createDesk(HOST, wiring);
  const places = createPlaces(host);
  /** Calls that were allowed and have not ended. */
  const open = new Set<string>();
  /** What an allowed handshake is to answer, until the tool has answered it. */
  const handshakes = new Map<string, JsonObject>();
  const counted = new Set<string>();
  /** Messages that make calls: whether all of these are the handshake, which the engine may count for nothing (C-100). */
  const asked = new Map<string, boolean>();

  const onPart = async (part: ToolPart, event: BusEvent): Promise<void> => {
    if (part.type !== 'tool') return;
    asked.set(part.messageID, (asked.get(part.messageID) ?? true) && part.tool === HANDSHAKE_TOOL);
    if (part.state.status !== 'error' || !open.delete(part.callID)) return;
    desk.later(await places.of(part.sessionID), { hook: 'event', input: event });
  };
  const onMessage = async (info: MessageInfo): Promise<void> => {
    if (info.role !== 'assistant' || info.time?.completed === undefined || counted.has(info.id)) return;
    counted.add(info.id);
    const handshake = asked.get(info.id) ?? false;
    asked.delete(info.id);
    const { session } = await places.of(info.sessionID);
    desk.responded(session, { modelID: info.modelID, tokens: info.tokens, handshake });
  };
  const onEvent = async (event: BusEvent): Promise<void> => {
    const { type, properties } = event;
    const { info, part, sessionID } = properties;
    if ((type === 'session.created' || type === 'session.updated') && info) places.learn(info);
    else if (type === 'message.part.updated' && part) await onPart(part, event);
    else if (type === 'message.updated' && info) await onMessage(info);
    else if ((type === 'session.idle' || type === 'session.compacted') && sessionID !== undefined) {
      const place = await places.of(sessionID);
      if (place.agent === null) desk.later(place, { hook: 'event', input: event, counts: true });
    }
  };

  return {
    // The seal comes off only in a process that governs.
    config: async ({ permission }) => {
      if (typeof permission === 'object') delete permission[SEAL];
    },
    dispose: () => desk.settled(),
    event: ({ event }) => onEvent(event).catch(() => undefined),

    'chat.message': async ({ sessionID }, { parts }) => {
      const place = await places.of(sessionID);
      // A subagent's prompt is its parent's call and no new request.
      if (place.agent !== null) return;
      await desk.settled();
      const kinds = parts.map((part) => ({
        synthetic: (part as { synthetic?: unknown }).synthetic === true,
      }));
      const answer = await desk.send(place, {
        hook: 'chat.message',
        input: { sessionID },
        output: { parts: kinds },
        begins: true,
        counts: true,
      });
      const refused = refusedBecause(answer);
      if (refused !== null) throw new Error(refused);
    },

    'tool.execute.before': async (input: CallInput, output) => {
      freeze(output.args);
      const place = await places.of(input.sessionID);
      await desk.settled();
      const answer = await desk.send(place, {
        hook: 'tool.execute.before',
        input,
        output: { args: output.args },
        begins: true,
        counts: true,
      });
      const refused = refusedBecause(answer);
      if (refused !== null) throw new Error(refused);
      if (answer.verdict !== 'allow') throw new Error('PactClaw gave no verdict, so the call is refused.');
      open.add(input.callID);
      if (answer.handshake !== null) handshakes.set(input.callID, answer.handshake as JsonObject);
    },

    'tool.execute.after': async (input: CallInput, output) => {
      const place = await places.of(input.sessionID);
      open.delete(input.callID);
      // Another tool of that name has answered: no handshake was made.
      const forged = handshakes.delete(input.callID);
      const answer = await desk.send(place, {
        hook: 'tool.execute.after',
        input,
        output: {
          output: output.output,
          content: output.content,
          metadata: forged ? { exit: 1 } : output.metadata,
        },
      });
      const alarm = answer.alarm ?? refusedBecause(answer) ?? (forged ? NO_GATE : null);
      if (alarm !== null) replaceResult(output, alarm);
    },

    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      if (sessionID === undefined) return;
      const { session } = await places.of(sessionID);
      const context = desk.context(session);
      if (context !== null) system.push(context);
    },

    'experimental.session.compacting': async ({ sessionID }, output) => {
      const place = await places.of(sessionID);
      await desk.send(place, {
        hook: 'experimental.session.compacting',
        input: { sessionID },
        counts: true,
      });
      const context = desk.context(place.session);
      if (context !== null) output.context.push(context);
    },

    tool: {
      [HANDSHAKE_TOOL]: {
        description: HANDSHAKE.description,
        args: HANDSHAKE.parameters.properties,
        execute: async (_args, { callID }) => {
          const handshake = callID === undefined ? undefined : handshakes.get(callID);
          if (callID === undefined || handshake === undefined) throw new Error(NO_GATE);
          handshakes.delete(callID);
          return handshakeText(handshake);
        },
      },
    },
  };
}
