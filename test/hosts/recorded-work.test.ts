import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createEngine } from '../../src/hooks/engine.ts';
import { answerEvent } from '../../src/hosts/answer-event.ts';
import { TestWorkspace } from '../support/workspace.ts';
import { ADAPTERS } from './support/all-hosts.ts';
import { bytesOf, fixture, recorded } from './support/recorded.ts';

/** What real clients sent in ordinary sessions passes when the intent's scope covers the work. */

const SCOPE = [
  ...['out', 'a', 'b', 'c', 'sub', 'heredoc', 'x'].map((name) => `${name}.txt`),
  ...['nb.ipynb', 'mark', 'nested', 'subfile', 'd/e.txt', 'sub/out.txt', 'src/components/**'],
];

/** Monitors go on by themselves, which needs a human's word. Of two runs of Codex its own record is not kept. */
const LEFT_OUT = /governed|pactclaw|monitor|codex\/hooks(-subagent)?\.jsonl/;

/** Events that an installation does not register. */
const NOT_OURS = /^(BeforeModel|BeforeToolSelection|preMcpToolCall)$/;

const FILES = ['claude-code', 'codex', 'copilot', 'gemini', 'qwen', 'cline', 'kimi'].flatMap((host) =>
  fs
    .readdirSync(path.dirname(fixture(host, 'hooks.jsonl')))
    .map((file) => `${host}/${file}`)
    .filter((file) => /\/hooks.*\.jsonl$/.test(file) && !LEFT_OUT.test(file)),
);

interface Message {
  readonly session_id?: string;
  readonly sessionId?: string;
  readonly sessionContext?: { readonly rootSessionId: string };
}

/**
 * Codex gives one command a terminal and lets another go on after its answer: both need a human's word. Two ran at once, and its
 * record has the result of one before the other begins, because here it is whole from the start.
 */
const OTHERS = /call_49d9b2_00(01|17|19|20)/;

let at: TestWorkspace;
afterEach(() => at[Symbol.dispose]());

/** A recorded message as this workspace would have got it. */
function here(message: unknown): Message {
  const text = JSON.stringify(message)
    .replaceAll('/home/dev/project', at.root)
    .replace(
      /"transcript_path":"[^"]*codex[^"]*"/,
      `"transcript_path":"${fixture('codex', 'rollout.jsonl')}"`,
    );
  return JSON.parse(text) as Message;
}

test.each(FILES)('%s: nothing is refused', async (file) => {
  const [host = '', name = ''] = file.split('/');
  at = new TestWorkspace([{ id: 'INT-001', scope: SCOPE, budget: '{max_turns: 1000}' }], ['README.md']);
  const refused: string[] = [];
  let calls = 0;
  let asked: string | undefined;
  for (const { label, in: payload } of recorded(host, name)) {
    // Copilot sends each event in two dialects, of which the lower-case one is registered.
    if (NOT_OURS.test(label) || (host === 'copilot' && /^[A-Z]/.test(label))) continue;
    const message = here(payload);
    if (OTHERS.test(JSON.stringify(message))) continue;
    const session = message.session_id ?? message.sessionId ?? message.sessionContext?.rootSessionId;
    if (/^(pre_?tool|beforetool)/i.test(label)) {
      if (asked !== session) await at.agent(String(session)).begin('INT-001');
      asked = session;
      calls += 1;
    } else if (/prompt|beforeagent/i.test(label)) asked = undefined;
    const engine = () => createEngine(at.workspace);
    const { code, stdout } = await answerEvent(ADAPTERS[host]!, label, async () => bytesOf(message), engine);
    if (code !== 0 || /"deny"|"block"|"cancel":true|"overrideInput"/.test(stdout))
      refused.push(`${label}: ${stdout}`);
  }
  expect(refused).toEqual([]);
  expect(calls > 0 || /session/.test(name)).toBe(true);
});
