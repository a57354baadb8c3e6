import { describe, expect, test } from 'vitest';
import { type Spoken, speak, type Wire } from '../../../fixtures/llm/answers.ts';
import { TestDoor } from './ask-door.ts';

const PATHS: Readonly<Record<Wire, string>> = {
  anthropic: '/v1/messages',
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
};
const TOOLS = ['write_file', 'shell', 'read_file'];
/** As long as a coding client's are together. */
const WORDS = 'What the tool does and when it is to be used, told at length. '.repeat(100);

function toolOf(wire: Wire, name: string): object {
  const spelled = { name, description: WORDS, parameters: { type: 'object' } };
  if (wire === 'chat') return { type: 'function', function: spelled };
  return wire === 'responses'
    ? { type: 'function', ...spelled }
    : { name, description: WORDS, input_schema: {} };
}

interface Body {
  readonly tools: unknown;
  readonly system?: unknown;
  readonly instructions?: unknown;
  readonly messages?: unknown;
  readonly input?: unknown;
}

/** A request in the order in which providers cache it: tools, then the system prompt, then the conversation. */
function asCached({ tools, system, instructions, messages, input }: Body): string {
  return JSON.stringify([tools, system ?? instructions, messages ?? input]);
}

/** Characters that each request has in common with the one before it, as a prompt cache would find them. */
function reused(sent: readonly { readonly text: string }[]): number[] {
  const texts = sent.map(({ text }) => asCached(JSON.parse(text)));
  return texts.slice(1).map((text, at) => {
    const before = texts[at] ?? '';
    let same = 0;
    while (same < text.length && text[same] === before[same]) same += 1;
    return same;
  });
}

/** Two requests of a human: each begins with a handshake. */
async function requests(wire: Wire, hideTools: boolean) {
  let acting = false;
  const standing = async () => ({
    state: acting ? ('CONTEXTUALIZED_ACTION' as const) : ('REASONING_INTERCEPT' as const),
    intentId: acting ? 'INT-001' : null,
    haltReason: null,
    context: acting ? 'the scope' : 'the intents',
  });
  const script: readonly Spoken[] = [
    { calls: [{ id: 'h1', name: 'select_active_intent', args: { intent_id: 'INT-001' } }] },
    { text: 'Done.' },
    { calls: [{ id: 'h2', name: 'select_active_intent', args: { intent_id: 'INT-001' } }] },
    { text: 'Done again.' },
  ];
  const door = new TestDoor(
    ({ text }, turn) => {
      acting = turn % 2 === 0;
      return speak(wire, { body: JSON.parse(text) }, script[turn] ?? {}, `m_${turn}`);
    },
    { governor: { standing }, settings: { hideTools } },
  );
  const messages: object[] = [];
  for (const words of ['First.', 'Second.']) {
    acting = false;
    messages.push({ role: 'user', content: words });
    const tools = TOOLS.map((name) => toolOf(wire, name));
    await door.ask(PATHS[wire], {
      model: 'm',
      [wire === 'responses' ? 'input' : 'messages']: messages,
      tools,
    });
    messages.push({ role: 'assistant', content: 'Done.' });
  }
  return door.sent;
}

describe.each(['anthropic', 'chat', 'responses'] as const)('%s', (wire) => {
  test('U-14: the tools stay in the prompt cache through the handshake; hidden, they are lost at each', async () => {
    const toolsLength = JSON.stringify(TOOLS.map((name) => toolOf(wire, name))).length;
    const kept = reused(await requests(wire, false));
    const hidden = reused(await requests(wire, true));
    expect(kept).toHaveLength(3);
    for (const count of kept) expect(count).toBeGreaterThan(toolsLength);
    for (const count of hidden) expect(count).toBeLessThan(500);
  });

  test('U-14: a choice of the client stays, but for one that would keep the model from the handshake', async () => {
    const state = { state: 'REASONING_INTERCEPT' as const, intentId: null, haltReason: null, context: 'x' };
    const named = {
      anthropic: { type: 'tool', name: 'shell' },
      chat: { type: 'function', function: { name: 'shell' } },
      responses: { type: 'function', name: 'shell' },
    }[wire];
    const any = wire === 'anthropic' ? { type: 'any' } : 'required';
    const sent = async (tool_choice: unknown, governor: object) => {
      const door = new TestDoor(({ text }) => speak(wire, { body: JSON.parse(text) }, { text: 'ok' }), {
        governor,
      });
      const tools = TOOLS.map((name) => toolOf(wire, name));
      const key = wire === 'responses' ? 'input' : 'messages';
      await door.ask(PATHS[wire], {
        model: 'm',
        [key]: [{ role: 'user', content: 'Go.' }],
        tools,
        tool_choice,
      });
      return JSON.parse(door.sent[0]?.text ?? '').tool_choice;
    };
    expect(await sent(named, {})).toEqual(named);
    expect(await sent(any, {})).toEqual(any);
    const early = { standing: async () => state };
    expect(await sent(any, early)).toEqual(any);
    expect(await sent(named, early)).toEqual(wire === 'anthropic' ? { type: 'auto' } : 'auto');
  });
});
