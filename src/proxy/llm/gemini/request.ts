import { digestOf, sha256 } from '../../../core/digest.ts';
import { isObject, type JsonObject, type JsonValue, wellFormed } from '../../../core/json.ts';
import { listOf, partsOf, spelled } from '../../../models/gemini/parts.ts';
import { geminiProviderTool } from '../../../models/provider-tools.ts';
import { type Draft, type ReportedResult, RequestFault, type RequestView } from '../../../models/shapes.ts';
import { handshakeOffer } from '../../handshake-tool.ts';
import { mayName, shownTools, type ToolSpelling } from '../shown-tools.ts';
import type { Plan } from '../wire.ts';
import { putBackHidden, withoutOwnIds } from './history.ts';

const DECLARED = 'functionDeclarations';

function contentsOf(body: JsonObject): readonly JsonObject[] {
  return listOf(body.contents);
}

/** Every tool by itself: one key, and of declarations one. What is no tool stays, to be taken out as unknown. */
function toolsOf(body: JsonObject): readonly JsonValue[] {
  const { tools = null } = body;
  if (tools === null) return [];
  return [tools].flat().flatMap((tool): JsonValue[] => {
    if (!isObject(tool)) return [tool];
    return Object.entries(spelled(tool)).flatMap(([key, value]): JsonObject[] => {
      if (value === undefined || value === null) return [];
      return key === DECLARED ? listOf(value).map((one) => ({ [key]: [one] })) : [{ [key]: value }];
    });
  });
}

/** The same as Google takes them: all declarations in one tool. */
function joined(tools: readonly JsonValue[]): JsonObject[] {
  const declarations = tools.flatMap((tool) => (isObject(tool) ? listOf(tool.functionDeclarations) : []));
  const others = tools.filter(isObject).filter((tool) => tool.functionDeclarations === undefined);
  return [...(declarations.length > 0 ? [{ functionDeclarations: declarations }] : []), ...others];
}

function handshakeTool(): JsonObject {
  const { name, description, schema } = handshakeOffer();
  return { functionDeclarations: [{ name, description, parametersJsonSchema: schema }] };
}

const SPELLING: ToolSpelling = {
  nameOf: (tool) => (isObject(tool) ? listOf(tool.functionDeclarations)[0]?.name : undefined),
  runAtProvider: geminiProviderTool,
  handshake: handshakeTool,
};

function resultsOf(contents: readonly JsonObject[]): ReportedResult[] {
  const last = contents.findLastIndex(({ role }) => role === 'model');
  const made = partsOf(contents[last]).flatMap(({ functionCall: call }) => (isObject(call) ? [call] : []));
  const left = new Set(made);
  return contents.slice(last + 1).flatMap((content) =>
    partsOf(content).flatMap(({ functionResponse: result }) => {
      if (!isObject(result)) return [];
      // Without an id results come in the order of the calls.
      const call = [...left].find(({ id, name }) =>
        result.id === undefined ? name === result.name : id === result.id,
      );
      if (call) left.delete(call);
      const response = isObject(result.response) ? result.response : {};
      return [
        {
          id: String(result.id ?? call?.id ?? ''),
          ok: response.error === undefined,
          result: response,
          call: call ? { name: String(call.name), args: isObject(call.args) ? call.args : {} } : null,
        },
      ];
    }),
  );
}

function isUserTurn(content: JsonObject | undefined): content is JsonObject {
  if (!content || content.role === 'model') return false;
  const parts = partsOf(content);
  return parts.length > 0 && parts.every(({ functionResponse }) => functionResponse === undefined);
}

/** Throws on a key that comes in both of its spellings: which of the two counts is the provider's secret. */
function assertOneSpelling(value: JsonValue | undefined): void {
  for (const one of listOf(value))
    if (Object.keys(spelled(one)).length < Object.keys(one).length)
      throw new RequestFault(
        400,
        'a key of the request comes twice, with and without underscores',
        'Send each key once.',
      );
}

