import { messageOf } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { exactly, repeatsKey, writeExact } from '../../models/exact-json.ts';
import { RequestFault } from '../../models/shapes.ts';

/** A request's body, read. */
export interface ReadBody {
  readonly bytes: Buffer;
  /** What is judged. */
  readonly body: JsonObject;
  /** The same with every number as it was written: what is changed and sent on. */
  readonly exact: JsonObject;
}

/** Reads a request's body. Throws a RequestFault on what is no JSON object in UTF-8. */
export function readBody(bytes: Buffer): ReadBody {
  let body: unknown;
  let exact: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    body = JSON.parse(text);
    exact = exactly(text, body);
  } catch (error) {
    throw new RequestFault(400, `the body is not JSON: ${messageOf(error)}`, 'Send one JSON object.');
  }
  if (!isObject(body) || !isObject(exact))
    throw new RequestFault(400, 'the body is not a JSON object', 'Send one JSON object.');
  return { bytes, body, exact };
}

/**
 * A body as it goes upstream: the client's bytes where nothing was changed, else written anew. A body in which a key
 * comes twice is always written anew, so that the provider cannot read another value than was judged.
 */
export function writeBody({ bytes, body, exact }: ReadBody, edited: JsonObject): Uint8Array | string {
  return edited === exact && !repeatsKey(bytes.toString('utf8'), body) ? bytes : writeExact(edited);
}
