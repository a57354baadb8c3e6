import { digestOf, sha256 } from '../../../core/digest.ts';
import { isObject, type JsonObject, type JsonValue, wellFormed } from '../../../core/json.ts';
import { responsesProviderTool } from '../../../models/provider-tools.ts';
import { callOf } from '../../../models/responses/items.ts';
import { type Draft, type ReportedResult, RequestFault, type RequestView } from '../../../models/shapes.ts';
import { handshakeOffer } from '../../handshake-tool.ts';
import { withoutProviderRuns } from '../provider-keys.ts';
import { mayName, shownTools, type ToolSpelling } from '../shown-tools.ts';
import type { Plan } from '../wire.ts';
import { putBackHidden } from './history.ts';

function inputOf(body: JsonObject): readonly JsonValue[] {
  if (typeof body.input === 'string') return [{ type: 'message', role: 'user', content: body.input }];
  return Array.isArray(body.input) ? body.input : [];
}

function toolsOf(body: JsonObject): readonly JsonValue[] {
  return Array.isArray(body.tools) ? body.tools : [];
}

function isUser(item: JsonValue | undefined): item is JsonObject {
  return isObject(item) && item.role === 'user' && (item.type === 'message' || item.type === undefined);
}

function isInstruction(item: JsonValue | undefined): boolean {
  return isObject(item) && (item.role === 'system' || item.role === 'developer');
}

/** Results since the user's last request but one: clients put them between their calls or after them. */
function resultsOf(items: readonly JsonValue[]): ReportedResult[] {
  const users = items.flatMap((item, at) => (isUser(item) ? [at] : []));
  const recent = items.slice((users.at(-2) ?? -1) + 1).filter(isObject);
  const calls = new Map(
    recent.flatMap((item) => {
      if (!/_call$/.test(String(item.type))) return [];
      const call = callOf(item);
      return [[call.id, { name: call.name, args: call.args }] as const];
    }),
  );
  return recent.flatMap((item) =>
    /_call_output$/.test(String(item.type)) && typeof item.call_id === 'string'
      ? [
          {
            id: item.call_id,
            ok: item.status !== 'failed',
            result: item.output ?? null,
            call: calls.get(item.call_id) ?? null,
          },
        ]
      : [],
  );
}

function assertGovernable(body: JsonObject, offersTools: boolean): void {
  const refuse = (what: string, remedy: string) => {
    throw new RequestFault(400, `${what} cannot be governed`, remedy);
  };
  if (typeof body.input !== 'string' && !Array.isArray(body.input) && body.previous_response_id === undefined)
    throw new RequestFault(400, 'input is neither a text nor a list', 'Send a request of the Responses API.');
  if (body.background === true) refuse('a response in the background', 'Leave background out.');
  if (isObject(body.prompt)) refuse('a stored prompt', 'Send instructions and input instead.');
  if (offersTools && body.conversation !== undefined && body.conversation !== null)
    refuse('a stored conversation', 'Use previous_response_id, or send the whole input.');
}

/** Reads a request of the Responses API (OpenAI API reference, POST /responses). */
export function viewRequest(body: JsonObject): RequestView {
  const offersTools = toolsOf(body).some((tool) => responsesProviderTool(tool) === null);
  assertGovernable(body, offersTools);
  const continues = typeof body.previous_response_id === 'string' ? body.previous_response_id : null;
  const items = inputOf(body).filter((item) => !isInstruction(item));
  const last = items.at(-1);
  const first = items.find(isUser);
  const opening = () => (continues === null ? digestOf(wellFormed(first?.content ?? null)) : 'continued');
  return {
    model: typeof body.model === 'string' ? body.model : null,
    offersTools,
    goesOn: continues !== null || items.some((item) => !isUser(item)),
    userTurn: isUser(last)
      ? sha256(`${continues ?? ''} ${items.length} ${digestOf(wellFormed(last.content ?? null))}`)
      : null,
    results: resultsOf(items),
    prefix: () => digestOf(wellFormed([body.instructions ?? null, opening()])),
    opening,
    continues,
  };
}

function handshakeTool(): JsonObject {
  const { name, description, schema } = handshakeOffer();
  return { type: 'function', name, description, parameters: schema, strict: false };
}

/** Tools of a kind of their own are named by their type. */
const SPELLING: ToolSpelling = {
  nameOf: (tool) => (isObject(tool) ? (tool.name ?? tool.type) : undefined),
  runAtProvider: responsesProviderTool,
  handshake: handshakeTool,
};

function shownChoice(choice: JsonValue, tools: readonly JsonValue[], plan: Plan): JsonValue {
  if (!isObject(choice)) return choice;
  const name = choice.type === 'allowed_tools' ? undefined : SPELLING.nameOf(choice);
  return mayName(name, tools, plan, SPELLING) ? choice : 'auto';
}

/** The request as it goes upstream. */
export function editRequest(request: JsonObject, plan: Plan): JsonObject {
  const body = withoutProviderRuns('responses', request, plan.providerRuns);
  const tools = shownTools(toolsOf(body), plan, SPELLING);
  const isSame = tools.length === toolsOf(body).length && plan.continued === null;
  if (plan.phase === 'untouched' && isSame) return body;
  const draft: Draft = { ...body };
  if (tools.length > 0) draft.tools = tools;
  else delete draft.tools;
  if (body.tool_choice !== undefined) {
    if (tools.length > 0) draft.tool_choice = shownChoice(body.tool_choice, tools, plan);
    else delete draft.tool_choice;
  }
  const { continued } = plan;
  const owed = continued?.owed ?? [];
  if (continued) draft.previous_response_id = continued.id;
  if (plan.phase === 'untouched') {
    if (owed.length > 0) draft.input = [...owed, ...inputOf(body)];
    return draft;
  }
  const before = typeof body.instructions === 'string' ? `${body.instructions}\n\n` : '';
  draft.instructions = `${before}${plan.part}`;
  // What the provider goes on from holds the hidden exchanges already.
  const input = continued ? inputOf(body) : putBackHidden(inputOf(body), plan.exchanges);
  draft.input = [...owed, ...input, ...plan.appended];
  return draft;
}
