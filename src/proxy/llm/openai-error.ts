import type { JsonObject } from '../../core/json.ts';

/** An error in the shape of OpenAI's API. */
export function openaiError(status: number, message: string): JsonObject {
  const type = status < 500 ? 'invalid_request_error' : 'api_error';
  return { error: { message, type, param: null, code: null } };
}
