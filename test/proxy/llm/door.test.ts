import { describe, expect, test } from 'vitest';
import { ASKS_FOR_CALL, type Spoken, speak, WIRES, type Wire } from '../../../fixtures/llm/answers.ts';
import { requestOf, targetOf } from '../../../fixtures/llm/requests.ts';
import type { Governor } from '../../../src/proxy/llm/ports.ts';
import { TestDoor } from './ask-door.ts';

const fails = async (): Promise<never> => {
  throw new Error('the engine is gone');
};
const hangs = (): Promise<never> => new Promise(() => {});

/** What a client gets when the model says so and the engine does so; and what the model was sent. */
async function ask(
  wire: Wire,
  governor: Partial<Governor>,
  ...said: readonly Spoken[]
): Promise<{ text: string; sent: string[] }> {
  const door = new TestDoor(
    ({ text, path }, turn) => speak(wire, { body: JSON.parse(text), path }, said[turn] ?? { text: 'DONE' }),
    { governor },
  );
  const { text } = await door.ask(targetOf(wire, true), requestOf(wire, { stream: true }));
  return { text, sent: door.sent.map((one) => one.text) };
}

const WRITES: Spoken = {
  text: 'Now.',
  calls: [{ id: 'call_1', name: 'write_file', args: { path: 'a' } }],
};

