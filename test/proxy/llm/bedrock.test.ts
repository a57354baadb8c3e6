import { describe, expect, test } from 'vitest';
import { anthropicBody, anthropicEvents, type Spoken } from '../../../fixtures/llm/answers.ts';
import { BEDROCK_HEADERS, bedrockChunks, readBedrock } from '../../../fixtures/llm/bedrock.ts';
import { type Said, TestDoor } from './ask-door.ts';
import { ASSEMBLE } from './assemble.ts';

const MODEL = '/model/us.anthropic.claude-sonnet-4-20250514-v1:0';
const STREAM = `${MODEL}/invoke-with-response-stream`;
const BODY = {
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Go.' }],
  tools: [{ name: 'write_file', input_schema: {} }],
};
const CALL: Spoken = { text: 'Now.', calls: [{ id: 'c_1', name: 'write_file', args: { path: 'a', n: 1 } }] };
const HANDSHAKE: Spoken = {
  calls: [{ id: 'h', name: 'select_active_intent', args: { intent_id: 'INT-001' } }],
};
const refusing = {
  preToolUse: async (): Promise<never> => {
    throw new Error('no');
  },
};

function streamed(spoken: Spoken, id?: string): Said {
  return { headers: BEDROCK_HEADERS, pieces: bedrockChunks(anthropicEvents(spoken, id).join('')) };
}

const heard = (bytes: Buffer) => ASSEMBLE.anthropic(readBedrock(bytes));

describe('F-5: Anthropic Messages at Bedrock', () => {
  test('a call that is allowed comes out in frames that a client of Bedrock reads', async () => {
    const door = new TestDoor(() => streamed(CALL));
    const got = await door.ask(STREAM, BODY);
    expect(got.headers).toMatchObject(BEDROCK_HEADERS);
    expect(heard(got.bytes)).toMatchObject({
      text: 'Now.',
      calls: [{ id: 'c_1', name: 'write_file', args: '{"path":"a","n":1}' }],
      stop: 'tool_use',
      ended: true,
    });
    const sent = JSON.parse(door.sent[0]?.text ?? '');
    expect(door.sent[0]?.path).toBe(STREAM);
    expect(sent.tools.map(({ name }: { name: string }) => name)).toEqual([
      'write_file',
      'select_active_intent',
    ]);
    expect(sent).not.toHaveProperty('model');
    expect(sent).not.toHaveProperty('stream');
  });

  test('a call that is refused comes out as text', async () => {
    const got = await new TestDoor(() => streamed(CALL), { governor: refusing }).ask(STREAM, BODY);
    expect(heard(got.bytes)).toMatchObject({ calls: [], stop: 'end_turn', ended: true });
    expect(heard(got.bytes).text).toContain('Fail-Safe Default');
  });

  test('the handshake stays inside', async () => {
    const door = new TestDoor((_, turn) => streamed(turn === 0 ? HANDSHAKE : { text: 'Done.' }, `m_${turn}`));
    const got = await door.ask(STREAM, BODY);
    expect(door.sent).toHaveLength(2);
    expect(heard(got.bytes)).toMatchObject({ text: 'Done.', calls: [], ended: true });
    expect(heard(got.bytes).usage).toMatchObject({ input_tokens: 200, output_tokens: 40 });
  });

  test('an answer in one piece is judged too', async () => {
    const said = () => ({ pieces: [JSON.stringify(anthropicBody(CALL))] });
    const got = await new TestDoor(said).ask(`${MODEL}/invoke`, BODY);
    expect(JSON.parse(got.text)).toEqual(anthropicBody(CALL));
    const refused = await new TestDoor(said, { governor: refusing }).ask(`${MODEL}/invoke`, BODY);
    expect(JSON.parse(refused.text)).toMatchObject({ stop_reason: 'end_turn' });
    expect(refused.text).not.toContain('tool_use');
  });

  test.each<[string, (chunks: Uint8Array[]) => Uint8Array[]]>([
    ['is cut within a frame', (chunks) => [Buffer.concat(chunks).subarray(0, -5)]],
    [
      'has a wrong checksum',
      (chunks) => {
        const bad = Buffer.concat(chunks);
        bad[bad.length - 1] = (bad[bad.length - 1] ?? 0) ^ 1;
        return [bad];
      },
    ],
    [
      'has a frame of another kind',
      (chunks) => [...chunks.slice(0, -1), chunks[0]?.subarray(0, 0) ?? new Uint8Array(), Buffer.alloc(32)],
    ],
  ])('a stream that %s ends with an exception, and its call stays in', async (_, spoil) => {
    const { pieces } = streamed(CALL);
    const door = new TestDoor(() => ({ headers: BEDROCK_HEADERS, pieces: spoil(pieces as Uint8Array[]) }));
    const got = await door.ask(STREAM, BODY);
    expect(got.text).toMatch(/\(cut\)$/);
    const read = readBedrock(got.bytes);
    expect(read).toContain('event: internalServerException');
    expect(read).not.toContain('c_1');
  });

  test('events of another model that has its calls elsewhere do not come out', async () => {
    const event = 'data: {"contentBlockStart":{"start":{"toolUse":{"toolUseId":"t","name":"Evil"}}}}\n\n';
    const got = await new TestDoor(() => ({ headers: BEDROCK_HEADERS, pieces: bedrockChunks(event) })).ask(
      STREAM,
      BODY,
    );
    expect(readBedrock(got.bytes)).not.toContain('Evil');
  });

  test('a body that is none of Anthropic Messages is refused', async () => {
    const door = new TestDoor(() => streamed(CALL));
    const { anthropic_version: _, ...nova } = BODY;
    const got = await door.ask(`${MODEL}/invoke`, { ...nova, toolConfig: {} });
    expect(got.status).toBe(400);
    expect(JSON.parse(got.text)).toEqual({ message: expect.stringContaining('anthropic_version') });
    expect(door.sent).toEqual([]);
  });

  test('a signed request is refused, and what works is told', async () => {
    const door = new TestDoor(() => streamed(CALL));
    const authorization = 'AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/bedrock/aws4_request';
    const got = await door.ask(STREAM, BODY, { headers: { authorization } });
    expect(got.status).toBe(400);
    expect(got.text).toContain('AWS_BEARER_TOKEN_BEDROCK');
    expect((await door.ask(`${STREAM}?X-Amz-Signature=a`, BODY)).status).toBe(400);
    expect(door.sent).toEqual([]);
    expect((await door.ask(STREAM, BODY, { headers: { authorization: 'Bearer key' } })).status).toBe(200);
  });

  test('Converse is refused, and what to use instead is told', async () => {
    const got = await new TestDoor(() => streamed(CALL)).ask(`${MODEL}/converse-stream`, BODY);
    expect(got.status).toBe(403);
    expect(JSON.parse(got.text).message).toContain('/invoke-with-response-stream');
  });
});
