import { HANDSHAKE_TOOL } from '../../core/words.ts';

/** The handshake tool as a model is offered it, in the JSON Schema that every agent kit takes (H-32). */
export const HANDSHAKE = {
  name: HANDSHAKE_TOOL,
  description:
    'Required before any other tool: names the active intent you work for and returns its scope, constraints and history. Call it again for each new request.',
  parameters: {
    type: 'object',
    properties: {
      intent_id: { type: 'string', description: 'ID of an open intent, for example INT-001' },
      reasoning: {
        type: 'string',
        description: 'Why this request belongs to that intent; kept as the rationale of what you change',
      },
    },
    required: ['intent_id'],
    additionalProperties: false,
  },
} as const;
