/** Headers of a request or of an answer, names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers that belong to one connection (RFC 9110 §7.6.1) or that describe a body which is written anew, or that lead elsewhere. */
const DROPPED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'expect',
  'content-length',
  // Leads clients to another address of the same service (RFC 7838).
  'alt-svc',
]);

type Plain = Record<string, string | readonly string[]>;

/** Headers as they go on, to either side. `without` names more that must not. */
export function forwarded(headers: Headers, without: readonly string[] = []): Plain {
  const listed = headers.connection;
  const named = (typeof listed === 'string' ? listed : (listed?.join(',') ?? ''))
    .split(',')
    .map((name) => name.trim().toLowerCase());
  const found: Plain = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || DROPPED.has(name) || named.includes(name) || without.includes(name)) continue;
    found[name] = value;
  }
  return found;
}
