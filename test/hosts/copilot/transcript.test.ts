import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeCall, decodeInput } from '../../../src/hosts/copilot/decode.ts';
import { readTranscript, transcriptOf } from '../../../src/hosts/copilot/transcript.ts';
import { temporaryFolder } from '../../support/ledger.ts';
import { bytesOf, fixture } from '../support/recorded.ts';

let base: string;
let file: string;
beforeAll(() => {
  base = temporaryFolder('transcript');
  file = `${base}/events.jsonl`;
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const usage = (apiCallId: string, more: object = {}) =>
  `${JSON.stringify({ type: 'session.usage_record', data: { usage: { apiCallId, model: 'm', inputTokens: 10, outputTokens: 2, ...more } } })}\n`;

test('a recorded session: eleven exchanges, the handshake counts in no budget (C-33)', () => {
  expect(readTranscript(fixture('copilot', 'events.jsonl'), 0, null)).toMatchObject({
    turns: 10,
    tokens: 1200,
    model: 'mock-model',
  });
});

test('the calls that a response made have the ids that their hooks will have', () => {
  const payload = {
    sessionId: 's',
    cwd: '/w',
    toolName: 'create',
    toolArgs: { path: '/home/dev/project/src/components/new.ts', file_text: 'export const n = 1;\n' },
  };
  const { callId } = decodeCall(decodeInput(bytesOf(payload), 'preToolUse'));
  expect(readTranscript(fixture('copilot', 'events.jsonl'), 0, null).calls).toContain(callId);
});

test('reading goes on where it stopped; half a line waits; one that is cut is read anew', () => {
  writeFileSync(file, usage('a') + usage('b').slice(0, 20));
  const first = readTranscript(file, 0, null);
  expect(first).toMatchObject({ turns: 1, tokens: 12, lastMessage: 'a' });
  appendFileSync(file, usage('b').slice(20));
  expect(readTranscript(file, first.offset, 'a')).toMatchObject({ turns: 1, tokens: 12, lastMessage: 'b' });
  writeFileSync(file, usage('c'));
  expect(readTranscript(file, 1e6, 'b')).toMatchObject({ turns: 1, lastMessage: 'c' });
});

test('what came from the cache is no new work', () => {
  writeFileSync(file, usage('a', { cacheReadTokens: 9 }) + usage('b', { cacheReadTokens: 500 }));
  expect(readTranscript(file, 0, null).tokens).toBe(3 + 12);
});

test.each([
  ['no JSON', 'x\n'],
  ['no object', '7\n[]\nnull\n'],
  ['no data', '{"type":"session.usage_record"}\n'],
  ['numbers that are none', usage('a', { inputTokens: -5, outputTokens: '9' })],
])('%s counts no token', (_what, text) => {
  writeFileSync(file, text);
  expect(readTranscript(file, 0, null).tokens).toBe(0);
});

test('a file that is gone has nothing new, and counts from its beginning when it is back', () => {
  expect(readTranscript(`${base}/none`, 7, 'x')).toEqual({
    offset: 0,
    turns: 0,
    tokens: 0,
    handshakes: [],
    model: null,
    lastMessage: 'x',
    calls: [],
  });
});

test('a session id leads into no other folder', () => {
  expect(transcriptOf('../../etc')).toBeNull();
  expect(transcriptOf('5b993674-4fcf')?.files[0]).toMatch(
    /\/\.copilot\/session-state\/5b993674-4fcf\/events\.jsonl$/,
  );
});
