import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeCall } from '../../../src/hosts/gemini/decode.ts';
import { transcriptOf } from '../../../src/hosts/gemini/transcript.ts';
import { hookInput } from '../../../src/hosts/shared/decode/hook-input.ts';
import { temporaryFolder } from '../../support/ledger.ts';

const decodeInput = (bytes: Uint8Array) => hookInput('gemini', bytes);

const folder = temporaryFolder('gemini-transcript');
const main = `${folder}/chats/session-2026-1.jsonl`;
const sub = `${folder}/chats/s-1/agent.jsonl`;
beforeAll(() => {
  mkdirSync(`${folder}/chats/s-1`, { recursive: true });
  cpSync('fixtures/hosts/gemini/transcript.jsonl', main);
  cpSync('fixtures/hosts/gemini/transcript-subagent.jsonl', sub);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const input = (tool_name: string, more: object = {}) =>
  decodeInput(
    Buffer.from(
      JSON.stringify({
        hook_event_name: 'BeforeTool',
        session_id: 's-1',
        cwd: folder,
        transcript_path: main,
        tool_name,
        tool_input: { file_path: `${folder}/a`, intent_id: 'A' },
        ...more,
      }),
    ),
  );
const write = input('write_file');
const writeCall = decodeCall(write);

test('a recorded conversation: ten responses of 120 tokens, two of them handshakes and one that failed to be one', () => {
  const reading = transcriptOf(write, writeCall)?.read(main, 0, null);
  // Handshakes count in no budget, whether they were accepted or not (C-33).
  expect(reading).toMatchObject({ turns: 7, tokens: 840, model: 'gemini-2.5-flash' });
  expect(reading?.calls).toEqual([writeCall.callId]);
  const again = transcriptOf(write, writeCall)?.read(
    main,
    reading?.offset ?? 0,
    reading?.lastMessage ?? null,
  );
  expect(again).toMatchObject({ turns: 0, tokens: 0, calls: [writeCall.callId] });
});

test('a subagent’s own transcript is read too', () => {
  expect(transcriptOf(write)?.files).toEqual([main, sub]);
  expect(transcriptOf(write)?.read(sub, 0, null)).toMatchObject({ turns: 4, tokens: 480, calls: [] });
});

test('the response that asks for the handshake counts in no budget, though its call is not written yet', () => {
  const context = { mcp_context: { server_name: 'pactclaw', tool_name: 'select_active_intent' } };
  const handshake = input('mcp_pactclaw_select_active_intent', context);
  const reading = transcriptOf(handshake, decodeCall(handshake))?.read(main, 0, null);
  expect(reading).toMatchObject({ turns: 6, tokens: 720 });
});

test.each([
  ['a missing transcript', `${folder}/none.jsonl`],
  ['a folder', folder],
])('%s has nothing new', (_what, file) => {
  expect(transcriptOf(write, writeCall)?.read(file, 0, null)).toMatchObject({
    turns: 0,
    tokens: 0,
    calls: [],
  });
});

test('a session whose name is a path leads nowhere', () => {
  const odd = input('write_file', { session_id: '../s-1' });
  expect(transcriptOf(odd)?.files).toEqual([main]);
});
