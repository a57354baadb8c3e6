import { digestOf, sha256 } from '../../../core/digest.ts';
import { isObject, type JsonObject, type JsonValue, wellFormed } from '../../../core/json.ts';
import { anthropicProviderTool } from '../../../models/provider-tools.ts';
import { type Draft, type ReportedResult, RequestFault, type RequestView } from '../../../models/shapes.ts';
import { handshakeOffer } from '../../handshake-tool.ts';
import { withoutProviderRuns } from '../provider-keys.ts';
import { isHiding, mayName, shownTools, type ToolSpelling } from '../shown-tools.ts';
import type { Plan } from '../wire.ts';
import { putBackHidden } from './history.ts';

/** The content of a message as blocks. */
export function blocksOf(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** The same without cache marks, which clients move from message to message. */
function stable(value: JsonValue | undefined): JsonValue {
  return blocksOf(value).map(({ cache_control: _, ...rest }) => rest);
}

export function messagesOf(body: JsonObject): readonly JsonObject[] {
  return Array.isArray(body.messages) ? body.messages.filter(isObject) : [];
}

function toolsOf(body: JsonObject): readonly JsonValue[] {
  return Array.isArray(body.tools) ? body.tools : [];
}

function digest(value: JsonValue): string {
  return digestOf(wellFormed(value));
}

function resultsOf(messages: readonly JsonObject[]): ReportedResult[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  if (last < 0) return [];
  const made = new Map(
    blocksOf(messages[last]?.content).flatMap((block) =>
      block.type === 'tool_use' && typeof block.id === 'string' ? [[block.id, block] as const] : [],
    ),
  );
  return messages.slice(last + 1).flatMap(({ content }) =>
    blocksOf(content).flatMap((block) => {
      if (block.type !== 'tool_result' || typeof block.tool_use_id !== 'string') return [];
      const call = made.get(block.tool_use_id);
      return [
        {
          id: block.tool_use_id,
          ok: block.is_error !== true,
          result: block.content ?? null,
          call: call ? { name: String(call.name), args: isObject(call.input) ? call.input : null } : null,
        },
      ];
    }),
  );
}

/** A message of a user's own: some text or image, and no result of a tool with it. */
function isUserTurn(message: JsonObject | undefined): message is JsonObject {
  if (message?.role !== 'user') return false;
  const blocks = blocksOf(message.content);
  return blocks.length > 0 && blocks.every(({ type }) => type !== 'tool_result');
}

/** Reads a request of Anthropic Messages (API reference, POST /v1/messages). */
export function viewRequest(body: JsonObject): RequestView {
  if (!Array.isArray(body.messages) || !body.messages.every(isObject))
    throw new RequestFault(400, 'messages is not a list of messages', 'Send a request of the Messages API.');
  // Some clients put system notes between the messages; they are nobody's turn.
  const messages = messagesOf(body).filter(({ role }) => role !== 'system');
  const last = messages.at(-1);
  const first = messages.find(({ role }) => role === 'user');
  const opening = () => digest(stable(first?.content));
  return {
    model: typeof body.model === 'string' ? body.model : null,
    offersTools: toolsOf(body).some((tool) => anthropicProviderTool(tool) === null),
    goesOn: messages.some(({ role }) => role === 'assistant'),
    userTurn: isUserTurn(last) ? sha256(`${messages.length} ${digest(stable(last.content))}`) : null,
    results: resultsOf(messages),
    prefix: () => digest([stable(body.system), opening()]),
    opening,
    continues: null,
  };
}

function handshakeTool(): JsonObject {
  const { name, description, schema } = handshakeOffer();
  return { name, description, input_schema: schema };
}

const SPELLING: ToolSpelling = {
  nameOf: (tool) => (isObject(tool) ? tool.name : undefined),
  runAtProvider: anthropicProviderTool,
  handshake: handshakeTool,
};

function shownChoice(
  choice: JsonValue | undefined,
  tools: readonly JsonValue[],
  plan: Plan,
): JsonValue | undefined {
  if (!isObject(choice) || choice.type !== 'tool') return choice;
  return mayName(choice.name, tools, plan, SPELLING) ? choice : { type: 'auto' };
}

function withPart(system: JsonValue | undefined, part: string): JsonValue {
  return [...blocksOf(system), { type: 'text', text: part }];
}

function hasReference(block: JsonValue): boolean {
  if (!isObject(block)) return false;
  return (
    block.type === 'tool_reference' || (Array.isArray(block.content) && block.content.some(hasReference))
  );
}

/** References to deferred tools are an error while those tools are not shown. */
function withoutReferences(message: JsonObject): JsonObject {
  if (!Array.isArray(message.content)) return message;
  const plain = (block: JsonValue): JsonValue => {
    if (!isObject(block)) return block;
    if (block.type === 'tool_reference') return { type: 'text', text: `(tool ${String(block.tool_name)})` };
    return Array.isArray(block.content) ? { ...block, content: block.content.map(plain) } : block;
  };
  if (!message.content.some(hasReference)) return message;
  return { ...message, content: message.content.map(plain) };
}

/** The request as it goes upstream. */
export function editRequest(request: JsonObject, plan: Plan): JsonObject {
  const body = withoutProviderRuns('anthropic', request, plan.providerRuns);
  const tools = shownTools(toolsOf(body), plan, SPELLING);
  if (plan.phase === 'untouched' && tools.length === toolsOf(body).length) return body;
  const draft: Draft = { ...body };
  if (tools.length > 0) draft.tools = tools;
  else delete draft.tools;
  if (body.tool_choice !== undefined) {
    if (tools.length > 0) draft.tool_choice = shownChoice(body.tool_choice, tools, plan);
    else delete draft.tool_choice;
  }
  if (plan.phase === 'untouched') return draft;
  const history = putBackHidden(messagesOf(body), plan.exchanges);
  draft.system = withPart(body.system, plan.part);
  draft.messages = [...history, ...plan.appended].map((message) =>
    isHiding(plan) ? withoutReferences(message) : message,
  );
  return draft;
}
