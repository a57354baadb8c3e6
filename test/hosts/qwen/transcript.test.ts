import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transcriptOf } from '../../../src/hosts/qwen/transcript.ts';
import { hookInput } from '../../../src/hosts/shared/decode/hook-input.ts';
import { temporaryFolder } from '../../support/ledger.ts';

const decodeInput = (bytes: Uint8Array) => hookInput('qwen', bytes);

const folder = temporaryFolder('qwen-transcript');
const main = `${folder}/chats/s-1.jsonl`;
const sub = `${folder}/subagents/s-1/agent-helper_1.jsonl`;
beforeAll(() => {
  mkdirSync(`${folder}/chats`, { recursive: true });
  mkdirSync(`${folder}/subagents/s-1`, { recursive: true });
  cpSync('fixtures/hosts/qwen/transcript.jsonl', main);
  cpSync('fixtures/hosts/qwen/transcript-subagent.jsonl', sub);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const source = (more: object = {}) =>
  transcriptOf(
    decodeInput(
      Buffer.from(
        JSON.stringify({
          hook_event_name: 'PreToolUse',
          session_id: 's-1',
          cwd: folder,
          transcript_path: main,
          ...more,
        }),
      ),
    ),
  );

test('a recorded conversation: ten responses of 120 tokens, three of them for the handshake', () => {
  const reading = source()?.read(main, 0, null);
  expect(reading).toMatchObject({ turns: 7, tokens: 840, model: 'mock-model' });
  expect(source()?.read(main, reading?.offset ?? 0, reading?.lastMessage ?? null)).toMatchObject({
    turns: 0,
    tokens: 0,
    calls: [],
  });
});

test('the call at hand is found by the model’s id and told by the host’s', () => {
  const asked = source()?.read(main, 0, null).calls[0];
  const ids = { tool_call_id: asked, tool_use_id: 'toolu_9' };
  expect(source(ids)?.read(main, 0, null).calls).toContain('toolu_9');
  // The second call of one response: the first one's event has read it.
  const read = source(ids)?.read(main, 0, null);
  const later = source(ids)?.read(main, read?.offset ?? 0, read?.lastMessage ?? null);
  expect(later).toMatchObject({ turns: 0, calls: ['toolu_9'] });
  expect(source({ ...ids, tool_call_id: 'call_x' })?.read(main, 0, null).calls).not.toContain('toolu_9');
});

test('a subagent’s own transcript: a response in two lines counts once', () => {
  const ofAgent = source({ agent_id: 'helper_1' });
  expect(ofAgent?.files).toEqual([main, sub]);
  expect(ofAgent?.read(sub, 0, null)).toMatchObject({ turns: 3, tokens: 360 });
});

test('an agent whose name is a path leads nowhere', () => {
  expect(source({ agent_id: '../../x' })?.files).toEqual([main]);
});
