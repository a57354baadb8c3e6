import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { geminiBody, geminiEvents, type Spoken, SSE_HEADERS, speak } from '../../../fixtures/llm/answers.ts';
import { requestOf, targetOf } from '../../../fixtures/llm/requests.ts';
import type { ToolCall } from '../../../src/core/tool-call.ts';
import type { Governor } from '../../../src/proxy/llm/ports.ts';
import { FINE, type Got, type Said, type Sent, TestDoor } from './ask-door.ts';
import { ASSEMBLE } from './assemble.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of the protocol, looked into part by part
type Data = any;

const WHOLE = targetOf('gemini');
const STREAM = targetOf('gemini', true);
const ARRAY = '/v1beta/models/gemini-x:streamGenerateContent';
const VERTEX = '/v1/projects/p/locations/l/publishers/google/models/gemini-x';
const BODY = requestOf('gemini');
const CALL = { id: 'c_1', name: 'write_file', args: { path: 'a', n: 1 } };
const SHAKES: Spoken = {
  calls: [{ id: 'h', name: 'select_active_intent', args: { intent_id: 'INT-001' } }],
};
const refusing: Partial<Governor> = {
  preToolUse: async () => {
    throw new Error('no');
  },
};
/** Refuses writes to this path alone. */
const refusingPath = (path: string): Partial<Governor> => ({
  preToolUse: async (event) => {
    if (event.call.args.path === path) throw new Error(`not ${path}`);
    return FINE.preToolUse(event);
  },
});
const early = async () => ({
  state: 'REASONING_INTERCEPT' as const,
  intentId: null,
  haltReason: null,
  context: 'the intents',
});

const says =
  (...spoken: readonly Spoken[]) =>
  ({ text, path }: Sent, turn: number): Said =>
    speak('gemini', { body: JSON.parse(text), path }, spoken[turn] ?? { text: 'Done.' }, `r_${turn}`);
const bytes = (value: object) => (): Said => ({ pieces: [JSON.stringify(value)] });
const events = (...values: readonly object[]) => ({
  headers: SSE_HEADERS,
  pieces: values.map((value) => `data: ${JSON.stringify(value)}\r\n\r\n`),
});
const candidate = (parts: readonly object[], more: object = { finishReason: 'STOP' }) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
});
const bodyIn = (door: TestDoor, turn = 0): Data => JSON.parse(door.sent[turn]?.text ?? '');
const partsIn = (got: Got): Data[] => JSON.parse(got.text).candidates[0].content.parts;

