import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { UNSEEN } from '../../core/unseen.ts';
import type { Answer } from '../../mcp/message.ts';

/** Members that describe something to a model. */
const WORDS: ReadonlySet<string> = new Set(['title', 'description']);

/** Text in which a model reads no more than a human sees: what hides or turns text is spelled out. */
export function spell(text: string): string {
  return text.replace(UNSEEN, (char) =>
    char === '\n' || char === '\t' ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
}

function spelledIn(value: JsonValue | undefined, isWords: boolean): JsonValue | undefined {
  if (typeof value === 'string') return isWords ? spell(value) : value;
  if (Array.isArray(value)) return value.map((one) => spelledIn(one, false) as JsonValue);
  return isObject(value) ? spelled(value) : value;
}

/** A definition whose titles and descriptions, at any depth, are spelled out. Other values stay: calls depend on them. */
export function spelled(definition: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(definition).map(([key, value]) => [key, spelledIn(value, WORDS.has(key))]),
  );
}

/** A list of definitions, the same way. */
export function spelledOut(answer: Answer): Answer {
  return 'error' in answer ? answer : { result: spelled(answer.result) };
}
