import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASKS_FOR_CALL, eventsOf, type Spoken, WIRES } from '../../../fixtures/llm/answers.ts';
import { WireFault } from '../../../src/models/shapes.ts';
import type { Answer, Verdict } from '../../../src/proxy/llm/wire.ts';
import { runs } from '../../support/runs.ts';
import { ASSEMBLE } from './assemble.ts';
import { PROTOCOLS } from './protocols.ts';

const BODY = { stream: true, stream_options: { include_usage: true }, store: false };

/** A text cut into pieces at the given places. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
}

const word = fc.stringMatching(/^[\w \n"{}é\u{1F600}-]{1,40}$/u);
const spoken = fc
  .record({
    thinking: fc.option(word, { nil: undefined }),
    text: fc.option(word, { nil: undefined }),
    calls: fc.array(
      fc.record({ name: fc.constantFrom('write', 'shell', 'read'), args: fc.dictionary(word, word) }),
      {
        maxLength: 4,
      },
    ),
    grain: fc.integer({ min: 1, max: 30 }),
  })
  .map(({ calls, ...rest }) => ({
    ...rest,
    calls: calls.map((call, at) => ({ ...call, id: `call_${at}` })),
  })) as fc.Arbitrary<Spoken>;

function play(
  answer: Answer,
  pieces: readonly string[],
  verdicts: readonly boolean[],
): { early: string; all: string } {
  const early = pieces.map((piece) => answer.take(piece)).join('');
  const { calls } = answer.endRound();
  const words = calls.map(
    (_, at): Verdict => (verdicts[at] ? { allowed: true } : { allowed: false, text: `refused ${at}.` }),
  );
  return { early, all: early + answer.finish(words) };
}

describe.each(WIRES)('%s stream', (wire) => {
  const open = () => PROTOCOLS[wire].answer(BODY, true);
  const assemble = ASSEMBLE[wire];

  test('however the bytes are cut, the same comes out: allowed calls whole, refusals as text, contiguous', () => {
    fc.assert(
      fc.property(
        spoken,
        fc.array(fc.nat(), { maxLength: 30 }),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        fc.constantFrom('\n', '\r\n'),
        (said, places, verdicts, newline) => {
          const whole = eventsOf(wire, said).join('').replaceAll('\n', newline);
          const once = play(open(), [whole], verdicts);
          expect(play(open(), cut(whole, places), verdicts).all).toBe(once.all);
          const heard = assemble(once.all.replaceAll('\r\n', '\n'));
          const calls = said.calls ?? [];
          expect(heard.calls).toEqual(
            calls
              .filter((_, at) => verdicts[at])
              .map(({ id, name, args }) => ({ id, name, args: JSON.stringify(args) })),
          );
          for (const at of calls.keys()) if (!verdicts[at]) expect(heard.text).toContain(`refused ${at}.`);
          expect(heard.text.startsWith(said.text ?? '')).toBe(true);
          expect(heard.order).toEqual(heard.order.map((_, at) => at));
          expect(heard.ended).toBe(true);
          const acts = heard.calls.length > 0;
          const ends = {
            anthropic: ['tool_use', 'end_turn'],
            chat: ['tool_calls', 'stop'],
            gemini: ['STOP', 'STOP'],
            responses: ['completed', 'completed'],
          };
          expect(heard.stop).toBe(ends[wire][acts ? 0 : 1]);
          // Nothing of a call is out before the verdict.
          expect(once.early).not.toMatch(/call_\d|tool_use|function_call|tool_calls|functionCall/);
          // Speech is out before the verdict.
          const speaks = {
            anthropic: /text_delta/,
            chat: /"content":"[^"]/,
            gemini: /\{"text":"(?:[^"\\]|\\.)+"\}/,
            responses: /output_text\.delta/,
          };
          expect(speaks[wire].test(once.early)).toBe((said.text ?? '') !== '');
        },
      ),
      { numRuns: runs(150) },
    );
  });

  test('without tool calls a stream goes on byte for byte', () => {
    fc.assert(
      fc.property(spoken, (said) => {
        const whole = eventsOf(wire, { ...said, calls: [] }).join('');
        const heard = play(open(), [whole], []).all;
        if (wire === 'anthropic' || wire === 'gemini') expect(heard).toBe(whole);
        expect(assemble(heard)).toEqual(assemble(whole));
      }),
      { numRuns: 50 },
    );
  });

  test('rounds that stay hidden leave one ordinary answer behind', () => {
    fc.assert(
      fc.property(spoken, spoken, (first, second) => {
        const answer = open();
        let out = answer.take(eventsOf(wire, { ...first, input: 11, output: 3 }, 'r_1').join(''));
        expect(answer.endRound().complete).toBe(true);
        out += answer.nextRound();
        out += answer.take(eventsOf(wire, { ...second, input: 30, output: 4 }, 'r_2').join(''));
        const { calls } = answer.endRound();
        out += answer.finish(calls.map(() => ({ allowed: true })));
        const heard = assemble(out);
        expect(heard.calls.map(({ name }) => name)).toEqual((second.calls ?? []).map(({ name }) => name));
        expect(heard.order).toEqual(heard.order.map((_, at) => at));
        const parts = [first.text, second.text].filter((text) => text !== undefined);
        expect(heard.text).toBe(parts.join(wire === 'chat' || wire === 'gemini' ? '' : '|'));
        expect(out).not.toMatch(/"(id|response_id|responseId)":"r_2"/);
        const cached = wire === 'anthropic' ? 0 : 14;
        const usage = heard.usage ?? {};
        expect(usage.output_tokens ?? usage.completion_tokens ?? usage.candidatesTokenCount).toBe(7);
        expect(usage.input_tokens ?? usage.prompt_tokens ?? usage.promptTokenCount).toBe(41 + cached);
      }),
      { numRuns: 50 },
    );
  });

  test('a stream cut anywhere lets no call out and is not complete', () => {
    const whole = eventsOf(wire, {
      text: 'one two three',
      calls: [{ id: 'call_0', name: 'write', args: { a: 1 } }],
    }).join('');
    const ENDS = {
      anthropic: 'event: message_stop',
      chat: '"finish_reason":"tool_calls"',
      gemini: '"finishReason"',
      responses: 'event: response.completed',
    };
    const last = whole.lastIndexOf(ENDS[wire]);
    for (let end = 0; end < last; end += 7) {
      const answer = open();
      expect(answer.take(whole.slice(0, end))).not.toContain('call_0');
      expect(answer.endRound().complete).toBe(false);
    }
  });

  test('a missing verdict is a refusal', () => {
    const answer = open();
    const early = answer.take(
      eventsOf(wire, { calls: [{ id: 'call_0', name: 'write', args: {} }] }).join(''),
    );
    answer.endRound();
    const heard = assemble(early + answer.finish([]));
    expect(heard.calls).toEqual([]);
    expect(heard.text).toContain('Refused');
  });

  test.each(['data: {not json}\n\n', 'data: []\n\n', 'data: 7\n\n'])(
    'an event that cannot be read is a fault: %s',
    (bad) => {
      const answer = open();
      answer.take(
        eventsOf(wire, { text: 'a', calls: [{ id: 'call_0', name: 'write', args: {} }] })
          .slice(0, 3)
          .join(''),
      );
      expect(() => answer.take(bad)).toThrow(WireFault);
    },
  );

  test.each([':', 'id:', 'event:', 'retry:', 'Data:', 'data :'])(
    'a call behind %s does not come out',
    (field) => {
      const [first = '', ...rest] = eventsOf(wire, {
        text: 'a',
        calls: [{ id: 'call_0', name: 'write', args: {} }],
      });
      const answer = open();
      const out = [first, ...rest.map((event) => event.replace('data:', field))].map((event) =>
        answer.take(event),
      );
      expect(out.join('')).not.toContain('call_0');
    },
  );

  test('what keeps a connection alive goes on', () => {
    expect(open().take(': still here\n\n')).toBe(': still here\n\n');
  });

  test('garbage never makes a call come out', () => {
    fc.assert(
      fc.property(
        spoken,
        fc.array(fc.tuple(fc.nat(), fc.nat(), fc.string()), { maxLength: 5 }),
        (said, edits) => {
          let text = eventsOf(wire, said).join('');
          for (const [from, length, put] of edits) {
            const at = from % text.length;
            text = text.slice(0, at) + put + text.slice(at + (length % 40));
          }
          const answer = open();
          let out = '';
          try {
            out = answer.take(text);
            const { calls } = answer.endRound();
            out += answer.finish(calls.map(() => ({ allowed: false, text: 'no' })));
          } catch (error) {
            expect(error).toBeInstanceOf(WireFault);
          }
          // An id may stand in text that an edit has made of it, never in a call.
          expect(out.split('\n').filter((line) => ASKS_FOR_CALL.test(line))).toEqual([]);
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});

describe.each(WIRES.filter((wire) => wire !== 'gemini'))('%s, whose arguments are text in pieces', (wire) => {
  const open = () => PROTOCOLS[wire].answer(BODY, true);
  const assemble = ASSEMBLE[wire];

  test('arguments that are no JSON object are a fault, never a call', () => {
    for (const raw of ['{"a":', '[1]', '"text"', 'null', '{"a":1}{"b":2}', '1e999x']) {
      const answer = open();
      answer.take(eventsOf(wire, { calls: [{ id: 'call_0', name: 'write', args: {}, raw }] }).join(''));
      const [call] = answer.endRound().calls;
      expect(call).toMatchObject({ id: 'call_0', args: null });
      expect(call?.fault).toMatch(/JSON/);
    }
  });

  test('a call split over a thousand deltas is one call', () => {
    const args = { content: 'x'.repeat(990) };
    const answer = open();
    const events = eventsOf(wire, { calls: [{ id: 'call_0', name: 'write', args }], grain: 1 });
    expect(events.length).toBeGreaterThan(1_000);
    const early = events.map((event) => answer.take(event)).join('');
    expect(early).not.toContain('call_0');
    expect(answer.endRound().calls).toMatchObject([{ id: 'call_0', args }]);
    expect(assemble(early + answer.finish([{ allowed: true }])).calls).toEqual([
      { id: 'call_0', name: 'write', args: JSON.stringify(args) },
    ]);
  });
});
