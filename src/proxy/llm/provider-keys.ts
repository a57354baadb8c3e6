import type { JsonObject } from '../../core/json.ts';
import type { Plan, Protocol } from './wire.ts';

/** Protocols that have such keys; Gemini's has tools alone. */
type Keyed = Exclude<Protocol['name'], 'gemini'>;

/** Keys of a request beside `tools` that have a provider run something by itself, and the type that allows each. */
const CHAT_KEYS = {
  web_search_options: 'web_search',
  // xAI, OpenRouter, Alibaba's DashScope, Azure's own data, Groq.
  search_parameters: 'web_search',
  plugins: 'plugins',
  enable_search: 'web_search',
  search_options: 'web_search',
  data_sources: 'data_sources',
  compound_custom: 'compound',
};
const ANTHROPIC_KEYS = { mcp_servers: 'mcp_toolset', container: 'code_execution' };
const KEYS: Readonly<Record<Keyed, Readonly<Record<string, string>>>> = {
  anthropic: ANTHROPIC_KEYS,
  bedrock: ANTHROPIC_KEYS,
  chat: CHAT_KEYS,
  responses: CHAT_KEYS,
};

/** A request without those of them that the human does not let run; the very same object when it has none. */
export function withoutProviderRuns(
  protocol: Keyed,
  body: JsonObject,
  providerRuns: Plan['providerRuns'],
): JsonObject {
  const runs = Object.entries(KEYS[protocol]).filter(
    ([key, type]) => body[key] !== undefined && !providerRuns(type),
  );
  if (runs.length === 0) return body;
  const keys = new Set(runs.map(([key]) => key));
  return Object.fromEntries(Object.entries(body).filter(([key]) => !keys.has(key)));
}
