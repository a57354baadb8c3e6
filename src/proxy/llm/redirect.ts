import { PactError } from '../../core/errors.ts';
import type { UpstreamReply } from './ports.ts';
import { headerOf } from './session.ts';

/**
 * Throws on a redirect (RFC 9110 §15.4). A client that followed it would go around the proxy, with all its tools; 304
 * leads nowhere.
 */
export function assertNoRedirect({ status, headers, chunks }: UpstreamReply): void {
  if (status < 300 || status > 399 || status === 304) return;
  // Nothing of its body is wanted; unread it would hold the connection.
  void chunks[Symbol.asyncIterator]()
    .return?.()
    .catch(() => {});
  const to = headerOf(headers, 'location')?.split('?', 1)[0]?.slice(0, 200);
  throw new PactError(
    'UNAVAILABLE',
    `the upstream answered ${status}${to === undefined ? '' : ` and points to ${to}`}, which the client would follow around the proxy`,
    'Give the address that it points to as --upstream.',
  );
}
