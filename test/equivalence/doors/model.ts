import { ASKS_FOR_CALL, type Spoken, speak, type Wire } from '../../../fixtures/llm/answers.ts';
import { requestOf, targetOf } from '../../../fixtures/llm/requests.ts';
import { decoderOf } from '../../../src/cli/llm/decoder.ts';
import { HANDSHAKE_TOOL } from '../../../src/core/words.ts';
import type { HostTool, HostVerifier } from '../../../src/hosts/shared/verify/verifier.ts';
import type { IncomingCall, OutgoingReply } from '../../../src/platform/http-server.ts';
import { LlmDoor } from '../../../src/proxy/llm/door.ts';
import type { Ask } from '../corpus.ts';
import type { Door, Ground } from '../ground.ts';
import { toolOf } from './hooks.ts';

/** What stands before the model: the protocol, the client, and whether its answers are streams. */
export interface Front {
  readonly wire: Wire;
  readonly client: string;
  readonly stream: boolean;
  readonly tool: (ask: Ask) => HostTool | null;
}

/** A client that its hooks know too: its tools are the same, but Codex names its shell otherwise to the model. */
export function frontOf(wire: Wire, verifier: HostVerifier, stream: boolean): Front {
  const { host } = verifier;
  return {
    wire,
    client: host,
    stream,
    tool: (ask) => {
      if (ask.does === 'handshake') return { name: HANDSHAKE_TOOL, args: { intent_id: ask.intentId } };
      if (host === 'codex' && ask.does === 'shell')
        return { name: 'exec_command', args: { cmd: ask.command } };
      const call = toolOf(verifier, ask);
      return call && { name: call.name, args: call.args };
    },
  };
}

/** A client that nobody knows: all of its tools are undeclared. */
export const UNKNOWN_CLIENT: Front = {
  wire: 'chat',
  client: 'llm',
  stream: true,
  tool: (ask) => {
    if (ask.does === 'handshake') return { name: HANDSHAKE_TOOL, args: { intent_id: ask.intentId } };
    if (ask.does === 'undeclared') return { name: 'odd_tool', args: { path: ask.file } };
    return ask.does === 'shell' ? { name: 'run', args: { command: ask.command } } : null;
  },
};

function replyInto(text: string[]): OutgoingReply {
  return {
    signal: new AbortController().signal,
    begun: false,
    head: () => {},
    write: async (chunk) => void text.push(String(chunk)),
    end: (last = '') => void text.push(String(last)),
    cut: () => void text.push('(cut)'),
    heartbeat: () => {},
    refuse: (_status, _headers, words) => void text.push(words),
  };
}

/** A model that asks for the call, behind `pactclaw llm proxy`, and what its client gets. */
export function modelDoor(ground: Ground, front: Front): Door {
  const { wire, client, stream } = front;
  /** What the model says next, and what happens just before it does. */
  let next: { readonly said: Spoken; readonly before: () => void } | null = null;
  const door = new LlmDoor({
    governor: ground.engine(),
    decode: decoderOf(client),
    settings: {
      host: client,
      cwd: ground.root,
      salt: 'salt',
      providerRuns: () => false,
      passes: () => false,
      hideTools: false,
      requireTools: false,
      contextTokens: null,
      compactAt: 0.8,
      deadlineMs: 30_000,
    },
    basePath: '',
    notice: () => {},
    send: async ({ path, body }) => {
      next?.before();
      const { headers = {}, pieces } = speak(
        wire,
        { body: JSON.parse(String(body)), path },
        next?.said ?? { text: 'Done.' },
      );
      next = null;
      return {
        status: 200,
        headers,
        chunks: (async function* () {
          for (const piece of pieces) yield Buffer.from(piece as string);
        })(),
      };
    },
  });
  return {
    name: `proxy of a model: ${wire}, ${stream ? 'streamed' : 'whole'} (${client === 'llm' ? 'unknown client' : client})`,
    async answer(ask, at) {
      const tool = front.tool(ask);
      if (tool === null) return null;
      const id = ground.sessionAt(at);
      // The request begins a turn; where the session stands is put after that, while the model thinks.
      next = { said: { calls: [{ id: 'call_1', ...tool }] }, before: () => void ground.put(id, at) };
      const call: IncomingCall = {
        method: 'POST',
        target: targetOf(wire, stream),
        headers: { host: '127.0.0.1', 'x-pactclaw-session': id },
        body: async () => Buffer.from(JSON.stringify(requestOf(wire, { stream, tools: [tool.name] }))),
        stream: (async function* () {})(),
      };
      const text: string[] = [];
      await door.serve(call, replyInto(text));
      // The handshake stays between proxy and model.
      return ground.heard(
        ask.does === 'handshake' ? null : ASKS_FOR_CALL.test(text.join('')) ? 'runs' : 'refused',
      );
    },
    close: () => door.flush(),
  };
}
