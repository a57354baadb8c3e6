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

/** The same for a tool of Gemini's, which has one key: its type. Calls of `computerUse` are the client's to run. */
export function geminiProviderTool(tool: unknown): string | null {
  if (!isRecord(tool)) return 'unknown';
  const [type = 'unknown'] = Object.keys(tool);
  return type === 'functionDeclarations' || type === 'computerUse' ? null : type;
}
