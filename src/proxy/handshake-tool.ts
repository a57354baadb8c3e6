import { isObject, type JsonObject } from '../core/json.ts';
import { HANDSHAKE_TOOL } from '../core/words.ts';
import { definitionOf, ownTool } from './mcp/own-tools.ts';

/** The handshake tool as a model is offered it, the same at every door (H-32). */
export interface HandshakeOffer {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly schema: JsonObject;
}

let offer: HandshakeOffer | null = null;

/** The offer, made once: the same bytes in every request keep the provider's cache warm. */
export function handshakeOffer(): HandshakeOffer {
  if (offer) return offer;
  const tool = ownTool(HANDSHAKE_TOOL);
  if (!tool) throw new Error('the handshake is not among our own tools');
  const { inputSchema } = definitionOf(tool);
  offer = {
    name: HANDSHAKE_TOOL,
    description: tool.description,
    schema: isObject(inputSchema) ? inputSchema : {},
  };
  return offer;
}
