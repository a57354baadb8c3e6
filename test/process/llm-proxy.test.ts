import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Spoken, type SpokenCall, speak, type Wire } from '../../fixtures/llm/answers.ts';
import { type RawUpstream, startRawUpstream } from '../../fixtures/llm/raw-upstream.ts';
import { GovernedProject } from '../e2e/support/governed.ts';
import { Conversation, KEY, LlmProxy } from './support/llm.ts';

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

const SELECT: Spoken = {
  text: 'First the intent. ',
  calls: [
    { id: 'call_select', name: 'select_active_intent', args: { intent_id: 'INT-001', reasoning: 'it fits' } },
  ],
  input: 50,
  output: 5,
};

function write(id: string, path: string): SpokenCall[] {
  return [{ id, name: 'write_file', args: { path, content: 'x' } }];
}

/** The model's responses in order. */
function says(wire: Wire, ...responses: readonly Spoken[]): void {
  upstream.script = (request, turn) => speak(wire, request, responses[turn] ?? { text: 'DONE' }, `m_${turn}`);
}

interface Named {
  readonly name?: string;
  readonly function?: { readonly name: string };
  readonly functionDeclarations?: readonly Named[];
}

function toolNames(body: { tools?: readonly Named[] }): string[] {
  const tools = (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? [tool]);
  return tools.map((tool) => tool.name ?? tool.function?.name ?? '?');
}

const WIRES: readonly (readonly [Wire, boolean])[] = [
  ['anthropic', true],
  ['anthropic', false],
  ['chat', true],
  ['chat', false],
  ['gemini', true],
  ['gemini', false],
  ['responses', true],
  ['responses', false],
];

