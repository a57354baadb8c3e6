import { resultOf } from '../../../models/responses/items.ts';
import { mapOldResults } from '../../../models/responses/old-results.ts';
import { openaiError } from '../openai-error.ts';
import type { Protocol } from '../wire.ts';
import { ResponsesBody } from './body.ts';
import { editRequest, viewRequest } from './request.ts';
import { ResponsesStream } from './stream.ts';

/** OpenAI's Responses. */
export const responses: Protocol = {
  name: 'responses',
  view: viewRequest,
  edit: editRequest,
  mapResults: mapOldResults,
  answer: (body, streamed) => (streamed ? new ResponsesStream(body) : new ResponsesBody(body)),
  results: (calls, texts) =>
    calls.flatMap((call, at) => {
      const result = resultOf(call, texts[at]?.text ?? '');
      return result ? [result] : [];
    }),
  error: openaiError,
  heartbeat: ': waiting\n\n',
};
