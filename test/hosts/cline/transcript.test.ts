import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTranscript, transcriptOf } from '../../../src/hosts/cline/transcript.ts';
import { temporaryFolder } from '../../support/ledger.ts';
import { fixture } from '../support/recorded.ts';

let base: string;
let file: string;
beforeAll(() => {
  base = temporaryFolder('record');
  file = `${base}/x.messages.json`;
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const response = (ts: number, more: object = {}) => ({
  role: 'assistant',
  ts,
  metrics: { inputTokens: 10, outputTokens: 2 },
  modelInfo: { id: 'm' },
  content: [],
  ...more,
});
const write = (...messages: unknown[]) => writeFileSync(file, JSON.stringify({ messages }));

test('a recorded run: the handshake counts in no budget (C-33)', () => {
  const read = readTranscript(fixture('cline', 'lead.messages.json'), 0, null);
  expect(read).toMatchObject({ turns: 5, tokens: 600, model: 'mock-model' });
  expect(read.calls).toHaveLength(6);
  expect(readTranscript(fixture('cline', 'agent.messages.json'), 0, null)).toMatchObject({
    turns: 2,
    tokens: 240,
  });
});

test('what was counted is not counted again, though the conversation was made shorter', () => {
  write(response(1), response(2));
  const first = readTranscript(file, 0, null);
  expect(first).toMatchObject({ turns: 2, tokens: 24, offset: 2 });
  write(response(2), response(3));
  expect(readTranscript(file, first.offset, null)).toMatchObject({ turns: 1, tokens: 12, offset: 3 });
});

test('what came from the cache is no new work', () => {
  const metrics = (cacheReadTokens: number) => ({
    metrics: { inputTokens: 10, outputTokens: 2, cacheReadTokens },
  });
  write(response(1, metrics(9)), response(2, metrics(500)));
  expect(readTranscript(file, 0, null).tokens).toBe(3 + 12);
});

test.each([['{'], ['[]'], ['{"messages":{}}'], ['{"messages":[null,7,{"role":"user"}]}']])(
  '%s counts nothing',
  (text) => {
    writeFileSync(file, text);
    expect(readTranscript(file, 5, 'x')).toEqual({
      offset: 5,
      turns: 0,
      tokens: 0,
      handshakes: [],
      model: null,
      lastMessage: 'x',
      calls: [],
    });
  },
);

test('a session id leads into no other folder', () => {
  expect(transcriptOf('../../etc')).toBeNull();
  expect(transcriptOf('1795283972509_9qtyi')?.files).toEqual([]);
});
