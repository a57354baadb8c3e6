import { isObject, type JsonObject } from '../core/json.ts';

/** A server's demand for an authorization that the client has to bring (RFC 6750 §3). */
export interface Challenge {
  readonly status: 401 | 403;
  /** Its `WWW-Authenticate`; null if it sent none. */
  readonly header: string | null;
}

const MEMBER = 'httpChallenge';
const METADATA = /\bresource_metadata\s*=\s*(?:"([^"]*)"|([^\s,"]+))/gi;

/** What a response demands. A 403 without `WWW-Authenticate` is a plain refusal, which no other token changes. */
export function challengeOf({ status, headers }: Response): Challenge | null {
  const header = headers.get('www-authenticate');
  if (status === 401) return { status, header };
  return status === 403 && header !== null ? { status, header } : null;
}

/** A demand as a JSON-RPC error, by which it reaches the door that the client came through. */
export function challengeError({ status, header }: Challenge): JsonObject {
  const message = `the server asks for another authorization (HTTP ${status})`;
  return { code: -32000, message, data: { [MEMBER]: { status, header } } };
}

/** The demand in a JSON-RPC error; null if it is another error. */
export function challengeIn(error: unknown): Challenge | null {
  const data = isObject(error) && isObject(error.data) ? error.data[MEMBER] : null;
  if (!isObject(data) || (data.status !== 401 && data.status !== 403)) return null;
  return { status: data.status, header: typeof data.header === 'string' ? data.header : null };
}

/** The address of the metadata document that a demand names (RFC 9728 §5.1); null if it names none. */
export function metadataIn({ header }: Challenge): string | null {
  const [match] = (header ?? '').matchAll(METADATA);
  return match?.[1] ?? match?.[2] ?? null;
}

/** The headers of a demand, with another address for the metadata document where it names one. */
export function challengeHeaders({ header }: Challenge, metadata: string): Record<string, string> {
  if (header === null) return {};
  return { 'www-authenticate': header.replace(METADATA, () => `resource_metadata="${metadata}"`) };
}
