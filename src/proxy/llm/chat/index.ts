import { mapOldResults } from '../../../models/chat/old-results.ts';
import { openaiError } from '../openai-error.ts';
import type { Protocol } from '../wire.ts';
import { ChatBody } from './body.ts';
import { editRequest, viewRequest } from './request.ts';
import { ChatStream } from './stream.ts';

/** OpenAI's chat/completions. */
export const chat: Protocol = {
  name: 'chat',
  view: viewRequest,
  edit: editRequest,
  mapResults: mapOldResults,
  answer: (body, streamed) => (streamed ? new ChatStream(body) : new ChatBody()),
  results: (calls, texts) =>
    calls.map(({ id }, at) => ({ role: 'tool', tool_call_id: id, content: texts[at]?.text ?? '' })),
  error: openaiError,
  heartbeat: ': waiting\n\n',
};
