import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Spoken, type SpokenCall, speak, WIRES, type Wire } from '../../fixtures/llm/answers.ts';
import { type RawUpstream, startRawUpstream } from '../../fixtures/llm/raw-upstream.ts';
import { GovernedProject } from '../e2e/support/governed.ts';
import { Conversation, LlmProxy } from './support/llm.ts';

let project: GovernedProject;
let upstream: RawUpstream;
let proxy: LlmProxy;

beforeEach(async () => {
  project = new GovernedProject();
  upstream = await startRawUpstream(() => ({ status: 500, pieces: ['no script'] }));
  proxy = await LlmProxy.start(project, upstream.url);
});

afterEach(async () => {
  await proxy.stop();
  await upstream.close();
  project.remove();
});

let ids = 0;

function selects(intent = 'INT-001'): Spoken {
  ids += 1;
  return { calls: [{ id: `call_s${ids}`, name: 'select_active_intent', args: { intent_id: intent } }] };
}

function writes(path: string): Spoken & { calls: SpokenCall[] } {
  ids += 1;
  return { calls: [{ id: `call_${ids}`, name: 'write_file', args: { path, content: `${ids}` } }] };
}

/** The model's responses from here on, in order. */
function says(wire: Wire, ...responses: readonly Spoken[]): void {
  let turn = 0;
  upstream.script = (request) =>
    speak(wire, request, responses[turn++] ?? { text: 'DONE' }, `m_${randomUUID()}`);
}

function talk(wire: Wire = 'anthropic', more: { session?: string; stream?: boolean; tools?: string[] } = {}) {
  return new Conversation(wire, proxy.url, { stream: true, ...more });
}

const shownTools = () =>
  (upstream.requests.at(-1)?.body.tools ?? []).map((tool: { name: string }) => tool.name);