describe.each(WIRES)('%s', (wire) => {
  test('an allowed call comes out', async () => {
    expect((await ask(wire, {}, WRITES)).text).toMatch(ASKS_FOR_CALL);
  });

  test.each([
    ['throws', fails, 'the engine is gone'],
    ['never answers', hangs, 'no decision within 50 ms'],
  ])('an engine that %s refuses, and the text comes out', async (_name, preToolUse, why) => {
    const { text } = await ask(wire, { preToolUse }, WRITES);
    expect(text).not.toMatch(ASKS_FOR_CALL);
    expect(text).toContain(why);
    expect(text).toContain('Now.');
    expect(text).not.toContain('(cut)');
  });

  test('where the session stands cannot be told: the model is told so', async () => {
    const { sent } = await ask(wire, { standing: fails }, { text: 'ok' });
    expect(sent[0]).toContain('select_active_intent');
    expect(sent[0]).toContain('the engine is gone');
  });

  test('what went wrong before is told to the model', async () => {
    const alarm = async () => ({ context: null, alarm: 'Governance Violation: something was put back' });
    expect((await ask(wire, { userPrompt: alarm }, { text: 'ok' })).sent[0]).toContain('was put back');
    expect((await ask(wire, { userPrompt: fails }, { text: 'ok' })).sent[0]).toContain('the engine is gone');
    expect((await ask(wire, { userPrompt: hangs }, { text: 'ok' })).sent[0]).toContain('within 50 ms');
    expect((await ask(wire, { standing: hangs }, { text: 'ok' })).sent[0]).toContain('within 50 ms');
  });

  test('a handshake that the engine cannot begin ends the answer with the reason', async () => {
    const select = {
      calls: [{ id: 'call_s', name: 'select_active_intent', args: { intent_id: 'INT-001' } }],
    };
    const { text, sent } = await ask(wire, { preToolUse: fails }, select);
    expect(text).toContain('the engine is gone');
    expect(text).not.toMatch(ASKS_FOR_CALL);
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

describe('a path', () => {
  const SECRET = { calls: [{ id: 'call_1', name: 'write_file', args: { path: 'a' } }] };
  const asks = (door: TestDoor, target: string, headers: Record<string, string> = {}) =>
    door.ask(
      target,
      { messages: [{ role: 'user', content: 'Go.' }], tools: [{ name: 'write_file' }] },
      { headers },
    );
  const open = (settings = {}) =>
    new TestDoor(({ text }) => speak('anthropic', { body: JSON.parse(text) }, SECRET), { settings });

  test('F-5: that nobody knows is refused in the shape of the provider, with the remedy, and nothing goes upstream', async () => {
    const door = open();
    const chat = await asks(door, '/v2/chat');
    expect(chat.status).toBe(403);
    expect(JSON.parse(chat.text).error).toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringMatching(/^PactClaw: POST \/v2\/chat is no endpoint .* --pass-path PATTERN/),
    });
    const anthropic = await asks(door, '/v1/oddities', { 'anthropic-version': '2023-06-01' });
    expect(JSON.parse(anthropic.text)).toMatchObject({ type: 'error', error: { type: 'permission_error' } });
    expect((await asks(door, '/v1/messages;x=1')).text).toContain('Send it as /v1/messages.');
    expect(door.sent).toEqual([]);
  });

  test('F-5: of Vertex and of Azure is governed: a refused call does not come out', async () => {
    const refuses = { preToolUse: fails };
    const vertex = '/v1/projects/p/locations/l/publishers/anthropic/models/claude-x:streamRawPredict';
    const azure = '/openai/deployments/gpt/chat/completions?api-version=2024-10-21';
    for (const [wire, target] of [
      ['anthropic', vertex],
      ['chat', azure],
    ] as const) {
      const say = ({ text }: { text: string }) => speak(wire, { body: JSON.parse(text) }, SECRET);
      const body = {
        stream: true,
        messages: [{ role: 'user', content: 'Go.' }],
        tools: [
          wire === 'chat' ? { type: 'function', function: { name: 'write_file' } } : { name: 'write_file' },
        ],
      };
      const allowed = new TestDoor(say);
      expect((await allowed.ask(target, body)).text).toMatch(ASKS_FOR_CALL);
      expect(allowed.sent[0]?.path).toBe(target);
      const { text } = await new TestDoor(say, { governor: refuses }).ask(target, body);
      expect(text).not.toMatch(ASKS_FOR_CALL);
      expect(text).toContain('the engine is gone');
    }
  });

  test('F-5: that the human lets by goes by', async () => {
    const door = open({ passes: (path: string) => path === '/v2/chat' });
    expect((await asks(door, '/v2/chat')).text).toMatch(ASKS_FOR_CALL);
  });

  test.each([301, 302, 303, 307, 308])(
    'F-22: a redirect of the provider (%i) is not handed to the client',
    async (status) => {
      const to = 'https://elsewhere.example/v1/messages?key=1';
      const door = new TestDoor(() => ({ status, headers: { location: to }, pieces: ['moved'] }));
      const ask = { messages: [{ role: 'user', content: 'Go.' }] };
      for (const got of [
        await door.ask('/v1/messages', ask),
        await door.ask('/v1/models', null, { method: 'GET' }),
      ]) {
        expect(got.status).toBe(502);
        expect(got.headers).not.toHaveProperty('location');
        expect(got.text).toMatch(
          /PactClaw: the upstream answered 30\d and points to https:\/\/elsewhere.example\/v1\/messages,/,
        );
      }
    },
  );

  test('F-22: a 304 of a list of models is passed on', async () => {
    const door = new TestDoor(() => ({ status: 304, headers: { etag: 'x' }, pieces: [] }));
    expect((await door.ask('/v1/models', null, { method: 'GET' })).status).toBe(304);
  });
});

describe('F-25: requests without tools', () => {
  const said = ({ text }: { text: string }) => speak('chat', { body: JSON.parse(text) }, { text: 'ok' });
  const first = { role: 'user', content: 'Go.' };
  const goesOn = {
    messages: [first, { role: 'assistant', content: 'rm -rf' }, { role: 'user', content: 'done' }],
  };
  const tools = [{ type: 'function', function: { name: 'write_file' } }];
  const ask = (door: TestDoor, body: object, session = 's') =>
    door.ask(targetOf('chat'), body, { headers: { 'x-pactclaw-session': session } });

  test('are told once a session, to the operator and in a receipt', async () => {
    const notes: unknown[] = [];
    const stop = async (_: unknown, note?: string) => {
      notes.push(note);
      return { context: null, alarm: null };
    };
    const door = new TestDoor(said, { governor: { stop } });
    for (const session of ['s', 's', 't']) expect((await ask(door, goesOn, session)).status).toBe(200);
    const words = expect.stringContaining('offer no tools');
    expect(door.notices).toEqual([words, words]);
    expect(notes).toEqual([words, words]);
    expect(door.notices[0]).toMatch(/^s: /);
  });

  test('are no news as titles, and beside requests with tools', async () => {
    const door = new TestDoor(said);
    await ask(door, { messages: [first] });
    await ask(door, { messages: [first], tools });
    await ask(door, goesOn);
    expect(door.notices).toEqual([]);
  });

  test('go on though the receipt cannot be written', async () => {
    expect((await ask(new TestDoor(said, { governor: { stop: fails } }), goesOn)).status).toBe(200);
  });

  test('are refused under --require-tools, and those with tools are not', async () => {
    const door = new TestDoor(said, { settings: { requireTools: true } });
    const refused = await ask(door, goesOn);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('offers no tools')]);
    expect(door.sent).toEqual([]);
    expect((await ask(door, { ...goesOn, tools })).status).toBe(200);
  });
});
