import { sha256 } from '../../core/digest.ts';
import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { asking } from '../asking.ts';
import { readArgs } from '../json-args.ts';
import { type AskedCall, count, type TokenUse } from '../shapes.ts';

/** Tests a text for what must not stand in anything that goes on unjudged. */
export const asksForCall = asking(
  /"type"\s*:\s*"(?:function|custom_tool|local_shell|shell|apply_patch|computer)_call"/,
);

/** Items that ask nobody for anything: speech, and what the provider has already done by itself. */
const SPEECH = new Set([
  'message',
  'reasoning',
  'compaction',
  'compaction_summary',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
]);

/** True for an item that may be passed on unjudged. A type that nobody knows may be a new way of asking. */
export function isSpeech(item: JsonObject): boolean {
  if (item.type === 'tool_search_call') return item.execution !== 'client';
  return typeof item.type === 'string' && (SPEECH.has(item.type) || item.type.endsWith('_output'));
}

/** Arguments of the calls that have a form of their own. */
function ownArgs(item: JsonObject): JsonObject | null {
  const { action, actions, operation, arguments: args } = item;
  switch (item.type) {
    case 'local_shell_call':
    case 'shell_call':
      return isObject(action) ? action : null;
    case 'apply_patch_call':
      return isObject(operation) ? operation : null;
    case 'computer_call':
      return isObject(action) ? action : Array.isArray(actions) ? { actions } : null;
    case 'tool_search_call':
      return isObject(args) ? args : {};
    default:
      return null;
  }
}

/** The call that an item asks for. */
export function callOf(item: JsonObject): AskedCall {
  const id = typeof item.call_id === 'string' ? item.call_id : '';
  const type = String(item.type);
  const space = typeof item.namespace === 'string' ? item.namespace : '';
  const named = typeof item.name === 'string' ? `${space}${item.name}` : '';
  const name = type === 'function_call' || type === 'custom_tool_call' ? named : type.replace(/_call$/, '');
  if (id === '' || name === '') return { id, name, args: null, fault: 'it has no id or no name', form: type };
  if (type === 'custom_tool_call')
    return { id, name, args: { input: String(item.input ?? '') }, fault: null, form: type };
  if (type === 'function_call') {
    if (item.arguments !== undefined && typeof item.arguments !== 'string')
      return { id, name, args: null, fault: 'its arguments are no text', form: type };
    return { id, name, ...readArgs(item.arguments ?? ''), form: type };
  }
  const args = ownArgs(item);
  return args
    ? { id, name, args, fault: null, form: type }
    : { id, name, args: null, fault: 'it is of a kind that nobody here can read', form: type };
}

/** The result of a call that the client never saw, in the form that its call wants; null when there is none. */
export function resultOf({ id, form }: AskedCall, text: string): JsonObject | null {
  switch (form) {
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
      return { type: `${form}_output`, call_id: id, output: text };
    case 'shell_call':
      return {
        type: 'shell_call_output',
        call_id: id,
        output: [{ stdout: '', stderr: text, outcome: { type: 'exit', exit_code: 1 } }],
      };
    case 'apply_patch_call':
      return { type: 'apply_patch_call_output', call_id: id, status: 'failed', output: text };
    default:
      return null;
  }
}

/** True for the result of a call. */
export function isOutput(item: JsonObject): boolean {
  return typeof item.type === 'string' && item.type.endsWith('_output');
}

export function textOf(item: JsonObject): string {
  const { content } = item;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: JsonValue) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []))
    .join('');
}

/** What an item is known by when a client sends it back, often without its id. */
export function anchorOf(item: JsonObject): string | null {
  if (isOutput(item)) return null;
  if (typeof item.call_id === 'string') return `call:${item.call_id}`;
  if (typeof item.encrypted_content === 'string') return `enc:${sha256(item.encrypted_content)}`;
  const text = textOf(item).trim();
  if (text !== '' && (item.type === 'message' || item.role !== undefined))
    return `text:${sha256(text.toWellFormed())}`;
  return typeof item.id === 'string' ? `id:${item.id}` : null;
}

/** New work that a usage object tells of. */
export function useOf(usage: unknown): TokenUse | null {
  if (!isObject(usage) || (usage.input_tokens === undefined && usage.output_tokens === undefined))
    return null;
  const details = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  return {
    input: Math.max(0, count(usage.input_tokens) - count(details.cached_tokens)),
    output: count(usage.output_tokens),
  };
}

/** A message of the assistant that holds a refusal. */
export function refusalItem(id: string, text: string): JsonObject {
  return {
    type: 'message',
    id,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
}

/** What a request asked for, put back into the echo that a response holds of it. */
export function restoreEcho(response: JsonObject, asked: JsonObject): JsonObject {
  const restored: Record<string, JsonValue | undefined> = { ...response };
  for (const key of ['tools', 'tool_choice', 'instructions', 'previous_response_id'])
    if (key in response)
      restored[key] = asked[key] ?? (key === 'tools' ? [] : key === 'tool_choice' ? 'auto' : null);
  return restored;
}
