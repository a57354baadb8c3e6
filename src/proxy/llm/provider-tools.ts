import type { JsonObject } from '../../core/json.ts';
import type { Plan, Protocol } from './wire.ts';

/**
 * Tools that a provider runs by itself while it answers. No door can hold such a call back, so the model is not offered
 * them unless the human who started the proxy said so.
 */

/** Types of Anthropic's that the client runs, without the date at their end. */
const ANTHROPIC_CLIENT = new Set(['custom', 'bash', 'text_editor', 'computer', 'memory']);
/** Types of OpenAI's Responses that the client runs. */
const RESPONSES_CLIENT = new Set([
  'function',
  'custom',
  'namespace',
  'local_shell',
  'apply_patch',
  'computer',
  'computer_use_preview',
]);

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
const KEYS: Readonly<Record<Protocol['name'], Readonly<Record<string, string>>>> = {
  anthropic: { mcp_servers: 'mcp_toolset', container: 'code_execution' },
  chat: CHAT_KEYS,
  responses: CHAT_KEYS,
};

/** A request without those of them that the human does not let run; the very same object when it has none. */
export function withoutProviderRuns(
  protocol: Protocol['name'],
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The type of a tool without its version: `web_search_20250305` is `web_search`. */
function plainType(type: string): string {
  return type.replace(/_\d{6,8}$/, '');
}

/** Type of a tool that Anthropic runs itself, a type that nobody knows among them; null when the client runs it. */
export function anthropicProviderTool(tool: unknown): string | null {
  if (!isRecord(tool)) return 'unknown';
  if (tool.type === undefined || tool.type === null) return null;
  const type = plainType(String(tool.type));
  return ANTHROPIC_CLIENT.has(type) ? null : type;
}

/** The same for OpenAI's chat/completions. */
export function chatProviderTool(tool: unknown): string | null {
  if (!isRecord(tool)) return 'unknown';
  return tool.type === 'function' || tool.type === 'custom' ? null : String(tool.type);
}

/** The same for OpenAI's Responses. A shell runs at the provider when it has a container for environment. */
export function responsesProviderTool(tool: unknown): string | null {
  if (!isRecord(tool)) return 'unknown';
  const type = plainType(String(tool.type));
  if (type === 'shell') {
    const { environment } = tool;
    return isRecord(environment) && environment.type === 'local' ? null : 'shell';
  }
  if (type === 'tool_search') return tool.execution === 'client' ? null : 'tool_search';
  return RESPONSES_CLIENT.has(type) ? null : type;
}