describe('F-5: generateContent', () => {
  test.each([WHOLE, STREAM, `${VERTEX}:generateContent`, `${VERTEX}:streamGenerateContent?alt=sse`])(
    '%s: a call that is allowed comes out, a refused one does not',
    async (target) => {
      const door = new TestDoor(says({ text: 'Now.', calls: [CALL] }));
      expect((await door.ask(target, BODY)).text).toContain('"functionCall":{"id":"c_1"');
      expect(door.sent[0]?.path).toBe(target);
      const got = await new TestDoor(says({ text: 'Now.', calls: [CALL] }), { governor: refusing }).ask(
        target,
        BODY,
      );
      expect(got.text).not.toContain('functionCall');
      expect(got.text).toContain('Fail-Safe Default');
    },
  );

  test('the model is offered the handshake beside the client’s functions, and told where it stands', async () => {
    const door = new TestDoor(says({ text: 'ok' }), { governor: { standing: early } });
    await door.ask(WHOLE, {
      ...BODY,
      systemInstruction: { role: 'system', parts: [{ text: 'Be brief.' }] },
      generationConfig: { thinkingConfig: { thinkingBudget: -1 } },
      ownKey: 1,
    });
    expect(bodyIn(door)).toMatchObject({
      systemInstruction: { role: 'system', parts: [{ text: 'Be brief.' }, { text: 'the intents' }] },
      tools: [{ functionDeclarations: [{ name: 'write_file' }, { name: 'select_active_intent' }] }],
      generationConfig: { thinkingConfig: { thinkingBudget: -1 } },
      ownKey: 1,
    });
    expect(bodyIn(door).tools).toHaveLength(1);
  });

  test('the spelling with underscores is read as the other', async () => {
    const door = new TestDoor(says({ text: 'ok' }));
    await door.ask(WHOLE, {
      contents: [{ role: 'user', parts: [{ text: 'Go.' }] }],
      system_instruction: { parts: [{ text: 'Be brief.' }] },
      tools: [{ function_declarations: [{ name: 'look' }] }, { google_search: {} }],
    });
    expect(bodyIn(door)).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'the scope' }] },
      tools: [{ functionDeclarations: [{ name: 'look' }, { name: 'select_active_intent' }] }],
    });
    expect(bodyIn(door)).not.toHaveProperty('system_instruction');
  });

  test('a side request goes on byte for byte, and a call in its answer is judged', async () => {
    const door = new TestDoor(says({ calls: [CALL] }), { governor: refusing });
    const text = '{ "contents": [{"parts": [{"text": "A title, please."}]}], "n": 12345678901234567890 }';
    expect((await door.ask(WHOLE, text)).text).not.toContain('functionCall');
    expect(door.sent[0]?.text).toBe(text);
  });

  test('token counts and lists of models pass untouched', async () => {
    const door = new TestDoor(bytes({ totalTokens: 7 }));
    const body = { generateContentRequest: { model: 'models/m', ...BODY } };
    const got = await door.ask('/v1beta/models/m:countTokens?key=k', body);
    expect(got.text).toBe('{"totalTokens":7}');
    expect(door.sent[0]).toMatchObject({
      path: '/v1beta/models/m:countTokens?key=k',
      text: JSON.stringify(body),
    });
  });

  test('the handshake stays inside, and is put back into the next request with its signature', async () => {
    const door = new TestDoor(
      says({ thinking: 'hm', text: 'First. ', ...SHAKES }, { text: 'Then.', calls: [CALL] }),
    );
    const got = ASSEMBLE.gemini((await door.ask(STREAM, BODY)).text);
    expect(got).toMatchObject({ text: 'First. Then.', calls: [{ id: 'c_1' }], ended: true });
    expect(got.usage).toMatchObject({ promptTokenCount: 214, candidatesTokenCount: 40 });
    await door.ask(STREAM, {
      ...BODY,
      contents: [
        ...(BODY.contents as object[]),
        { role: 'model', parts: [{ text: 'First. Then.' }, { functionCall: CALL }] },
        { role: 'user', parts: [{ functionResponse: { id: 'c_1', name: 'write_file', response: {} } }] },
      ],
    });
    const { contents } = bodyIn(door, 2);
    expect(contents.map(({ role }: Data) => role)).toEqual(['user', 'model', 'user', 'model', 'user']);
    expect(contents[1].parts.at(-1)).toMatchObject({
      functionCall: { id: 'h', name: 'select_active_intent' },
      thoughtSignature: 'sig-hm',
    });
    expect(contents[2].parts).toMatchObject([
      {
        functionResponse: { id: 'h', name: 'select_active_intent', response: { output: expect.anything() } },
      },
    ]);
    expect(contents[3].parts).toEqual([{ text: 'Then.' }, { functionCall: CALL }]);
  });
});

