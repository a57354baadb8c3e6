import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';

/** JSON-RPC 2.0 messages as MCP uses them (specification 2025-11-25, Base protocol). */
export type RequestId = string | number;

export interface Request {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject | undefined;
}

export interface Notification {
  readonly method: string;
  readonly params: JsonObject | undefined;
}

/** How a request was answered: with a result, or with an error. */
export type Answer = { readonly result: JsonObject } | { readonly error: JsonObject };

/** JSON-RPC 2.0 §5.1, and what MCP's SDKs use for a connection that is gone. */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
  gone: -32001,
} as const;

export function failure(code: number, message: string, data?: JsonValue): Answer {
  return { error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** A tool's own error: the model reads it and can react (specification, Tools: Error Handling). */
export function toolError(text: string): Answer {
  return { result: { content: [{ type: 'text', text }], isError: true } };
}

export function isFailure(answer: Answer): boolean {
  return 'error' in answer || answer.result.isError === true;
}

/** What a JSON value that came over a wire is. */
export type Incoming =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'notification'; readonly notification: Notification }
  | { readonly kind: 'answer'; readonly id: RequestId; readonly answer: Answer }
  | { readonly kind: 'invalid'; readonly id: RequestId | null; readonly why: string };

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}

function invalid(id: RequestId | null, why: string): Incoming {
  return { kind: 'invalid', id, why };
}

function answerOf(value: JsonObject): Answer | null {
  const { result, error } = value;
  if (isObject(result) && error === undefined) return { result };
  const isError = isObject(error) && typeof error.code === 'number' && typeof error.message === 'string';
  return isError && result === undefined ? { error } : null;
}

/** Tells what a value is. Whatever is no message of JSON-RPC 2.0 is `invalid`, with the reason. Never throws. */
export function readMessage(value: JsonValue): Incoming {
  if (Array.isArray(value))
    return invalid(null, 'batches of messages are not part of MCP since 2025-06-18; send one at a time');
  if (!isObject(value)) return invalid(null, 'a message must be a JSON object');
  const { id, method, params } = value;
  const known = isId(id) ? id : null;
  if (value.jsonrpc !== '2.0') return invalid(known, 'jsonrpc must be "2.0"');
  if (method === undefined) {
    if (known === null) return invalid(null, 'it has neither a method nor an id');
    const answer = answerOf(value);
    return answer
      ? { kind: 'answer', id: known, answer }
      : invalid(known, 'an answer must have an object as its result, or an error with code and message');
  }
  if (typeof method !== 'string' || method === '') return invalid(known, 'method must be a string');
  if (params !== undefined && !isObject(params)) return invalid(known, 'params must be an object');
  if (id === undefined) return { kind: 'notification', notification: { method, params } };
  if (known === null) return invalid(null, 'id must be a string or a number');
  return { kind: 'request', request: { id: known, method, params } };
}
