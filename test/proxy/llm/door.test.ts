import { describe, expect, test } from 'vitest';
import { type Spoken, speak, type Wire } from '../../../fixtures/llm/answers.ts';
import { decoderOf } from '../../../src/cli/llm/decoder.ts';
import type { IncomingCall, OutgoingReply } from '../../../src/platform/http-server.ts';
import { LlmDoor } from '../../../src/proxy/llm/door.ts';
import type { Governor } from '../../../src/proxy/llm/ports.ts';

const FINE: Governor = {
  userPrompt: async () => ({ context: null, alarm: null }),
  preToolUse: async () => ({
    decision: { verdict: 'allow', refusal: null, refusedBy: null, rulings: [], effects: [] },
    text: null,
    hook: null,
    receiptId: 'r',
  }),
  postToolUse: async () => ({ context: null, alarm: null }),
  beforeCompact: async () => ({ context: null, alarm: null }),
  stop: async () => ({ context: null, alarm: null }),
  standing: async () => ({
    state: 'CONTEXTUALIZED_ACTION',
    intentId: 'INT-001',
    haltReason: null,
    context: 'the scope',
  }),
  handshake: async () => ({ intent: 'INT-001' }),
};

const fails = async (): Promise<never> => {
  throw new Error('the engine is gone');
};
const hangs = (): Promise<never> => new Promise(() => {});

const PATHS: Readonly<Record<Wire, string>> = {
  anthropic: '/v1/messages',
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
};

/** What a client gets when the model says so and the engine does so; and what the model was sent. */
async function ask(
  wire: Wire,
  governor: Partial<Governor>,
  ...said: readonly Spoken[]
): Promise<{ text: string; sent: string[] }> {
  const sent: string[] = [];
  const door = new LlmDoor({
    governor: { ...FINE, ...governor },
    decode: decoderOf('llm'),
    settings: {
      host: 'llm',
      cwd: '/work',
      salt: 'salt',
      providerRuns: () => false,
      contextTokens: null,
      compactAt: 0.8,
      deadlineMs: 50,
    },
    basePath: '',
    loopback: true,
    send: async ({ body }) => {
      sent.push(String(body));
      const step = said[sent.length - 1] ?? { text: 'DONE' };
      const { headers = {}, pieces } = speak(wire, { body: JSON.parse(String(body)) }, step);
      return {
        status: 200,
        headers,
        chunks: (async function* () {
          for (const piece of pieces) yield Buffer.from(piece as string);
        })(),
      };
    },
  });
  const tool = { name: 'write_file', input_schema: {}, type: wire === 'anthropic' ? 'custom' : 'function' };
  const body = {
    model: 'm',
    stream: true,
    [wire === 'responses' ? 'input' : 'messages']: [{ role: 'user', content: 'Go.' }],
    tools: [wire === 'chat' ? { type: 'function', function: { name: 'write_file' } } : tool],
  };
  let text = '';
  const call: IncomingCall = {
    method: 'POST',
    target: PATHS[wire],
    headers: { host: '127.0.0.1' },
    body: async () => Buffer.from(JSON.stringify(body)),
    stream: (async function* () {})(),
  };
  const reply: OutgoingReply = {
    signal: new AbortController().signal,
    begun: false,
    head: () => {},
    write: async (chunk) => {
      text += String(chunk);
    },
    end: (last = '') => {
      text += last;
    },
    cut: () => {
      text += '(cut)';
    },
    heartbeat: () => {},
    refuse: (_status, _headers, words) => {
      text += words;
    },
  };
  await door.serve(call, reply);
  return { text, sent };
}

const CALL = /"type":"tool_use"|"tool_calls":\[|"type":"function_call"/;
const WRITES: Spoken = {
  text: 'Now.',
  calls: [{ id: 'call_1', name: 'write_file', args: { path: 'a' } }],
};

describe.each(['anthropic', 'chat', 'responses'] as const)('%s', (wire) => {
  test('an allowed call comes out', async () => {
    expect((await ask(wire, {}, WRITES)).text).toMatch(CALL);
  });

  test.each([
    ['throws', fails, 'the engine is gone'],
    ['never answers', hangs, 'no decision within 50 ms'],
  ])('an engine that %s refuses, and the text comes out', async (_name, preToolUse, why) => {
    const { text } = await ask(wire, { preToolUse }, WRITES);
    expect(text).not.toMatch(CALL);
    expect(text).toContain(why);
    expect(text).toContain('Now.');
    expect(text).not.toContain('(cut)');
  });

  test('where the session stands cannot be told: the model is shown the handshake alone', async () => {
    const { sent } = await ask(wire, { standing: fails }, { text: 'ok' });
    expect(sent[0]).toContain('select_active_intent');
    expect(sent[0]).not.toContain('write_file');
    expect(sent[0]).toContain('the engine is gone');
  });

  test('what went wrong before is told to the model', async () => {
    const alarm = async () => ({ context: null, alarm: 'Governance Violation: something was put back' });
    expect((await ask(wire, { userPrompt: alarm }, { text: 'ok' })).sent[0]).toContain('was put back');
    expect((await ask(wire, { userPrompt: fails }, { text: 'ok' })).sent[0]).toContain('the engine is gone');
    expect((await ask(wire, { userPrompt: hangs }, { text: 'ok' })).sent[0]).toContain('within 50 ms');
    expect((await ask(wire, { standing: hangs }, { text: 'ok' })).sent[0]).not.toContain('write_file');
  });

  test('a handshake that the engine cannot begin ends the answer with the reason', async () => {
    const select = {
      calls: [{ id: 'call_s', name: 'select_active_intent', args: { intent_id: 'INT-001' } }],
    };
    const { text, sent } = await ask(wire, { preToolUse: fails }, select);
    expect(text).toContain('the engine is gone');
    expect(text).not.toMatch(CALL);
    expect(sent).toHaveLength(1);
  });

  test('a handshake whose answer fails is told to the model as failed', async () => {
    const select = {
      calls: [{ id: 'call_s', name: 'select_active_intent', args: { intent_id: 'INT-001' } }],
    };
    const { sent } = await ask(wire, { handshake: fails }, select, { text: 'I see.' });
    expect(sent[1]).toContain('the engine is gone');
  });
});