describe('signatures of thoughts', () => {
  test.each([WHOLE, STREAM])('%s: stay with an allowed call, in the very bytes', async (target) => {
    const said: Spoken = { thinking: 'hm', text: 'Now.', calls: [CALL, { ...CALL, id: 'c_2' }] };
    const { text } = await new TestDoor(says(said)).ask(target, BODY);
    const plain =
      target === WHOLE ? JSON.stringify(geminiBody(said, 'r_0')) : geminiEvents(said, 'r_0').join('');
    expect(text).toBe(plain);
  });

  test('of a refused call go to the next one that is allowed, which the history needs', async () => {
    const [first, second] = [
      { ...CALL, args: { path: 'bad' } },
      { ...CALL, id: 'c_2' },
    ];
    const door = new TestDoor(says({ thinking: 'hm', calls: [first, second] }), {
      governor: refusingPath('bad'),
    });
    expect(partsIn(await door.ask(WHOLE, BODY))).toEqual([
      { text: 'hm', thought: true },
      { text: expect.stringContaining('not bad') },
      { functionCall: second, thoughtSignature: 'sig-hm' },
    ]);
  });
});

test('two conversations that begin with the same surroundings are two sessions', async () => {
  const sessions = new Set<string>();
  const door = new TestDoor(says(), {
    governor: {
      userPrompt: async ({ sessionId }) => {
        sessions.add(sessionId);
        return { context: null, alarm: null };
      },
    },
  });
  const surroundings = { role: 'user', parts: [{ text: 'Today is Sunday.' }] };
  for (const text of ['Do this.', 'Do that.'])
    await door.ask(WHOLE, { ...BODY, contents: [surroundings, { role: 'user', parts: [{ text }] }] });
  expect(sessions.size).toBe(2);
});

describe('calls without ids', () => {
  const unnamed = { ...CALL, id: '' };
  /** A door that remembers which results were told. */
  const telling = () => {
    const told: string[] = [];
    const judged: string[] = [];
    const note = (into: string[], { callId, args }: ToolCall) => into.push(`${callId} ${String(args.path)}`);
    const door = new TestDoor(says({ calls: [unnamed, { ...unnamed, args: { path: 'b' } }] }), {
      governor: {
        preToolUse: async (event) => {
          note(judged, event.call);
          return FINE.preToolUse(event);
        },
        postToolUse: async (event) => {
          note(told, event.call);
          return { context: null, alarm: null };
        },
      },
    });
    return { door, told, judged };
  };
  const answered = (parts: readonly Data[], named: boolean) => ({
    ...BODY,
    contents: [
      ...(BODY.contents as object[]),
      { role: 'model', parts },
      {
        role: 'user',
        parts: parts.map(({ functionCall: { id, name } }) => ({
          functionResponse: { ...(named ? { id } : {}), name, response: { output: 'ok' } },
        })),
      },
    ],
  });

  test('are given one each, which the provider never sees', async () => {
    const { door, told, judged } = telling();
    const parts = partsIn(await door.ask(WHOLE, BODY));
    const ids = parts.map(({ functionCall }) => functionCall.id);
    expect(new Set(ids).size).toBe(2);
    await door.ask(WHOLE, answered(parts, true));
    expect(told).toEqual(judged);
    expect(told).toEqual([`${ids[0]} a`, `${ids[1]} b`]);
    expect(door.sent[1]?.text).not.toContain('pactclaw_');
    expect(bodyIn(door, 1).contents[1].parts[0]).toEqual({
      functionCall: { name: 'write_file', args: CALL.args },
    });
  });

  test('are joined with their results by what they asked for, where the client keeps no ids', async () => {
    const { door, told, judged } = telling();
    const parts = partsIn(await door.ask(WHOLE, BODY)).map(({ functionCall: { name, args } }) => ({
      functionCall: { name, args },
    }));
    await door.ask(WHOLE, answered(parts, false));
    expect(told).toEqual(judged);
    await door.ask(WHOLE, answered(parts, false));
    expect(told).toHaveLength(2);
  });
});

