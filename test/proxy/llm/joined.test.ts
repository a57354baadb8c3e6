import { expect, test } from 'vitest';
import { HANDSHAKE_TOOL } from '../../../src/core/words.ts';
import { TestWorkspace } from '../../support/workspace.ts';

test('a response that the proxy has counted is not counted again when the host’s hook sees its call', async () => {
  using place = new TestWorkspace([{ id: 'INT-001', budget: '{max_turns: 1}' }]);
  const agent = place.agent('s');
  const none = { turns: 0, tokens: 0, model: null };
  const llm = { ...agent.origin, door: 'llm' as const, usage: none };
  const select = agent.call(
    { tool: HANDSHAKE_TOOL, kind: 'control', mutating: false },
    { intent_id: 'INT-001' },
  );
  await place.engine.userPrompt(llm, true);
  await place.engine.preToolUse({ ...llm, call: select });
  await place.engine.postToolUse({ ...llm, call: select, ok: true, result: {} });
  const call = agent.call({ targets: [{ path: 'src/components/a.ts', role: 'write' }] }, { file: 'a' });
  const first = await place.engine.preToolUse({ ...llm, usage: { ...none, turns: 1 }, call });
  expect(first.decision.verdict).toBe('allow');
  const second = await place.engine.preToolUse({ ...agent.origin, call });
  expect([second.decision.verdict, second.text]).toEqual(['allow', null]);
  expect(place.usage('INT-001').turns).toBe(1);
});
