import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is turned away before anybody reads it. */
export interface NotAdmitted {
  readonly status: 401 | 403;
  readonly why: string;
}

/** Whom a server lets in. */
export interface AdmissionRules {
  /** The address that the server listens on. */
  readonly host: string;
  /** What every request must bring as its bearer token; null where none is asked for. */
  readonly token: string | null;
}

/** Whether a name or address of a host is this machine's own for itself (RFC 6761 §6.3, RFC 1122 §3.2.1.3). */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}

function hasToken(given: string | undefined, token: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(`Bearer ${token}`)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether a request comes from a web page that this machine did not serve. */
function isForeignPage(headers: IncomingHttpHeaders, isOwn: (name: string) => boolean): boolean {
  const { origin } = headers;
  // Browsers leave Origin out of some requests for other sites, and mark those by this header (Fetch Metadata).
  if (origin === undefined) return headers['sec-fetch-site'] === 'cross-site';
  return !URL.canParse(origin) || !isOwn(new URL(origin).hostname);
}

/**
 * Why a request must not be served; null when it may. A web page can send requests to a port of this machine, under
 * its own name if that name leads here (DNS rebinding): Host and Origin tell (MCP specification 2025-11-25, Transports,
 * Security). Where other machines may connect, names under which they do are not known and Host is not checked.
 */
export function whyNotAdmitted(
  headers: IncomingHttpHeaders,
  { host, token }: AdmissionRules,
): NotAdmitted | null {
  const isOwn = (name: string) => isLoopback(name) || name.toLowerCase() === host.toLowerCase();
  const named = (headers.host ?? '').replace(/:\d+$/, '');
  if (isLoopback(host) && !isOwn(named))
    return { status: 403, why: `the host ${named.slice(0, 256)} is not this machine; use 127.0.0.1` };
  if (isForeignPage(headers, isOwn))
    return { status: 403, why: `the origin ${String(headers.origin).slice(0, 256)} is not this machine` };
  if (token !== null && !hasToken(headers.authorization, token))
    return { status: 401, why: 'the bearer token is missing or wrong' };
  return null;
}
