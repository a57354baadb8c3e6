import { mapOldResults } from '../../../models/gemini/old-results.ts';
import { jsonArray } from '../framing.ts';
import type { Protocol } from '../wire.ts';
import { GeminiBody } from './body.ts';
import { editRequest, viewRequest } from './request.ts';
import { GeminiStream } from './stream.ts';

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  504: 'DEADLINE_EXCEEDED',
};

/** The target with `alt=sse`, in which Google streams server-sent events instead of one array. */
function asEvents(target: string): string {
  const [path = '', query = ''] = target.split('?', 2);
  const asked = new URLSearchParams(query);
  for (const key of ['alt', '$alt']) asked.delete(key);
  asked.set('alt', 'sse');
  return `${path}?${asked}`;
}

/** Google's generateContent, at the Gemini API and at Vertex AI. */
export const gemini: Protocol = {
  name: 'gemini',
  view: viewRequest,
  edit: editRequest,
  mapResults: mapOldResults,
  asStream: (target) => {
    const isArray = /:streamGenerateContent(?:$|\?)/.test(target) && !/[?&]alt=sse(?:&|$)/.test(target);
    return isArray ? { target: asEvents(target), framing: jsonArray() } : { target, framing: null };
  },
  answer: (_body, streamed) => (streamed ? new GeminiStream() : new GeminiBody()),
  results: (calls, texts) => [
    {
      role: 'user',
      parts: calls.map(({ id, name }, at) => ({
        functionResponse: {
          id,
          name,
          response: { [texts[at]?.ok ? 'output' : 'error']: texts[at]?.text ?? '' },
        },
      })),
    },
  ],
  error: (status, message) => ({
    error: {
      code: status,
      message,
      status: STATUS[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'UNAVAILABLE'),
    },
  }),
  // Google's own clients take an event for data, whatever it begins with; blank lines are none.
  heartbeat: '\n\n',
};