describe('a request that cannot be governed is refused', () => {
  test.each([
    ['a cache, which may hold tools', { cachedContent: 'cachedContents/x' }, 'cachedContent'],
    ['the same with an underscore', { cached_content: 'cachedContents/x' }, 'cachedContent'],
    ['two spellings of a key', { cached_content: 'x', cachedContent: null }, 'comes twice'],
    ['two spellings in a tool', { tools: [{ google_search: {}, googleSearch: null }] }, 'comes twice'],
    ['several candidates', { generationConfig: { candidateCount: 2 } }, 'candidateCount'],
    ['several candidates as text', { generation_config: { candidate_count: '2' } }, 'candidateCount'],
    ['no contents', { contents: null }, 'contents'],
    ['contents that are text', { contents: 'Go.' }, 'contents'],
    ['an instruction that is text', { systemInstruction: 'Be brief.' }, 'systemInstruction'],
  ])('%s', async (_, more, words) => {
    const door = new TestDoor(says());
    const got = await door.ask(WHOLE, { ...BODY, ...more });
    expect(JSON.parse(got.text).error).toMatchObject({
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: expect.stringMatching(new RegExp(`^PactClaw: .*${words}`)),
    });
    expect(door.sent).toEqual([]);
  });

  test('a key that is null is none', async () => {
    expect((await new TestDoor(says()).ask(WHOLE, { ...BODY, cachedContent: null })).status).toBe(200);
  });

  test.each(['/v1beta/interactions', '/v1beta/interactions/i_1'])(
    'F-5: %s, with what to use',
    async (path) => {
      const door = new TestDoor(says());
      const { error } = JSON.parse((await door.ask(path, { tools: [] })).text);
      expect(error).toMatchObject({ code: 403, status: 'PERMISSION_DENIED' });
      expect(error.message).toContain('use generateContent or streamGenerateContent');
      expect(door.sent).toEqual([]);
    },
  );
});

describe('tools', () => {
  const TOOLS = [
    { functionDeclarations: [{ name: 'look' }], codeExecution: {} },
    { googleSearch: {} },
    { url_context: {} },
    { mcpServers: [{ name: 'x' }] },
    { newKind: {} },
    { computerUse: { environment: 'ENVIRONMENT_BROWSER' } },
    'odd',
  ];
  const look = { functionDeclarations: [{ name: 'look' }, { name: 'select_active_intent' }] };

  test('that the provider runs by itself are taken out, kinds that nobody knows among them', async () => {
    const door = new TestDoor(says());
    await door.ask(WHOLE, { ...BODY, tools: TOOLS });
    expect(bodyIn(door).tools).toMatchObject([look, { computerUse: {} }]);
    expect(bodyIn(door).tools).toHaveLength(2);
    await door.ask(WHOLE, { ...BODY, tools: [{ googleSearch: {} }] });
    expect(bodyIn(door, 1)).not.toHaveProperty('tools');
  });

  test('of the provider stay where the human lets them', async () => {
    const door = new TestDoor(says(), { settings: { providerRuns: (type) => type === 'googleSearch' } });
    await door.ask(WHOLE, { ...BODY, tools: TOOLS });
    expect(bodyIn(door).tools).toMatchObject([look, { googleSearch: {} }, { computerUse: {} }]);
  });

  test.each([
    ['NONE', { mode: 'NONE' }, { mode: 'NONE' }],
    ['VALIDATED', { mode: 'VALIDATED' }, { mode: 'VALIDATED' }],
    ['ANY of some', { mode: 'ANY', allowed_function_names: ['write_file'] }, { mode: 'AUTO' }],
    ['pieces of arguments', { mode: 'AUTO', streamFunctionCallArguments: true }, { mode: 'AUTO' }],
  ])('a choice before the handshake: %s', async (_, choice, want) => {
    const door = new TestDoor(says(), { governor: { standing: early } });
    const retrievalConfig = { languageCode: 'de' };
    await door.ask(WHOLE, { ...BODY, toolConfig: { functionCallingConfig: choice, retrievalConfig } });
    expect(bodyIn(door).toolConfig).toEqual({ functionCallingConfig: want, retrievalConfig });
  });
});

