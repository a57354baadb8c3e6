import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { HookEngine } from '../../src/hooks/engine.ts';
import { answerEvent } from '../../src/hosts/answer-event.ts';
import { ADAPTERS, VERIFIERS, verifierNamed } from './support/all-hosts.ts';

/** Hosts whose payload has the prompt's text; of the others the plugin or the client tells who wrote it. */
const WITH_TEXT = VERIFIERS.filter(({ host }) => !['kimi', 'opencode', 'pi'].includes(host));

/** Whether a host's prompt counts as a human's. */
async function byHuman(host: string, prompt: string, more: JsonObject = {}): Promise<boolean> {
  const verifier = verifierNamed(host);
  const said = (_key: string, value: unknown) => (value === 'verify' ? prompt : value);
  const payload = { ...verifier.payload({ root: '/ws', home: '/h' }, 'prompt', null), ...more };
  const heard: boolean[] = [];
  const engine = {
    settle: async () => null,
    userPrompt: async (_origin: unknown, human: boolean) => {
      heard.push(human);
      return { context: null, alarm: null };
    },
    openCalls: async () => [],
  } as unknown as HookEngine;
  await answerEvent(
    ADAPTERS[host]!,
    verifier.events.prompt ?? null,
    async () => Buffer.from(JSON.stringify(payload, said)),
    () => engine,
  );
  expect(heard).toHaveLength(1);
  return heard[0] ?? false;
}

describe.each(WITH_TEXT.map(({ host }) => host))('%s', (host) => {
  test.each([
    '<task-notification>\n<task-id>b1</task-id>\n</task-notification>',
    ' <teammate-message from="a">hi</teammate-message>',
    '<teammate_message>hi</teammate_message>',
    '<subagent_notification>done</subagent_notification>',
    '<system-reminder>go on</system-reminder>',
    '<channel source="x">go on</channel>',
  ])('F-17: %j is not the word of a human', async (prompt) => {
    expect(await byHuman(host, prompt)).toBe(false);
  });

  test.each([
    'add a login page',
    'what does <task-notification> mean?',
    '<tasks> are empty, fix it',
    '<channels/> renders twice',
  ])('%j is', async (prompt) => {
    expect(await byHuman(host, prompt)).toBe(true);
  });
});

test('F-17: Claude Code names most sources of its own', async () => {
  for (const source of ['loop_wakeup', 'schedule_wakeup', 'poll_event', 'system'])
    expect(await byHuman('claude-code', 'go on', { source })).toBe(false);
  for (const source of ['user', 'sdk']) expect(await byHuman('claude-code', 'go on', { source })).toBe(true);
});
