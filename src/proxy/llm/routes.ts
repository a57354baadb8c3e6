import type { Protocol } from './wire.ts';

/** What is to be done with a request. */
export type Route =
  | { readonly kind: 'governed'; readonly protocol: Protocol['name'] }
  /** No tool call can come out of it. */
  | { readonly kind: 'passed' }
  /** Tool calls would reach the client by it unjudged. */
  | { readonly kind: 'refused'; readonly why: string };

/** Endpoints that lead to tool calls by ways this door does not govern, with their names. */
const UNGOVERNED: readonly (readonly [RegExp, string])[] = [
  [/\/(threads|assistants)(\/|$)/, 'the Assistants API'],
  [/\/(messages\/)?batches(\/|$)/, 'batches of requests'],
  [/\/realtime(\/|$)/, 'the Realtime API'],
  [/:(stream|bidi)?generatecontent$/, "Gemini's API"],
  [/\/(converse|converse-stream|invoke|invoke-with-response-stream)$/, "Bedrock's API"],
  [/\/api\/(chat|generate)$/, "Ollama's own API; use its /v1"],
];

/** A path in one spelling, for comparing only: what goes upstream is what the client sent. */
function plainPath(target: string): string {
  const path = target.split(/[?#]/, 1)[0] ?? '';
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // What cannot be decoded is compared as it is.
  }
  const segments: string[] = [];
  for (const segment of decoded.toLowerCase().split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/** Sorts a request by its method and path, whatever base the client was given. */
export function routeOf(method: string, target: string): Route {
  const path = plainPath(target);
  for (const [pattern, name] of UNGOVERNED)
    if (pattern.test(path)) return { kind: 'refused', why: `${name} is not governed here` };
  if (method === 'GET' && /\/responses\/[^/]+(\/input_items)?$/.test(path))
    return { kind: 'refused', why: 'a stored response holds calls that nobody has judged' };
  if (method !== 'POST') return { kind: 'passed' };
  if (path.endsWith('/messages')) return { kind: 'governed', protocol: 'anthropic' };
  if (path.endsWith('/chat/completions')) return { kind: 'governed', protocol: 'chat' };
  if (path.endsWith('/responses')) return { kind: 'governed', protocol: 'responses' };
  return { kind: 'passed' };
}

/** The path at the upstream: its own base before what the client sent, without naming the version twice. */
export function upstreamPath(base: string, target: string): string {
  const own = base.replace(/\/+$/, '');
  const path = target.startsWith('/') ? target : `/${target}`;
  const version = /\/v\d+$/.exec(own)?.[0];
  const rest =
    version && (path === version || path.startsWith(`${version}/`)) ? path.slice(version.length) : path;
  return `${own}${rest}` || '/';
}
