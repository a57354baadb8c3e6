import { mapOldResults } from '../../../models/anthropic/old-results.ts';
import type { Protocol } from '../wire.ts';
import { AnthropicBody } from './body.ts';
import { editRequest, viewRequest } from './request.ts';
import { AnthropicStream } from './stream.ts';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  504: 'timeout_error',
};

/** Anthropic Messages. */
export const anthropic: Protocol = {
  name: 'anthropic',
  view: viewRequest,
  edit: editRequest,
  mapResults: mapOldResults,
  answer: (_body, streamed) => (streamed ? new AnthropicStream() : new AnthropicBody()),
  results: (calls, texts) => [
    {
      role: 'user',
      content: calls.map(({ id }, at) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: texts[at]?.text ?? '',
        ...(texts[at]?.ok ? {} : { is_error: true }),
      })),
    },
  ],
  error: (status, message) => ({
    type: 'error',
    error: { type: TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'), message },
  }),
  heartbeat: 'event: ping\ndata: {"type":"ping"}\n\n',
};
