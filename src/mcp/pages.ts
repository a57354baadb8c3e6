import { isObject, type JsonObject } from '../core/json.ts';
import type { Answer } from './message.ts';
import { CODES, failure } from './message.ts';
import type { Upstream } from './upstream.ts';

/** Most pages and entries of one list: a server that never comes to an end must not keep us reading. */
const MAX_PAGES = 500;
const MAX_ENTRIES = 20_000;

/** Every entry of a server's list, or the error that it answered. */
export type Entries = { readonly entries: readonly JsonObject[] } | { readonly error: JsonObject };

function tooLong(upstream: Upstream, method: string): Entries {
  return failure(
    CODES.refused,
    `MCP server ${upstream.name} does not come to an end in ${method}`,
  ) as Entries;
}

/** Reads all pages of a list (specification, Pagination). `key` is the member that holds the entries. */
export async function readPages(upstream: Upstream, method: string, key: string): Promise<Entries> {
  const entries: JsonObject[] = [];
  let params: JsonObject | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer: Answer = await upstream.request(method, params).answer;
    if ('error' in answer) return answer;
    const { [key]: found, nextCursor } = answer.result;
    if (!Array.isArray(found) || !found.every(isObject))
      return failure(
        CODES.internal,
        `MCP server ${upstream.name} answered ${method} without ${key}`,
      ) as Entries;
    entries.push(...(found as JsonObject[]));
    if (entries.length > MAX_ENTRIES) break;
    if (typeof nextCursor !== 'string') return { entries };
    params = { cursor: nextCursor };
  }
  return tooLong(upstream, method);
}