describe('a session', () => {
  test('is known by its conversation where no header names it; another conversation is another session', async () => {
    const [one, two] = [talk(), talk()];
    says('anthropic', selects(), writes('src/components/a.ts'), { text: 'Done.' });
    const heard = await one.user('First task.');
    expect(heard.calls).toHaveLength(1);
    await one.results([{ id: heard.calls[0]?.id ?? '', text: 'ok' }]);
    expect(shownTools()).toEqual(['write_file', 'shell', 'select_active_intent']);
    says('anthropic', ...[1, 2, 3].map((n) => writes(`src/components/b${n}.ts`)));
    const other = await two.user('Second task.');
    expect(other.text).toContain('State Violation: Reasoning Intercept Required');
  });

  test('of the same words under another key is another session', async () => {
    says('anthropic', selects(), { text: 'Ready.' });
    await talk().user('The task.');
    const sessions = () =>
      new Set(project.log('tool_receipts.log').map(({ conversation_id }) => conversation_id));
    const before = sessions().size;
    await fetch(`${proxy.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'another' },
      body: upstream.requests[0]?.text.replace(/,\{"type":"text","text":"# Reason.*?"\}\]/, ']') ?? '',
    });
    expect(sessions().size).toBe(before + 1);
  });

  test('handshakes anew with each request of the user, and keeps it through a retry of one', async () => {
    const one = talk('anthropic', { session: 's' });
    says('anthropic', selects(), writes('src/components/a.ts'));
    const heard = await one.user('First.');
    // The client lost the answer on the way before its end: it sends the very same request again.
    await one.results([{ id: heard.calls[0]?.id ?? '', text: 'ok' }]);
    says('anthropic', { text: 'No tool.' });
    await one.user('Second.');
    // The list of tools never changes; the words of the state do.
    expect(shownTools()).toEqual(['write_file', 'shell', 'select_active_intent']);
    expect(upstream.requests.at(-1)?.text).toContain('INT-002');
  });

  test('goes on after an error of the upstream without another handshake', async () => {
    const one = talk('anthropic', { session: 's', stream: false });
    let turn = 0;
    upstream.script = (request) => {
      turn += 1;
      if (turn === 1) return speak('anthropic', request, selects());
      if (turn === 2)
        return {
          status: 529,
          pieces: ['{"type":"error","error":{"type":"overloaded_error","message":"busy"}}'],
        };
      return speak('anthropic', request, writes('src/components/a.ts'));
    };
    await expect(one.user('The task.')).rejects.toThrow(/529/);
    const heard = await one.go();
    expect(heard.calls).toHaveLength(1);
    expect(upstream.requests).toHaveLength(3);
    expect(shownTools()).toContain('write_file');
  });

  test('is not begun anew by a subagent that works while its parent waits', async () => {
    const parent = talk('anthropic', { session: 's', tools: ['write_file', 'agent'] });
    says('anthropic', selects(), {
      calls: [{ id: 'call_agent', name: 'agent', args: { prompt: 'Sub task' } }],
    });
    expect((await parent.user('The task.')).calls).toHaveLength(1);
    says('anthropic', writes('src/components/sub.ts'), { text: 'Sub done.' });
    const sub = talk('anthropic', { session: 's' });
    const heard = await sub.user('Sub task');
    expect(heard.calls.map(({ name }) => name)).toEqual(['write_file']);
    await sub.results([{ id: heard.calls[0]?.id ?? '', text: 'ok' }]);
    says('anthropic', writes('src/components/after.ts'));
    expect((await parent.results([{ id: 'call_agent', text: 'done' }])).calls).toHaveLength(1);
  });

  test('outlives the proxy: state is the engine’s, only the model’s memory of the handshake is gone', async () => {
    const one = talk('anthropic', { session: 's' });
    says('anthropic', selects(), writes('src/components/a.ts'));
    const heard = await one.user('The task.');
    project.put('src/components/a.ts', 'new');
    await proxy.stop();
    proxy = await LlmProxy.start(project, upstream.url);
    says('anthropic', writes('src/components/b.ts'));
    const next = new Conversation('anthropic', proxy.url, { stream: true, session: 's' });
    next.history.push(...one.history);
    expect((await next.results([{ id: heard.calls[0]?.id ?? '', text: 'ok' }])).calls).toHaveLength(1);
    expect(project.log('agent_trace.jsonl').map(({ path }) => path)).toEqual(['src/components/a.ts']);
  });

  test('side requests without tools leave it alone, and their calls come to nothing', async () => {
    const one = talk('chat', { session: 's' });
    says('chat', selects(), writes('src/components/a.ts'));
    const heard = await one.user('The task.');
    says('chat', { text: 'A title', ...writes('src/secret.ts') });
    const side = talk('chat', { session: 's', tools: [] });
    const title = await side.user('Give it a title.');
    expect(title.calls).toEqual([]);
    expect(title.text).toContain('Governance Violation: src/secret.ts');
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toContain('owned');
    says('chat', { text: 'Done.' });
    await one.results([{ id: heard.calls[0]?.id ?? '', text: 'ok' }]);
    expect(upstream.requests.at(-1)?.text).toContain('write_file');
  });
});

describe('the handshake inside an answer', () => {
  test('of a wrong intent is told to the model, which tries again', async () => {
    says('anthropic', selects('INT-999'), selects(), writes('src/components/a.ts'));
    const heard = await talk().user('The task.');
    expect(heard.calls).toHaveLength(1);
    expect(upstream.requests[1]?.text).toContain('unknown intent INT-999');
  });

  test('takes no call beside it along', async () => {
    const both: Spoken = { calls: [...(selects().calls ?? []), ...writes('src/components/early.ts').calls] };
    says('responses', both, { text: 'Then nothing.' });
    const heard = await talk('responses').user('The task.');
    expect(heard.calls).toEqual([]);
    expect(upstream.requests[1]?.text).toContain('State Violation: Reasoning Intercept Required');
    expect(heard.text).toBe('Then nothing.');
  });

  test('is tried eight times and no more', async () => {
    let turn = 0;
    upstream.script = (request) => speak('chat', request, selects(`INT-${900 + turn++}`));
    const heard = await talk('chat').user('The task.');
    expect(upstream.requests).toHaveLength(8);
    expect(heard.calls).toEqual([]);
    expect(heard.stop).toBe('stop');
    expect(heard.text).toContain('the handshake was not completed');
  });

  test('shows the model its new scope when it selects again in the middle of the work', async () => {
    says('anthropic', selects(), writes('src/components/a.ts'));
    const one = talk('anthropic', { session: 's' });
    const heard = await one.user('The task.');
    says('anthropic', selects('INT-002'), writes('src/components/a.ts'));
    const next = await one.results([{ id: heard.calls[0]?.id ?? '', text: 'ok' }]);
    expect(next.text).toContain('outside the owned_scope of Intent INT-002');
  });
});

describe('limits', () => {
  test('turns are counted by responses: the third is one too many', async () => {
    project.edit(
      '    acceptance_criteria: []\n    x-team',
      '    acceptance_criteria: []\n    budget: {max_turns: 2}\n    x-team',
    );
    says(
      'responses',
      selects(),
      writes('src/components/1.ts'),
      writes('src/components/2.ts'),
      writes('src/components/3.ts'),
    );
    const one = talk('responses', { session: 's' });
    let heard = await one.user('Work.');
    for (let turn = 0; turn < 2; turn += 1) {
      expect(heard.calls).toHaveLength(1);
      heard = await one.results([{ id: heard.calls[0]?.id ?? '', text: 'ok' }]);
    }
    expect(heard.calls).toEqual([]);
    expect(heard.text).toContain('Budget Exhausted: Intent INT-001 has used its 2 turns');
    expect(project.json<{ usage: { turns: number } }>('intent', 'show', 'INT-001').usage.turns).toBe(3);
  });

  test('two calls in one response are one turn', async () => {
    project.edit(
      '    acceptance_criteria: []\n    x-team',
      '    acceptance_criteria: []\n    budget: {max_turns: 1}\n    x-team',
    );
    says('chat', selects(), {
      calls: [...writes('src/components/1.ts').calls, ...writes('src/components/2.ts').calls],
    });
    expect((await talk('chat').user('Work.')).calls).toHaveLength(2);
  });

  test('the fourth identical call ends the session, and only a human sets it free', async () => {
    const same = () => ({
      calls: [{ id: `call_${++ids}`, name: 'write_file', args: { path: 'src/components/a.ts' } }],
    });
    says('anthropic', selects(), same(), same(), same(), same());
    const one = talk('anthropic', { session: 's' });
    let heard = await one.user('Work.');
    for (let turn = 0; turn < 3; turn += 1) {
      expect(heard.calls).toHaveLength(1);
      heard = await one.results([{ id: heard.calls[0]?.id ?? '', text: 'ok' }]);
    }
    expect(heard.calls).toEqual([]);
    expect(heard.text).toMatch(/loop/i);
    says('anthropic', selects(), same());
    expect((await one.user('Go on.')).text).toContain('Session Halted');
    project.edit(/BLOCKED.*(\n.*blocked_reason:.*)?/, 'IN_PROGRESS');
    says('anthropic', selects(), same());
    expect((await one.user('I have looked; go on.')).calls).toHaveLength(1);
  });

  test('where no usage is reported it is estimated, never taken for nothing', async () => {
    says('chat', selects(), { ...writes('src/components/1.ts'), mute: true });
    await talk('chat').user('Work.');
    const { usage } = project.json<{ usage: { tokens: number } }>('intent', 'show', 'INT-001');
    expect(usage.tokens).toBeGreaterThan(100);
  });
});

describe('an answer without calls', () => {
  const used = () =>
    project.json<{ usage: { turns: number; tokens: number } }>('intent', 'show', 'INT-001').usage;

  test('is counted soon after it, once', async () => {
    says('chat', selects(), { text: 'Only words.', input: 70, output: 7 });
    await talk('chat').user('Explain.');
    for (let tries = 0; tries < 60 && used().turns === 0; tries += 1)
      await new Promise((r) => setTimeout(r, 100));
    expect(used()).toMatchObject({ turns: 1, tokens: 77 });
  });

  test('is counted when the proxy ends right after it', async () => {
    says('responses', selects(), { text: 'Only words.', input: 70, output: 7 });
    await talk('responses').user('Explain.');
    await proxy.stop();
    expect(used()).toMatchObject({ turns: 1, tokens: 77 });
  });

  test('is counted before the next request’s call is judged', async () => {
    project.edit(
      '    acceptance_criteria: []\n    x-team',
      '    acceptance_criteria: []\n    budget: {max_tokens: 100}\n    x-team',
    );
    says(
      'anthropic',
      selects(),
      { text: 'Words.', input: 99, output: 9 },
      selects(),
      writes('src/components/a.ts'),
    );
    const one = talk('anthropic', { session: 's' });
    await one.user('Explain.');
    const heard = await one.user('Now do it.');
    expect(heard.calls).toEqual([]);
    expect(heard.text).toContain('Budget Exhausted');
  });
});

describe('near the end of the context', () => {
  test('old results are left out, the scope and the request stay, the ledger is not touched, a receipt says so', async () => {
    await proxy.stop();
    proxy = await LlmProxy.start(project, upstream.url, '--context-tokens', '4000');
    const one = talk('anthropic', { session: 's' });
    upstream.script = (request, turn) =>
      speak('anthropic', request, turn === 0 ? selects() : writes(`src/components/f${turn}.ts`));
    let heard = await one.user('The request, word for word.');
    const ledger: number[] = [];
    for (let turn = 1; turn <= 12; turn += 1) {
      project.put(`src/components/f${turn}.ts`, 'x');
      ledger.push(project.text('.orchestration/agent_trace.jsonl').length);
      heard = await one.results([
        { id: heard.calls[0]?.id ?? '', text: `result ${turn} ${'y'.repeat(1_500)}` },
      ]);
    }
    const sent = upstream.requests.at(-1)?.text ?? '';
    expect(sent.length / 3.6).toBeLessThan(4_000);
    for (const kept of [
      'The request, word for word.',
      'Components stay free of network access',
      'result 12 y',
    ])
      expect(sent).toContain(kept);
    expect(sent).toContain('It began: result 1 y');
    expect(ledger).toEqual([...ledger].sort((a, b) => a - b));
    const [receipt] = project.log('tool_receipts.log').filter(({ tool }) => tool === 'pactclaw.pre_compact');
    expect(receipt?.note).toMatch(/^4 old results left out: about \d+ tokens before, \d+ after$/);
    expect(project.cli('receipt', 'verify').code).toBe(0);
  });
});

describe('when governance is broken', () => {
  test.each(WIRES)('%s: no call comes out, text does', async (wire) => {
    project.put('.orchestration/active_intents.yaml', 'active_intents: [');
    says(wire, { text: 'I can explain.', ...writes('src/components/a.ts') });
    const heard = await talk(wire).user('Work.');
    expect(heard.calls).toEqual([]);
    expect(heard.text).toContain('I can explain.');
    expect(heard.text).toContain('Fail-Safe Default');
    says(wire, selects());
    expect((await talk(wire).user('Again.')).text).toContain('Fail-Safe Default');
  });
});

describe('what the provider would run by itself', () => {
  const body = {
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [
      { name: 'own', input_schema: { type: 'object' } },
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'bash_20250124', name: 'bash' },
    ],
    mcp_servers: [{ type: 'url', url: 'https://mcp.example' }],
  };
  const send = (url: string, session: string) =>
    fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-pactclaw-session': session },
      body: JSON.stringify(body),
    }).then((response) => response.text());

  test('is taken out of the request', async () => {
    says('anthropic', selects(), { text: 'ok' });
    await send(proxy.url, 's');
    expect(shownTools()).toEqual(['own', 'bash', 'select_active_intent']);
    expect(upstream.requests.at(-1)?.body.mcp_servers).toBeUndefined();
  });

  test('stays where the human who starts the proxy says so', async () => {
    const loose = await LlmProxy.start(project, upstream.url, '--allow-provider-tool', 'web_search');
    says('anthropic', selects(), { text: 'ok' });
    await send(loose.url, 't');
    expect(shownTools()).toEqual(['own', 'web_search', 'bash', 'select_active_intent']);
    await loose.stop();
  });
});

describe('responses that the provider keeps', () => {
  const ask = async (more: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${proxy.url}/v1/responses`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        model: 'm',
        tools: [{ type: 'function', name: 'write_file', parameters: { type: 'object' } }],
        ...more,
      }),
    });
    return (await response.json()) as {
      id: string;
      output: { type: string; call_id?: string }[];
      error?: { message: string };
    };
  };

  test('are gone on from where they really ended, in the same session, with what the model is owed', async () => {
    const refused = writes('src/secret.ts');
    const allowed = writes('src/components/a.ts');
    says('responses', selects(), { calls: [...refused.calls, ...allowed.calls] }, { text: 'Done.' });
    const first = await ask({ input: 'The task.' });
    const call = first.output.find(({ type }) => type === 'function_call');
    expect(call?.call_id).toBe(allowed.calls[0]?.id);
    const output = { type: 'function_call_output', call_id: call?.call_id, output: 'ok' };
    await ask({ previous_response_id: first.id, input: [output] });
    const sent = upstream.requests.at(-1)?.body;
    expect(sent.previous_response_id).not.toBe(first.id);
    expect(sent.input[0]).toMatchObject({ type: 'function_call_output', call_id: refused.calls[0]?.id });
    expect(sent.input[1]).toMatchObject(output);
    expect(sent.tools).toHaveLength(2);
  });

  test.each([
    [{ background: true }, 'in the background'],
    [{ conversation: 'conv_1' }, 'a stored conversation'],
    [{ prompt: { id: 'pmpt_1' } }, 'a stored prompt'],
  ])('%j cannot be governed', async (more, words) => {
    const { error } = await ask({ input: 'Hi', ...more });
    expect(error?.message).toContain(words);
    expect(upstream.requests).toHaveLength(0);
  });
});
