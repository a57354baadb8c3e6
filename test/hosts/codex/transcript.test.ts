import fs from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeInput } from '../../../src/hosts/codex/decode.ts';
import { readTranscript, transcriptOf } from '../../../src/hosts/codex/transcript.ts';
import { temporaryFolder } from '../../support/ledger.ts';
import { bytesOf, fixture } from '../support/recorded.ts';

let base: string;
let file: string;
beforeAll(() => {
  base = temporaryFolder('transcript');
  file = `${base}/t.jsonl`;
});
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

const line = (type: string, payload: object) => `${JSON.stringify({ type, payload })}\n`;
const call = (id: string, name = 'exec_command') =>
  line('response_item', { type: 'function_call', name, call_id: id, arguments: '{}' });
const used = (id: string, input = 10, cached = 0, output = 0) =>
  line('token_usage_record', {
    response_id: id,
    usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output },
  });

describe('readTranscript', () => {
  test('counts the recorded session: each response once, cached tokens not', () => {
    const recorded = fixture('codex', 'rollout.jsonl');
    const responses = fs.readFileSync(recorded, 'utf8').match(/"token_usage_record"/g)!.length;
    const reading = readTranscript(recorded, 0, null);
    expect(reading).toMatchObject({
      turns: responses,
      tokens: (responses - 1) * 120 + 420,
      model: 'gpt-5.5',
      offset: fs.statSync(recorded).size,
    });
    expect(reading.calls.length).toBeGreaterThan(10);
  });

  test('the handshake’s own exchange counts in no budget', () => {
    fs.writeFileSync(file, call('a', 'select_active_intent') + used('r1', 99) + call('b') + used('r2', 5));
    expect(readTranscript(file, 0, null)).toMatchObject({ turns: 1, tokens: 5, calls: ['a', 'b'] });
  });

  test('a response that is not over is read again when it is', () => {
    fs.writeFileSync(file, used('r1') + call('a'));
    const first = readTranscript(file, 0, null);
    expect(first).toMatchObject({ turns: 1, calls: [] });
    fs.appendFileSync(file, call('b') + used('r2'));
    expect(readTranscript(file, first.offset, first.lastMessage)).toMatchObject({
      turns: 1,
      calls: ['a', 'b'],
    });
  });

  test('a record that was cut is counted anew', () => {
    fs.writeFileSync(file, used('r1', 7));
    expect(readTranscript(file, 10_000, 'r9')).toMatchObject({ turns: 1, tokens: 7 });
  });

  test.each([
    ['more cached than there was', used('r', 5, 9, 2), 2],
    [
      'numbers that are none',
      line('token_usage_record', { response_id: 'r', usage: { input_tokens: '9' } }),
      0,
    ],
    ['no usage', line('token_usage_record', { response_id: 'r' }), 0],
  ])('%s', (_what, text, tokens) => {
    fs.writeFileSync(file, text);
    expect(readTranscript(file, 0, null)).toMatchObject({ turns: 1, tokens });
  });

  test('wherever it is cut in the writing, the sum is the same', () => {
    const text =
      call('a', 'select_active_intent') + used('r1') + call('é1') + call('c') + used('r2', 4) + used('r3', 6);
    const whole = Buffer.from(text);
    const cuts = fc.uniqueArray(fc.nat({ max: whole.length }), { maxLength: 6 });
    fc.assert(
      fc.property(cuts, (points) => {
        let state = { offset: 0, lastMessage: null as string | null };
        const seen = { turns: 0, tokens: 0, calls: [] as string[] };
        for (const end of [...points.sort((a, b) => a - b), whole.length]) {
          fs.writeFileSync(file, whole.subarray(0, end));
          const reading = readTranscript(file, state.offset, state.lastMessage);
          seen.turns += reading.turns;
          seen.tokens += reading.tokens;
          seen.calls.push(...reading.calls);
          state = reading;
        }
        expect(seen).toEqual({ turns: 2, tokens: 10, calls: ['a', 'é1', 'c'] });
      }),
      { numRuns: 60 },
    );
  });
});

describe('transcriptOf', () => {
  const input = (more: object) =>
    decodeInput(bytesOf({ session_id: 's', hook_event_name: 'Stop', cwd: '/', model: 'gpt', ...more }));

  test('a session without a record has none', () => {
    expect(transcriptOf(input({ transcript_path: null }))).toBeNull();
  });

  test('a subagent’s own beside the session’s', () => {
    const source = transcriptOf(input({ transcript_path: '/a', agent_transcript_path: '/b' }));
    expect(source?.files).toEqual(['/a', '/b']);
    expect(source?.read('/nowhere', 0, 'x')).toMatchObject({ offset: 0, turns: 0, lastMessage: 'x' });
  });

  test('the model that the event names, where the record names none', () => {
    fs.writeFileSync(file, used('r1'));
    expect(transcriptOf(input({ transcript_path: file }))?.read(file, 0, null).model).toBe('gpt');
  });
});
