import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTranscript, transcriptOf } from '../../../src/hosts/claude-code/transcript.ts';
import { temporaryFolder } from '../../support/ledger.ts';

let base: string;
let file: string;
beforeAll(() => {
  base = temporaryFolder('transcript');
  file = `${base}/t.jsonl`;
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Response {
  readonly id: string;
  readonly tokens?: number;
  readonly tool?: string;
  readonly model?: string;
}

function line({ id, tokens = 10, tool, model = 'm' }: Response): string {
  const usage = {
    input_tokens: tokens,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 9e6,
  };
  const content =
    tool === undefined ? [{ type: 'text', text: 'é' }] : [{ type: 'tool_use', id: `call-${id}`, name: tool }];
  return `${JSON.stringify({ type: 'assistant', message: { id, model, usage, content } })}\n`;
}

describe('readTranscript', () => {
  test('counts a response once, however many lines it takes; cached tokens are none', () => {
    writeFileSync(file, line({ id: 'a' }) + line({ id: 'a', tool: 'Bash' }) + line({ id: 'b', tokens: 5 }));
    expect(readTranscript(file, 0, null)).toMatchObject({
      turns: 2,
      tokens: 15,
      model: 'm',
      lastMessage: 'b',
      calls: ['call-a'],
    });
  });

  test('the handshake counts in no budget (C-33)', () => {
    writeFileSync(file, line({ id: 'a', tool: 'mcp__pactclaw__select_active_intent' }) + line({ id: 'b' }));
    expect(readTranscript(file, 0, null)).toMatchObject({ turns: 1, tokens: 10 });
  });

  test('what is no response counts as nothing', () => {
    writeFileSync(file, ['{"type":"user"}', 'no json', '[]', '', '{"type":"assistant"}', '{"type":"assistant","message":{"id":7}}', line({ id: 'x', model: '<synthetic>' }).trim()].join('\n').concat('\n')); // biome-ignore format: one list
    expect(readTranscript(file, 0, null)).toMatchObject({ turns: 0, tokens: 0 });
  });

  test('negative and absurd usage is none', () => {
    const usage = { input_tokens: -5, output_tokens: 'many', cache_creation_input_tokens: null };
    writeFileSync(
      file,
      `${JSON.stringify({ type: 'assistant', message: { id: 'a', usage, content: 'x' } })}\n`,
    );
    expect(readTranscript(file, 0, null)).toMatchObject({ turns: 1, tokens: 0 });
  });

  test('a file that is gone gives nothing, one that was cut is read from its beginning', () => {
    expect(readTranscript(`${base}/none`, 0, null)).toMatchObject({ turns: 0, offset: 0 });
    expect(readTranscript(`${base}/none`, 9_999, 'z')).toMatchObject({
      turns: 0,
      offset: 0,
      lastMessage: 'z',
    });
    writeFileSync(file, line({ id: 'a' }));
    expect(readTranscript(file, 9_999, 'z')).toMatchObject({ turns: 1, lastMessage: 'a' });
  });

  test('read in any portions it comes to the same', () => {
    const ids = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(ids, fc.infiniteStream(fc.integer({ min: 1, max: 400 })), (repeats, sizes) => {
        const text = Buffer.from(
          repeats.flatMap((times, at) => Array(times).fill(line({ id: `m${at}`, tokens: at + 1 }))).join(''),
        );
        writeFileSync(file, '');
        let at = 0;
        let mark = { offset: 0, lastMessage: null as string | null };
        let [turns, tokens] = [0, 0];
        while (at < text.length) {
          const size = sizes.next().value as number;
          appendFileSync(file, text.subarray(at, at + size));
          at += size;
          const reading = readTranscript(file, mark.offset, mark.lastMessage);
          mark = reading;
          turns += reading.turns;
          tokens += reading.tokens;
        }
        expect(turns).toBe(repeats.length);
        expect(tokens).toBe(repeats.reduce((sum, _, index) => sum + index + 1, 0));
        expect(mark.offset).toBe(text.length);
      }),
      { numRuns: 30 },
    );
  });
});

describe('transcriptOf', () => {
  const input = { event: 'x', sessionId: 's', cwd: '/', raw: {} };
  test('names the session file and a subagent beside it, never a path that an id makes up', () => {
    expect(transcriptOf({ ...input, transcriptPath: null, agentId: null })).toBeNull();
    expect(transcriptOf({ ...input, transcriptPath: '/t/s.jsonl', agentId: 'a1' })?.files).toEqual([
      '/t/s.jsonl',
      '/t/s/subagents/agent-a1.jsonl',
    ]);
    expect(transcriptOf({ ...input, transcriptPath: '/t/s.jsonl', agentId: '../../x' })?.files).toEqual([
      '/t/s.jsonl',
    ]);
  });

  test('a transcript that cannot be read counts as nothing seen', () => {
    const source = transcriptOf({ ...input, transcriptPath: base, agentId: null });
    expect(source?.read(base, 3, 'z')).toMatchObject({ offset: 3, turns: 0, tokens: 0, lastMessage: 'z' });
  });
});
