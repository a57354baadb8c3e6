import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Moment } from '../../src/hosts/adapter.ts';
import { answerEvent } from '../../src/hosts/answer-event.ts';
import type { Trial } from '../../src/hosts/shared/verify/verifier.ts';
import { TestWorkspace } from '../support/workspace.ts';
import { ADAPTERS, verifierNamed } from './support/all-hosts.ts';

const RESPONSES: Readonly<Record<string, object>> = {
  opencode: { modelID: 'm', tokens: { input: 1, output: 1 } },
  pi: { model: 'm', usage: { input: 1, output: 1 } },
};

let place: TestWorkspace;
beforeEach(() => {
  place = new TestWorkspace([{ id: 'INT-001', budget: '{max_turns: 6}' }]);
});
afterEach(() => place[Symbol.dispose]());

describe.each(Object.keys(RESPONSES))('%s, whose plugin counts a response when it has ended', (host) => {
  const verifier = verifierNamed(host);

  /** Sends one event, with the responses that have ended since the last one. */
  async function send(moment: Moment, trial: Trial | null, id: string, ended: number) {
    const tool = trial && verifier.toolFor(trial);
    const sandbox = { root: place.root, home: '/h' };
    const payload = verifier.payload(sandbox, moment, tool && trial && { ...tool, trial, id });
    const responses = Array.from({ length: ended }, () => RESPONSES[host]);
    const bytes = Buffer.from(JSON.stringify({ ...payload, responses }));
    const reply = await answerEvent(
      ADAPTERS[host]!,
      null,
      async () => bytes,
      () => place.engine,
    );
    return reply.code === 0 ? 'runs' : reply.stderr;
  }

  async function run(id: string, ended: number): Promise<string> {
    const trial = { does: 'shell', command: `echo ${id}` } as const;
    const answer = await send('beforeTool', trial, id, ended);
    if (answer === 'runs') await send('afterTool', trial, id, 0);
    return answer;
  }

  test('U-17: a budget of six turns lets six run, with one call each or several', async () => {
    const handshake = { does: 'handshake', intentId: 'INT-001' } as const;
    await send('prompt', null, '', 0);
    await send('beforeTool', handshake, 'h', 0);
    await send('afterTool', handshake, 'h', 0);
    expect(await run('1', 0)).toBe('runs');
    for (const turn of ['2', '3', '4', '5', '6']) expect(await run(turn, 1)).toBe('runs');
    expect(await run('6b', 0)).toBe('runs');
    expect(await run('7', 1)).toContain('Budget Exhausted');
  });
});
