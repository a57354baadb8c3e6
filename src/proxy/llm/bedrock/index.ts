import { RequestFault } from '../../../models/shapes.ts';
import { anthropic } from '../anthropic/index.ts';
import { headerOf } from '../session.ts';
import type { Protocol } from '../wire.ts';

const SIGNED =
  'the request is signed (SigV4), and its signature fits neither another address nor a body with the handshake in it';

/** Anthropic Messages in Amazon Bedrock's InvokeModel (Bedrock API reference; Claude models, Messages API). */
export const bedrock: Protocol = {
  ...anthropic,
  name: 'bedrock',
  view: (body) => {
    const { anthropic_version: version } = body;
    if (typeof version !== 'string' || !version.startsWith('bedrock-'))
      throw new RequestFault(
        400,
        'the body is none of Anthropic Messages, and only those are governed at Bedrock',
        'Send a body with anthropic_version bedrock-2023-05-31 to a Claude model.',
      );
    return anthropic.view(body);
  },
  admit: ({ headers, target }) => {
    const isSigned = /^AWS4-/i.test(headerOf(headers, 'authorization') ?? '');
    if (isSigned || /[?&]X-Amz-Signature=/i.test(target))
      throw new RequestFault(
        400,
        SIGNED,
        'Use an API key of Bedrock (AWS_BEARER_TOKEN_BEDROCK), or have the client send no signature to a gateway that signs itself (Claude Code: CLAUDE_CODE_SKIP_BEDROCK_AUTH=1).',
      );
  },
  error: (_status, message) => ({ message }),
};