describe('answers', () => {
  test.each([
    [
      'a blocked prompt',
      { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 1 } },
    ],
    ['no candidates', { candidates: [], promptFeedback: {} }],
    ['a candidate without content', { candidates: [{ finishReason: 'SAFETY', index: 0 }] }],
    ['a content without parts', { candidates: [{ content: { role: 'model' }, finishReason: 'MAX_TOKENS' }] }],
    ['a part that is empty', candidate([{ text: '', thoughtSignature: 's' }])],
    [
      'what the provider has run',
      candidate([{ executableCode: { code: '1' } }, { codeExecutionResult: {} }]),
    ],
    ['keys that are null', candidate([{ text: 'a', functionCall: null }])],
    ['words about calls', candidate([{ text: '{"functionCall": {"name": "x"}}' }])],
  ])('%s goes on as it came, whole and streamed', async (_, response) => {
    const whole = await new TestDoor(bytes(response)).ask(WHOLE, BODY);
    expect([whole.status, whole.text]).toEqual([200, JSON.stringify(response)]);
    const said = events(response);
    const streamed = await new TestDoor(() => said).ask(STREAM, BODY);
    expect(streamed.text).toBe(said.pieces.join(''));
  });

  const ASKED = { functionCall: { id: 'c', name: 'Evil', args: {} } };
  test.each([
    ['a kind that nobody knows', { newCall: { name: 'Evil' } }],
    ['a result from the model', { functionResponse: { name: 'Evil' } }],
    ['a key beside the call', { ...ASKED, newKey: 1 }],
    ['arguments in pieces', { functionCall: { name: 'Evil', partialArgs: [{ jsonPath: '$.a' }] } }],
    ['arguments that go on', { functionCall: { name: 'Evil', willContinue: true } }],
    ['arguments that are a list', { functionCall: { name: 'Evil', args: [1] } }],
    ['arguments that are text', { functionCall: { name: 'Evil', args: '{}' } }],
    ['no name', { functionCall: { id: 'Evil', args: {} } }],
  ])('%s is refused as text, whole and streamed', async (_, part) => {
    const response = candidate([{ text: 'a' }, part]);
    for (const [target, said] of [
      [WHOLE, bytes(response)],
      [STREAM, () => events(response)],
    ] as const) {
      const { text } = await new TestDoor(said).ask(target, BODY);
      expect(text).not.toMatch(/"(?:functionCall|newCall|functionResponse|newKey)"/);
      expect(text).toContain('Fail-Safe Default');
    }
  });

  test('a call whole in one event with its finish reason is judged, its event keeps the line ends', async () => {
    const { pieces } = events(candidate([{ text: 'a' }, ASKED]));
    const said = () => ({ headers: SSE_HEADERS, pieces });
    const { text } = await new TestDoor(said, { governor: refusing }).ask(STREAM, BODY);
    expect(text).not.toContain('Evil":');
    expect(text).toMatch(/^data: \{.*\}\r\n\r\n$/);
  });

  test.each([
    ['a second candidate', { candidates: [{ content: { parts: [] } }, { content: { parts: [ASKED] } }] }],
    ['a prompt that was blocked', { promptFeedback: { blockReason: 'OTHER', parts: [ASKED] } }],
    ['a call’s event', { ...candidate([ASKED]), output: [ASKED] }],
    [
      'another kind in a second candidate',
      { candidates: [{}, { content: { parts: [{ newCall: ASKED.functionCall }] } }] },
    ],
    ['a key with escapes', '{"x":[{"\\u0066unction\\u0043all":{"name":"Evil"}}]}'],
    ['a key in another case', '{"x":{"FUNCTIONCALL":{"name":"Evil"}}}'],
    ['a key with an underscore', '{"x":{"function_call":{"name":"Evil"}}}'],
    [
      'a key that comes twice',
      `{"candidates":[{"content":{"parts":[${JSON.stringify(ASKED)}]}}],"candidates":[]}`,
    ],
    ['a key that was null before', '{"x":{"functionCall": null ,"functionCall":{"name":"Evil"}}}'],
  ])('a call in %s breaks the stream off', async (_, response) => {
    const last = typeof response === 'string' ? response : JSON.stringify(response);
    const { pieces } = events(candidate([{ text: 'a' }], {}));
    const said = { headers: SSE_HEADERS, pieces: [...pieces, `data: ${last}\r\n\r\n`] };
    const { text } = await new TestDoor(() => said).ask(STREAM, BODY);
    expect(text).not.toContain('Evil');
    expect(text).toMatch(/"status":"UNAVAILABLE"\}\}\n\n\(cut\)$/);
  });

  test('F-5: a refused call comes out of no place of an answer', async () => {
    const place = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>(
          null,
          'text',
          1,
          ASKED,
          { function_call: ASKED.functionCall },
          { parts: [ASKED] },
        ),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom('candidates', 'content', 'parts', 'text', 'finishReason', 'x'),
          tie('value'),
          { maxKeys: 4 },
        ),
      ),
    })).value;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom('candidates', 'x'), place), async (response) => {
        for (const [target, said] of [
          [WHOLE, bytes(response)],
          [STREAM, () => events(response)],
          [ARRAY, () => events(response)],
        ] as const) {
          const { text } = await new TestDoor(said, { governor: refusing }).ask(target, BODY);
          expect(text).not.toMatch(/"function_?[cC]all":\{/);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a stream as one JSON array', () => {
  test('is asked for as events and given as the array that the client wants', async () => {
    const door = new TestDoor(says({ text: 'Hello there.', calls: [CALL] }));
    const got = await door.ask(`${ARRAY}?key=k%2B&alt=json`, BODY);
    expect(door.sent[0]?.path).toBe(`${ARRAY}?key=k%2B&alt=sse`);
    expect(got.headers['content-type']).toBe('application/json; charset=UTF-8');
    const heard = JSON.parse(got.text).map((value: object) => `data: ${JSON.stringify(value)}\n\n`);
    expect(ASSEMBLE.gemini(heard.join(''))).toMatchObject({ text: 'Hello there.', calls: [{ id: 'c_1' }] });
  });

  test('holds no refused call', async () => {
    const got = await new TestDoor(says({ text: 'Now.', calls: [CALL] }), { governor: refusing }).ask(
      ARRAY,
      BODY,
    );
    expect(got.text).not.toContain('functionCall');
    expect(JSON.stringify(JSON.parse(got.text))).toContain('Fail-Safe Default');
  });

  test('that the upstream sends as an array all the same is an error', async () => {
    const got = await new TestDoor(bytes([geminiBody({ calls: [CALL] })])).ask(ARRAY, BODY);
    expect(got.status).toBe(502);
    expect(got.text).not.toContain('write_file');
  });
});

describe('keys', () => {
  test.each([
    ['a header', {}, { 'x-goog-api-key': 'k1' }, { 'x-goog-api-key': 'k2' }],
    ['a bearer', {}, { authorization: 'Bearer k1' }, { authorization: 'Bearer k2' }],
    ['the query', { query: true }, {}, {}],
  ])(
    'in %s go on, and two of them are two sessions',
    async (_, { query = false }: { query?: boolean }, one, two) => {
      const sessions = new Set<string>();
      const door = new TestDoor(says(), {
        governor: {
          userPrompt: async (origin) => {
            sessions.add(origin.sessionId);
            return { context: null, alarm: null };
          },
        },
      });
      const target = (key: string) => (query ? `${WHOLE}?key=${key}` : WHOLE);
      for (const [key, headers] of [
        ['k1', one],
        ['k1', one],
        ['k2', two],
      ] as const)
        await door.ask(target(key), BODY, { headers: headers as Record<string, string> });
      expect(sessions.size).toBe(2);
      expect(door.sent[2]).toMatchObject({ path: target('k2'), headers: two });
      expect(JSON.stringify([...sessions])).not.toContain('k1');
    },
  );
});
