import { describe, expect, test } from 'vitest';
import type { HookEngine } from '../../../src/hooks/engine.ts';
import type { PostToolRequest } from '../../../src/hooks/requests.ts';
import { decodeInput } from '../../../src/hosts/codex/decode.ts';
import { settleEnded } from '../../../src/hosts/codex/settle.ts';
import { bytesOf, fixture, recorded } from '../support/recorded.ts';

const RECORD = fixture('codex', 'rollout.jsonl');
const calls = recorded('codex', 'hooks-results.jsonl').filter(({ label }) => label === 'PreToolUse');
const ids = calls.map(({ in: raw }) => String(raw.tool_use_id));
const nth = (text: string) =>
  ids[calls.findIndex(({ in: raw }) => JSON.stringify(raw.tool_input).includes(text))]!;

/** An engine that has these calls open, and keeps what it was told of their ends. */
function engineWith(open: readonly string[], alarm: string | null = null) {
  const told: PostToolRequest[] = [];
  const engine = {
    openCalls: async () => open,
    postToolUse: async (request: PostToolRequest) => {
      told.push(request);
      return { context: null, alarm };
    },
  } as unknown as HookEngine;
  return { engine, told };
}

const input = (more: object = {}) =>
  decodeInput(
    bytesOf({
      session_id: 's',
      hook_event_name: 'PreToolUse',
      cwd: '/home/dev/project',
      transcript_path: RECORD,
      tool_name: 'Bash',
      tool_input: { command: 'next' },
      tool_use_id: 'call_next',
      ...more,
    }),
  );
const settle = (open: readonly string[], isOver = false, more: object = {}, alarm: string | null = null) => {
  const { engine, told } = engineWith(open, alarm);
  const event = input(more);
  const origin = { sessionId: 's', host: 'codex', transcript: null };
  return settleEnded(event, origin, engine, isOver).then((said) => ({ said, told }));
};

describe('calls of which no hook heard the end', () => {
  test.each([
    ['a patch through a shell', 'heredoc.txt', true, 'shell'],
    ['a patch that does not apply', 'nothere', false, 'patch'],
    ['a server’s call that fails', '"fail"', false, 'unknown:mcp__rec__write_note'],
  ])('%s ends as the record says', async (_what, text, ok, tool) => {
    const { told } = await settle([nth(text)]);
    expect(told).toMatchObject([{ ok, call: { callId: nth(text) } }]);
    expect([tool, 'mcp__rec__write_note']).toContain(told[0]!.call.tool);
  });

  test('a command in a folder that is not there failed there', async () => {
    const id = ids[2]!;
    const { told } = await settle([id]);
    expect(told).toMatchObject([{ ok: false, call: { cwd: '/nonexistent', command: 'echo hi' } }]);
  });

  test('what must be heard is said', async () => {
    const { said } = await settle([nth('heredoc.txt')], false, {}, 'undone');
    expect(said).toBe('undone');
    expect((await settle([nth('heredoc.txt')])).said).toBeNull();
  });
});

describe('calls that are left alone', () => {
  test('the one that is asked about, and one that the record does not show', async () => {
    const { told } = await settle([ids[0]!, 'call_unknown'], false, { tool_use_id: ids[0] });
    expect(told).toEqual([]);
  });

  test('one that goes on, until the turn is over', async () => {
    const on = nth('sleep 1');
    expect((await settle([on])).told).toEqual([]);
    expect((await settle([on], true)).told).toMatchObject([{ ok: false, call: { callId: on } }]);
  });

  test('the session’s own, when a subagent has ended', async () => {
    const { told } = await settle([nth('heredoc.txt')], true, { agent_transcript_path: '/nowhere' });
    expect(told).toEqual([]);
  });

  test('all of them where there is no record', async () => {
    expect((await settle(ids, true, { transcript_path: null })).told).toEqual([]);
  });
});