describe.each(WIRES)('%s, stream %s', (wire, stream) => {
  const talk = () => new Conversation(wire, proxy.url, { stream, session: `s-${wire}-${stream}` });
  const isEnd = (stop: string | null) => expect(['end_turn', 'stop', 'completed', 'STOP']).toContain(stop);

  test('one ordinary answer: the handshake stays inside, the call that is allowed comes out unchanged', async () => {
    says(
      wire,
      SELECT,
      { text: 'Now the file.', calls: write('call_w', 'src/components/new.ts') },
      { text: 'Done.' },
    );
    const one = talk();
    const heard = await one.user('Add a component.');
    expect(heard.calls).toEqual([
      { id: 'call_w', name: 'write_file', args: { path: 'src/components/new.ts', content: 'x' } },
    ]);
    expect(heard.text).toContain('First the intent. ');
    expect(heard.text).toContain('Now the file.');
    expect(['tool_use', 'tool_calls', 'completed', 'STOP']).toContain(heard.stop);
    expect(heard.output).toBe(25);
    // The model was shown the same tools before and after, and the words of its state.
    expect(upstream.requests.map(({ body }) => toolNames(body))).toEqual([
      ['write_file', 'shell', 'select_active_intent'],
      ['write_file', 'shell', 'select_active_intent'],
    ]);
    expect(upstream.requests[0]?.text).toContain('INT-002');
    expect(upstream.requests[0]?.text).not.toContain('Components stay free of network access');
    expect(upstream.requests[1]?.text).toContain('Components stay free of network access');
    // The answer of the handshake is the model's alone.
    expect(upstream.requests[1]?.text).toContain('call_select');
    expect(JSON.stringify(one.history)).not.toContain('call_select');

    project.put('src/components/new.ts', 'x');
    const end = await one.results([{ id: 'call_w', text: 'written' }]);
    expect(end).toMatchObject({ text: 'Done.', calls: [] });
    // It keeps its memory of the handshake, in its place before what came after it.
    const sent = upstream.requests[2]?.text ?? '';
    expect(sent.indexOf('call_select')).toBeGreaterThan(0);
    expect(sent.indexOf('call_select')).toBeLessThan(sent.indexOf('"call_w"'));
    const receipts = project.log('tool_receipts.log');
    expect(receipts.filter(({ call_id }) => call_id === 'call_w').map(({ phase }) => phase)).toEqual([
      'pre',
      'post',
    ]);
    expect(project.log('agent_trace.jsonl').map(({ path }) => path)).toEqual(['src/components/new.ts']);
  });

  test('a refused call comes out as the refusal, and the turn ends', async () => {
    says(wire, SELECT, { text: 'Now.', calls: write('call_out', 'src/secret.ts') });
    const heard = await talk().user('Change the secret.');
    expect(heard.calls).toEqual([]);
    expect(heard.text).toContain(
      'Governance Violation: src/secret.ts is outside the owned_scope of Intent INT-001',
    );
    isEnd(heard.stop);
    expect(project.violations().map(({ kind }) => kind)).toEqual(['scope']);
  });

  test('two calls in one answer, one of them refused', async () => {
    says(wire, SELECT, {
      calls: [...write('call_in', 'src/components/a.ts'), ...write('call_out', 'src/secret.ts')],
    });
    const heard = await talk().user('Change both.');
    expect(heard.calls.map(({ id }) => id)).toEqual(['call_in']);
    expect(heard.text).toContain('Governance Violation: src/secret.ts');
    expect(['tool_use', 'tool_calls', 'completed', 'STOP']).toContain(heard.stop);
  });

  test('without a handshake nothing comes out: the model is reminded twice, then the client is told', async () => {
    const early = (n: number): Spoken => ({
      text: 'At once.',
      calls: write(`call_${n}`, 'src/components/a.ts'),
    });
    says(wire, early(1), early(2), early(3), early(4));
    const heard = await talk().user('Go.');
    expect(heard.calls).toEqual([]);
    expect(heard.text).toContain('State Violation: Reasoning Intercept Required');
    isEnd(heard.stop);
    expect(upstream.requests).toHaveLength(3);
  });

  test('a call before the handshake is refused inside, the model shakes hands and goes on', async () => {
    says(wire, { calls: write('call_early', 'src/components/a.ts') }, SELECT, {
      text: 'Now.',
      calls: write('call_w', 'src/components/a.ts'),
    });
    const heard = await talk().user('Go.');
    expect(heard.calls.map(({ id }) => id)).toEqual(['call_w']);
    expect(heard.text).not.toContain('State Violation');
    expect(upstream.requests[1]?.text).toContain('State Violation: Reasoning Intercept Required');
    expect(project.violations().map(({ kind }) => kind)).toEqual(['state']);
  });

  test('the budget trips at the right call', async () => {
    project.edit(
      '    acceptance_criteria: []\n    x-team',
      '    acceptance_criteria: []\n    budget: {max_tokens: 1000}\n    x-team',
    );
    const step = (n: number): Spoken => ({
      text: `step ${n}`,
      calls: write(`call_${n}`, `src/components/s${n}.ts`),
      input: 300,
      output: 100,
    });
    says(wire, SELECT, step(1), step(2), step(3));
    const one = talk();
    let heard = await one.user('Work.');
    for (const n of [1, 2]) {
      expect(heard.calls.map(({ id }) => id)).toEqual([`call_${n}`]);
      project.put(`src/components/s${n}.ts`, 'x');
      heard = await one.results([{ id: `call_${n}`, text: 'ok' }]);
    }
    // 400, 800, 1200: the third response goes over the thousand, so its call is the one refused.
    expect(heard.calls).toEqual([]);
    expect(heard.text).toContain('Budget Exhausted: Intent INT-001 has used 1200 of its 1000 tokens');
    isEnd(heard.stop);
    expect(project.text('.orchestration/active_intents.yaml')).toMatch(/INT-001[^-]*status: BLOCKED/);
    expect(upstream.requests).toHaveLength(4);
  });

  test('keys pass through and are never written down', async () => {
    says(wire, SELECT, { calls: write('call_w', 'src/components/k.ts') });
    await talk().user('Add it.');
    const { headers } = upstream.requests[0] ?? {};
    expect(headers?.['x-api-key'] ?? headers?.['x-goog-api-key'] ?? headers?.authorization).toContain(KEY);
    const found = project.filesHolding(KEY.slice(8));
    expect(found).toEqual([]);
    expect(proxy.output).not.toContain(KEY);
  });
});
