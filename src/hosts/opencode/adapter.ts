import type { HostAdapter } from '../adapter.ts';
import { encodeAnswer, refusal } from '../generic/answer.ts';
import { type PluginEvent, pluginEvent } from '../shared/in-process/message.ts';
import { EVENTS, handleEvent } from './handle.ts';
import { HOST } from './names.ts';

/** OpenCode, whose plugin starts the hook (docs/hosts/opencode.md). */
export const opencode: HostAdapter = {
  host: HOST,
  projectVariables: [],
  events: EVENTS,
  decode: (bytes) => pluginEvent(HOST, bytes),
  handle: async (event, engine) => encodeAnswer(await handleEvent(event as PluginEvent, engine)),
  failed: (_event, reason) => encodeAnswer(refusal(reason)),
};
