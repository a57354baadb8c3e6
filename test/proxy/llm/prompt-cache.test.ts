import { describe, expect, test } from 'vitest';
import { type Spoken, speak, WIRES, type Wire } from '../../../fixtures/llm/answers.ts';
import { CONVERSATION, requestOf, type Step, targetOf } from '../../../fixtures/llm/requests.ts';
import { TestDoor } from './ask-door.ts';

const TOOLS = ['write_file', 'shell', 'read_file'];
/** As long as a coding client's are together. */
const description = 'What the tool does and when it is to be used, told at length. '.repeat(100);

/** A request in the order in which providers cache it: tools, then the system prompt, then the conversation. */
function asCached(wire: Wire, body: Record<string, unknown>): string {
  const system = body.system ?? body.instructions ?? body.systemInstruction;
  return JSON.stringify([body.tools, system, body[CONVERSATION[wire]]]);
}

/** Characters that each request has in common with the one before it, as a prompt cache would find them. */
function reused(wire: Wire, sent: readonly { readonly text: string }[]): number[] {
  const texts = sent.map(({ text }) => asCached(wire, JSON.parse(text)));
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
    ({ text, path }, turn) => {
      acting = turn % 2 === 0;
      return speak(wire, { body: JSON.parse(text), path }, script[turn] ?? {}, `m_${turn}`);
    },
    { governor: { standing }, settings: { hideTools } },
  );
  const steps: Step[] = [];
  for (const user of ['First.', 'Second.']) {
    acting = false;
    steps.push({ user });
    await door.ask(targetOf(wire), requestOf(wire, { steps, tools: TOOLS, description }));
    steps.push({ model: 'Done.' });
  }
  return door.sent;
}

const calling = (functionCallingConfig: object) => ({ functionCallingConfig });
/** Where a choice of tools stands: a choice of one, one of any, and the free choice. */
const CHOICES: Readonly<Record<Wire, readonly [string, unknown, unknown, unknown]>> = {
  anthropic: ['tool_choice', { type: 'tool', name: 'shell' }, { type: 'any' }, { type: 'auto' }],
  chat: ['tool_choice', { type: 'function', function: { name: 'shell' } }, 'required', 'auto'],
  gemini: [
    'toolConfig',
    calling({ mode: 'ANY', allowedFunctionNames: ['shell'] }),
    calling({ mode: 'ANY' }),
    calling({ mode: 'AUTO' }),
  ],
  responses: ['tool_choice', { type: 'function', name: 'shell' }, 'required', 'auto'],
};

describe.each(WIRES)('%s', (wire) => {
  test('U-14: the tools stay in the prompt cache through the handshake; hidden, they are lost at each', async () => {
    const toolsLength = JSON.stringify(requestOf(wire, { tools: TOOLS, description }).tools).length;
    const kept = reused(wire, await requests(wire, false));
    const hidden = reused(wire, await requests(wire, true));
    expect(kept).toHaveLength(3);
    for (const count of kept) expect(count).toBeGreaterThan(toolsLength);
    for (const count of hidden) expect(count).toBeLessThan(500);
  });

  test('U-14: a choice of the client stays, but for one that would keep the model from the handshake', async () => {
    const state = { state: 'REASONING_INTERCEPT' as const, intentId: null, haltReason: null, context: 'x' };
    const [key, named, any, free] = CHOICES[wire];
    const sent = async (choice: unknown, governor: object) => {
      const door = new TestDoor(
        ({ text, path }) => speak(wire, { body: JSON.parse(text), path }, { text: 'ok' }),
        { governor },
      );
      await door.ask(targetOf(wire), { ...requestOf(wire, { tools: TOOLS }), [key]: choice });
      return JSON.parse(door.sent[0]?.text ?? '')[key];
    };
    expect(await sent(named, {})).toEqual(named);
    expect(await sent(any, {})).toEqual(any);
    const early = { standing: async () => state };
    expect(await sent(any, early)).toEqual(any);
    expect(await sent(named, early)).toEqual(free);
  });
});
