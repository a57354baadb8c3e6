import { isObject, type JsonObject } from '../../../core/json.ts';
import type { EventOrigin, ReportedUsage } from '../../../hooks/requests.ts';
import type { HostEvent } from '../../adapter.ts';
import { identifierAt, malformed, optionalText, payloadOf, textAt } from '../decode/payload.ts';
import { tally } from '../decode/responses.ts';

/**
 * What our plugin inside a host sends for every event: the host's own event as it is, and beside it what only the plugin
 * can know, because its process outlives a hook's.
 */
export interface PluginEvent extends HostEvent {
  /** Session that made the event, where that is a subagent's of `sessionId`. */
  readonly agent: string | null;
  /** The plugin has sent nothing of this session before: it begins, or was left by another process. */
  readonly first: boolean;
  /** Model responses since the last event that counts them, each reported once. */
  readonly responses: readonly JsonObject[];
  readonly input: JsonObject;
  readonly output: JsonObject;
}

function objectAt(host: string, raw: JsonObject, key: string): JsonObject {
  const value = raw[key] ?? {};
  if (!isObject(value)) throw malformed(host, `${key} is not an object`);
  return value;
}

/** Reads what a plugin sent. Throws a PactError on anything else. */
export function pluginEvent(host: string, bytes: Uint8Array): PluginEvent {
  const raw = payloadOf(host, bytes);
  const cwd = textAt(host, raw, 'cwd');
  if (!cwd.startsWith('/')) throw malformed(host, 'cwd is not an absolute path');
  const responses = raw.responses ?? [];
  if (!Array.isArray(responses)) throw malformed(host, 'responses is not a list');
  return {
    event: textAt(host, raw, 'hook'),
    sessionId: identifierAt(host, raw, 'session'),
    agent: optionalText(raw, 'agent') === null ? null : identifierAt(host, raw, 'agent'),
    first: raw.first === true,
    cwd,
    responses: responses.filter(isObject),
    input: objectAt(host, raw, 'input'),
    output: objectAt(host, raw, 'output'),
    raw,
  };
}

/** A number of tokens as a host reports it; anything else counts as none. */
export function tokensAt(usage: JsonObject, ...keys: string[]): number {
  return keys.reduce((sum, key) => {
    const value = usage[key];
    return typeof value === 'number' && value > 0 && Number.isFinite(value) ? sum + Math.floor(value) : sum;
  }, 0);
}

/** The origin of an event, with the use of the model that `tokens` reads off each response. */
export function originOf(
  host: string,
  { sessionId, responses }: PluginEvent,
  read: (response: JsonObject) => { readonly tokens: number; readonly model: string | null },
): EventOrigin {
  // Our plugin marks a response that made the handshake and no other call.
  const seen = responses.map((one) => ({ ...read(one), handshake: one.handshake === true, others: false }));
  const usage: ReportedUsage = {
    ...tally(seen),
    model: seen.findLast(({ model }) => model !== null)?.model ?? null,
  };
  return { sessionId, host, transcript: null, ...(seen.length > 0 ? { usage } : {}) };
}
