import type { IncomingMessage } from 'node:http';
import { checkResourceAllowed } from '@modelcontextprotocol/sdk/shared/auth-utils.js';
import { isObject, type JsonObject } from '../core/json.ts';
import { type Challenge, challengeHeaders, metadataIn } from './http-challenge.ts';

/** Where the metadata of a protected resource is (RFC 9728 §3.1); the resource's path follows. */
export const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const MAX_METADATA = 256 << 10;
const METADATA_MS = 10_000;

/** The text of a body, up to a bound in bytes. Throws when it is longer. */
async function textWithin(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw new Error(`a metadata document may have ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The document at an address; null if there is none that is for this server. */
async function documentAt(address: string, server: string): Promise<JsonObject | null> {
  try {
    const signal = AbortSignal.timeout(METADATA_MS);
    const response = await fetch(address, { redirect: 'error', signal });
    if (!response.ok || !response.body) return null;
    const value: unknown = JSON.parse(await textWithin(response.body, MAX_METADATA));
    if (!isObject(value) || typeof value.resource !== 'string') return null;
    const isItsOwn = checkResourceAllowed({ requestedResource: server, configuredResource: value.resource });
    return isItsOwn ? value : null;
  } catch {
    return null;
  }
}

/**
 * A server behind the proxy to which the client's own authorization goes. For the client the proxy is the protected
 * resource (MCP specification 2025-11-25, Authorization); the authorization server is asked by the client itself.
 */
export class ProtectedServer {
  #named: string | null = null;

  constructor(private readonly url: string) {}

  /** Headers with which the client is told what the server demands. */
  headersFor(challenge: Challenge, request: IncomingMessage): Record<string, string> {
    const named = metadataIn(challenge);
    // Only of the server's own origin: the proxy fetches nothing else for it.
    if (named !== null && URL.canParse(named) && new URL(named).origin === new URL(this.url).origin)
      this.#named = named;
    const [path = ''] = (request.url ?? '').split('?', 1);
    return challengeHeaders(challenge, `http://${request.headers.host}${WELL_KNOWN}${path}`);
  }

  /**
   * The server's metadata document, as that of the proxy's address at which the client asks: a client must not use one
   * that names another resource (RFC 9728 §3.3). Null if the server has none.
   */
  async metadata({ url = '', headers }: IncomingMessage): Promise<JsonObject | null> {
    const { origin, pathname } = new URL(this.url);
    const places = [this.#named, `${origin}${WELL_KNOWN}${pathname}`, `${origin}${WELL_KNOWN}`];
    for (const place of new Set(places.filter((one) => one !== null))) {
      const found = await documentAt(place, this.url);
      if (!found) continue;
      // What is signed names the server, and would count for more (RFC 9728 §2.2).
      const { signed_metadata: _signed, ...document } = found;
      const [asked = ''] = url.split('?', 1);
      return { ...document, resource: `http://${headers.host}${asked.slice(WELL_KNOWN.length)}` };
    }
    return null;
  }
}
