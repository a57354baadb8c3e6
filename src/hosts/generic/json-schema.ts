import * as z from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { answerSchema, messageSchema } from './contract.ts';
import { CONTRACT, HARMLESS_KINDS } from './names.ts';

/** Rules of the contract that hang on two keys at once; zod's own translation leaves them out. */
const CALL_RULES: readonly JsonObject[] = [
  {
    if: { properties: { mutating: { const: false } }, required: ['mutating', 'kind'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { properties: { kind: { enum: [...HARMLESS_KINDS] } } },
  },
  {
    if: { properties: { kind: { const: 'execute' } }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { required: ['command'] },
  },
];
const MESSAGE_RULES: readonly JsonObject[] = [
  {
    if: { properties: { event: { enum: ['pre_tool_use', 'post_tool_use'] } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { required: ['call'] },
  },
];

function titled(schema: JsonObject, file: string, title: string): JsonObject {
  return { ...schema, $id: `urn:${CONTRACT.replace(/[./]/g, ':')}:${file}`, title };
}

/** The contract as JSON Schema 2020-12, by the name of its file in the package. */
export function contractSchemas(): Readonly<Record<string, JsonObject>> {
  const message = z.toJSONSchema(messageSchema, { io: 'input' }) as unknown as JsonObject;
  const properties = message.properties as JsonObject;
  const call = { ...(properties.call as JsonObject), allOf: CALL_RULES };
  const ruled = { ...message, properties: { ...properties, call }, allOf: MESSAGE_RULES };
  const answer = z.toJSONSchema(answerSchema) as unknown as JsonObject;
  return {
    'hook-message.schema.json': titled(
      ruled,
      'hook-message',
      'One event of an agent, for pactclaw hook generic',
    ),
    'hook-answer.schema.json': titled(answer, 'hook-answer', 'What pactclaw hook generic answers'),
  };
}
