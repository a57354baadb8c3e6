import type { Protocol } from './wire.ts';

/** A kind of request that the door knows. */
interface KnownRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path in its one spelling; the group `model` is the model where the path names it. */
  readonly path: RegExp;
  /**
   * The codec that judges the answer; null where no tool call can come out of it. Whether an answer is streamed is
   * told by the answer's own content type.
   */
  readonly protocol: Protocol['name'] | null;
}

/** What is to be done with a request. */
export type Route =
  | { readonly kind: 'governed'; readonly protocol: Protocol['name']; readonly model: string | null }
  /** No tool call can come out of it. */
  | { readonly kind: 'passed' }
  /** Tool calls could reach the client by it unjudged. `known`: the spelling under which the door knows the path. */
  | { readonly kind: 'refused'; readonly known: string | null };

/** One segment of a path; never `.` or `..`. */
const SEGMENT = String.raw`(?!\.+(?:/|%|$))[\w.:@~-]+`;
/**
 * What a client's base URL may put before an endpoint: names of a gateway, then a version. Stateful APIs whose
 * endpoints end in the same words are not among the names.
 */
const GATEWAY = String.raw`(?:/(?!v\d|threads|assistants|conversations|batches|realtime)${SEGMENT}){0,4}`;
const BASE = String.raw`${GATEWAY}(?:/v\d+)?`;
/** Publisher models of Google's Vertex AI (REST reference, projects.locations.publishers.models). */
const PUBLISHERS = `(?:/v1(?:beta1)?)?(?:/projects/${SEGMENT}/locations/${SEGMENT})?/publishers`;
const VERTEX = `${PUBLISHERS}/anthropic/models`;
/** Models of Google's, at the Gemini API and at Vertex AI. */
const GOOGLE = `(?:${GATEWAY}/v1(?:alpha|beta)?/(?:models|tunedModels)|${PUBLISHERS}/google/models)`;
/** Bedrock's ids and ARNs of models, as its clients escape them; one slash, before an inference profile's name. */
const BEDROCK = String.raw`/model/(?<model>(?!\.)(?:[\w.:-]|%3[Aa])+(?:%2[Ff](?!\.)[\w.-]+)?)`;
const MODEL = String.raw`(?<model>(?!\.+:)[\w.@-]+)`;

function route(method: KnownRoute['method'], path: string, protocol: KnownRoute['protocol']): KnownRoute {
  return { method, path: new RegExp(`^${path}$`), protocol };
}

/** The endpoints that are known, the first that fits counts. Everything else is refused. */
const ROUTES: readonly KnownRoute[] = [
  // Token counts take tools and answer with a number.
  route('POST', `${BASE}/messages/count_tokens`, null),
  route('POST', `${VERTEX}/count-tokens:rawPredict`, null),
  route('POST', `${BASE}/responses/input_tokens`, null),
  route('POST', `${GOOGLE}/${MODEL}:countTokens`, null),
  // Anthropic Messages, at Anthropic and at Vertex.
  route('POST', `${BASE}/messages`, 'anthropic'),
  route('POST', `${VERTEX}/${MODEL}:(?:rawPredict|streamRawPredict)`, 'anthropic'),
  // Anthropic Messages at Amazon Bedrock (InvokeModel).
  route('POST', `${BEDROCK}/count-tokens`, null),
  route('POST', `${BEDROCK}/(?:invoke|invoke-with-response-stream)`, 'bedrock'),
  // generateContent (Gemini API reference; Vertex AI REST reference, publishers.models).
  route('POST', `${GOOGLE}/${MODEL}:(?:generateContent|streamGenerateContent)`, 'gemini'),
  // OpenAI, and Azure's deployments (Azure OpenAI REST reference).
  route('POST', `/openai/deployments/${MODEL}/chat/completions`, 'chat'),
  route('POST', `${BASE}/chat/completions`, 'chat'),
  route('POST', `${BASE}/responses`, 'responses'),
  // Shortens a history; its answer is history too, which no client runs.
  route('POST', `${BASE}/responses/compact`, null),
  route('DELETE', `${BASE}/responses/${SEGMENT}`, null),
  // No tools: numbers, pictures, sound, and files as they were sent.
  route('POST', `(?:/openai/deployments/${SEGMENT}|${BASE})/embeddings`, null),
  route('POST', `${GOOGLE}/${MODEL}:(?:embedContent|batchEmbedContents)`, null),
  route('POST', `${BASE}/(?:rerank|moderations)`, null),
  route('POST', `${BASE}/images/(?:generations|edits|variations)`, null),
  route('POST', `${BASE}/audio/(?:speech|transcriptions|translations)`, null),
  route('POST', `${BASE}/files`, null),
  route('GET', `${BASE}/files(?:/${SEGMENT})?`, null),
  route('DELETE', `${BASE}/files/${SEGMENT}`, null),
  // Lists of models; a model's name may have a slash in it.
  route('GET', `${BASE}/models(?:/${SEGMENT}(?:(?:/|%2[Ff])${SEGMENT})?)?`, null),
  route('GET', `/v1beta/models(?:/${SEGMENT})?`, null),
  route('GET', '/api/(?:tags|version)', null),
];

function find(method: string, path: string): Route | null {
  for (const known of ROUTES) {
    const match = known.method === method ? known.path.exec(path) : null;
    if (!match) continue;
    const { protocol } = known;
    return protocol ? { kind: 'governed', protocol, model: match.groups?.model ?? null } : { kind: 'passed' };
  }
  return null;
}

/** The path in the table that an odd spelling is likely to mean, for the refusal's advice only; null where none is. */
function plainest(method: string, path: string): string | null {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // It stays as it is, and nothing is advised.
  }
  const plain = decoded
    .replace(/;[^/]*/g, '')
    .replace(/\/{2,}/g, '/')
    .replace(/(?:\/|\.json)$/i, '');
  return [plain, plain.toLowerCase()].find((one) => find(method, one) !== null) ?? null;
}

/**
 * Sorts a request by its method and path: endpoints in the table in their one spelling, and what the human lets by.
 * `passes`: whether the human lets a path by ungoverned.
 */
export function routeOf(method: string, target: string, passes: (path: string) => boolean): Route {
  const path = target.split('?', 1)[0] ?? '';
  const found = find(method, path);
  if (found) return found;
  // An answer to HEAD has no body (RFC 9110 §9.3.2).
  if (method === 'HEAD' || passes(path)) return { kind: 'passed' };
  return { kind: 'refused', known: plainest(method, path) };
}

/** The path at the upstream: its own base before what the client sent, without naming the version twice. */
export function upstreamPath(base: string, target: string): string {
  const own = base.replace(/\/+$/, '');
  const path = target.startsWith('/') ? target : `/${target}`;
  const version = /\/v\d+(?:alpha|beta\d*)?$/.exec(own)?.[0];
  const rest =
    version && (path === version || path.startsWith(`${version}/`)) ? path.slice(version.length) : path;
  return `${own}${rest}` || '/';
}