function assertGovernable(body: JsonObject, offersTools: boolean): void {
  const isList = body.contents !== undefined && [body.contents].flat().every(isObject);
  if (!isList)
    throw new RequestFault(400, 'contents is not a list of contents', 'Send a request of generateContent.');
  const { systemInstruction = null, cachedContent = null } = body;
  if (systemInstruction !== null && !isObject(systemInstruction))
    throw new RequestFault(400, 'systemInstruction is no content', 'Send it as {"parts": [{"text": …}]}.');
  if (cachedContent !== null)
    throw new RequestFault(
      400,
      'cachedContent may hold tools and instructions that nobody here can see',
      'Send them in the request; what begins as before is cached by the provider without being asked.',
    );
  for (const part of [body.tools, body.generationConfig, body.toolConfig]) assertOneSpelling(part);
  const { candidateCount } = spelled(listOf(body.generationConfig)[0] ?? {});
  if (offersTools && Number(candidateCount) > 1)
    throw new RequestFault(
      400,
      `candidateCount is ${String(candidateCount)}, and only one candidate can be governed`,
      'Leave candidateCount out.',
    );
}

/** Reads a request of generateContent (Gemini API reference, models.generateContent). */
export function viewRequest(request: JsonObject): RequestView {
  assertOneSpelling(request);
  const body = spelled(request);
  const offersTools = toolsOf(body).some((tool) => geminiProviderTool(tool) === null);
  assertGovernable(body, offersTools);
  const contents = contentsOf(body);
  const last = contents.at(-1);
  const digest = (content: JsonObject | undefined) => digestOf(wellFormed([...partsOf(content)]));
  const answered = contents.findIndex(({ role }) => role === 'model');
  // Gemini CLI tells its surroundings in a content of their own, before the user's first words.
  const begun = answered < 0 ? contents : contents.slice(0, answered);
  const opening = () => digestOf(wellFormed(begun.map((content) => [...partsOf(content)])));
  return {
    model: null,
    offersTools,
    goesOn: contents.some(({ role }) => role === 'model'),
    userTurn: isUserTurn(last) ? sha256(`${contents.length} ${digest(last)}`) : null,
    results: resultsOf(contents),
    prefix: () => digestOf(wellFormed([body.systemInstruction ?? null, opening()])),
    opening,
    continues: null,
  };
}

/** Before the handshake a choice of certain functions becomes a free one; arguments always come whole. */
function shownConfig(value: JsonValue, tools: readonly JsonValue[], plan: Plan): JsonValue {
  if (!isObject(value)) return value;
  const config = spelled(value);
  if (!isObject(config.functionCallingConfig)) return config;
  const { streamFunctionCallArguments: _, ...choice } = spelled(config.functionCallingConfig);
  const names = [choice.allowedFunctionNames ?? []].flat();
  const mayStay = names.every((name) => mayName(name, tools, plan, SPELLING));
  return { ...config, functionCallingConfig: mayStay ? choice : { mode: 'AUTO' } };
}

/** The request as it goes upstream. */
export function editRequest(request: JsonObject, plan: Plan): JsonObject {
  const body = spelled(request);
  const [before, contents] = [toolsOf(body), contentsOf(body)];
  const tools = shownTools(before, plan, SPELLING);
  const own = withoutOwnIds(contents);
  if (plan.phase === 'untouched' && tools.length === before.length && own === contents) return request;
  const draft: Draft = { ...body };
  if (tools.length > 0) draft.tools = joined(tools);
  else delete draft.tools;
  if (body.toolConfig !== undefined) {
    if (tools.length > 0) draft.toolConfig = shownConfig(body.toolConfig, tools, plan);
    else delete draft.toolConfig;
  }
  draft.contents = [...own];
  if (plan.phase === 'untouched') return draft;
  draft.contents = [...withoutOwnIds([...putBackHidden(contents, plan.exchanges), ...plan.appended])];
  const system = isObject(body.systemInstruction) ? body.systemInstruction : {};
  draft.systemInstruction = { ...system, parts: [...listOf(system.parts), { text: plan.part }] };
  return draft;
}
