import { digestOf, sha256 } from '../../../core/digest.ts';
import { isObject, type JsonObject, type JsonValue, wellFormed } from '../../../core/json.ts';
import { callOf } from '../../../models/chat/calls.ts';
import { chatProviderTool } from '../../../models/provider-tools.ts';
import { type Draft, type ReportedResult, RequestFault, type RequestView } from '../../../models/shapes.ts';
import { handshakeOffer } from '../../handshake-tool.ts';
import { withoutProviderRuns } from '../provider-keys.ts';
import { mayName, shownTools, type ToolSpelling } from '../shown-tools.ts';
import type { Plan } from '../wire.ts';
import { putBackHidden } from './history.ts';

const INSTRUCTING = new Set<unknown>(['system', 'developer']);

function messagesOf(body: JsonObject): readonly JsonObject[] {
  return Array.isArray(body.messages) ? body.messages.filter(isObject) : [];
}

function toolsOf(body: JsonObject): readonly JsonValue[] {
  return Array.isArray(body.tools) ? body.tools : [];
}

/** Name of a tool, or of a choice of one. */
function nameOf(tool: JsonValue): JsonValue | undefined {
  if (!isObject(tool)) return undefined;
  const inner = tool.type === 'custom' ? tool.custom : tool.function;
  return isObject(inner) ? inner.name : undefined;
}

function resultsOf(messages: readonly JsonObject[]): ReportedResult[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const made = messages[last]?.tool_calls;
  const calls = new Map(
    (Array.isArray(made) ? made.filter(isObject) : []).map(
      (call) => [String(call.id), callOf(call)] as const,
    ),
  );
  return messages
    .slice(last + 1)
    .flatMap(({ role, tool_call_id: id, content }) =>
      role === 'tool' && typeof id === 'string'
        ? [{ id, ok: true, result: content ?? null, call: calls.get(id) ?? null }]
        : [],
    );
}

/** Reads a request of chat/completions (OpenAI API reference, POST /chat/completions). */
export function viewRequest(body: JsonObject): RequestView {
  if (!Array.isArray(body.messages) || !body.messages.every(isObject))
    throw new RequestFault(400, 'messages is not a list of messages', 'Send a request of chat/completions.');
  if (body.functions !== undefined || body.function_call !== undefined)
    throw new RequestFault(
      400,
      'functions and function_call are not governed here',
      'Use tools and tool_choice.',
    );
  const offersTools = toolsOf(body).some((tool) => chatProviderTool(tool) === null);
  if (offersTools && typeof body.n === 'number' && body.n > 1)
    throw new RequestFault(400, `n is ${body.n}, and only one choice can be governed`, 'Leave n out.');
  const messages = messagesOf(body);
  const spoken = messages.filter(({ role }) => !INSTRUCTING.has(role));
  const last = spoken.at(-1);
  const opening = () => digestOf(wellFormed(spoken.find(({ role }) => role === 'user')?.content ?? null));
  const system = messages.slice(
    0,
    messages.findIndex(({ role }) => !INSTRUCTING.has(role)),
  );
  return {
    model: typeof body.model === 'string' ? body.model : null,
    offersTools,
    goesOn: messages.some(({ role }) => role === 'assistant'),
    userTurn:
      last?.role === 'user' ? sha256(`${spoken.length} ${digestOf(wellFormed(last.content ?? null))}`) : null,
    results: resultsOf(messages),
    prefix: () => digestOf(wellFormed([system.map(({ content }) => content ?? null), opening()])),
    opening,
    continues: null,
  };
}

function handshakeTool(): JsonObject {
  const { name, description, schema } = handshakeOffer();
  return { type: 'function', function: { name, description, parameters: schema } };
}

const SPELLING: ToolSpelling = { nameOf, runAtProvider: chatProviderTool, handshake: handshakeTool };

function shownChoice(choice: JsonValue, tools: readonly JsonValue[], plan: Plan): JsonValue {
  if (!isObject(choice) || mayName(nameOf(choice), tools, plan, SPELLING)) return choice;
  return 'auto';
}

/** The governed part at the end of the instructions. Some models take one system message only, so it joins the last. */
function withPart(messages: readonly JsonObject[], part: string): JsonObject[] {
  const first = messages.findIndex(({ role }) => !INSTRUCTING.has(role));
  const end = first < 0 ? messages.length : first;
  const last = messages[end - 1];
  if (!last) return [{ role: 'system', content: part }, ...messages];
  const joined =
    typeof last.content === 'string'
      ? { ...last, content: `${last.content}\n\n${part}` }
      : {
          ...last,
          content: [...(Array.isArray(last.content) ? last.content : []), { type: 'text', text: part }],
        };
  return [...messages.slice(0, end - 1), joined, ...messages.slice(end)];
}

/** The request as it goes upstream. A stream is always asked for its usage: the budget needs it. */
export function editRequest(request: JsonObject, plan: Plan): JsonObject {
  const body = withoutProviderRuns('chat', request, plan.providerRuns);
  const tools = shownTools(toolsOf(body), plan, SPELLING);
  const isSame = tools.length === toolsOf(body).length && body.stream !== true;
  if (plan.phase === 'untouched' && isSame) return body;
  const draft: Draft = { ...body };
  if (body.stream === true)
    draft.stream_options = {
      ...(isObject(body.stream_options) ? body.stream_options : {}),
      include_usage: true,
    };
  if (tools.length > 0) draft.tools = tools;
  else delete draft.tools;
  if (body.tool_choice !== undefined) {
    if (tools.length > 0) draft.tool_choice = shownChoice(body.tool_choice, tools, plan);
    else delete draft.tool_choice;
  }
  if (plan.phase === 'untouched') return draft;
  const history = [...putBackHidden(messagesOf(body), plan.exchanges), ...plan.appended];
  draft.messages = withPart(history, plan.part);
  return draft;
}
