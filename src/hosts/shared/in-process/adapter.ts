import type { HookEngine } from '../../../hooks/engine.ts';
import type { HostAdapter } from '../../adapter.ts';
import { encodeAnswer, refusal } from '../../generic/answer.ts';
import type { GenericAnswer } from '../../generic/contract.ts';
import { type PluginEvent, pluginEvent } from './message.ts';

/** A host that loads PactClaw as its plugin, which starts the hook and reads answers of the generic contract. */
export function pluginAdapter(
  host: string,
  events: readonly string[],
  handle: (event: PluginEvent, engine: HookEngine) => Promise<GenericAnswer>,
): HostAdapter {
  return {
    host,
    projectVariables: [],
    events,
    decode: (bytes) => pluginEvent(host, bytes),
    handle: async (event, engine) => encodeAnswer(await handle(event as PluginEvent, engine)),
    failed: (_event, reason) => encodeAnswer(refusal(reason)),
  };
}
