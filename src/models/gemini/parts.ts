import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { asking } from '../asking.ts';
import { type AskedCall, count, type TokenUse } from '../shapes.ts';

/** Tests a text for what must not stand in anything that goes on unjudged. */
export const asksForCall = asking(/"function_?call"\s*:(?!\s*null\b)/);

/** Keys of a part that asks nobody for anything: speech, and what the provider has already done by itself. */
const SPEECH = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
  'videoMetadata',
  'mediaResolution',
  'partMetadata',
  'audioTranscription',
]);

/** A key as JSON of Google's APIs has it; they read `function_call` as `functionCall` (ProtoJSON). */
export function camelCase(key: string): string {
  return key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** An object with its own keys in that spelling. */
export function spelled(value: JsonObject): JsonObject {
  if (!Object.keys(value).some((key) => key.includes('_'))) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [camelCase(key), one]));
}

/** A repeated field, of which Google also takes one element without its list; what is no object is left out. */
export function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

/** The parts of a content, in one spelling. */
export function partsOf(content: JsonValue | undefined): readonly JsonObject[] {
  return isObject(content) ? listOf(content.parts).map(spelled) : [];
}

/** True for a part that may be passed on unjudged. A key that nobody knows may be a new way of asking. */
export function isSpeech(part: JsonObject): boolean {
  return Object.entries(part).every(([key, value]) => value === null || SPEECH.has(key));
}

/** What the model says in words; thoughts are none. */
export function textOf(parts: readonly JsonObject[]): string {
  return parts
    .flatMap(({ text, thought }) => (typeof text === 'string' && thought !== true ? [text] : []))
    .join('');
}

/** The call that a part asks for; `id` stands in where the provider gives none. */
export function callOf({ functionCall: call, ...part }: JsonObject, id: string): AskedCall {
  if (!isObject(call) || !isSpeech(part))
    return {
      id,
      name: Object.keys(part).join(', '),
      args: null,
      fault: 'it is of a kind that nobody here can read',
    };
  const name = typeof call.name === 'string' ? call.name : '';
  const own = { id: typeof call.id === 'string' && call.id !== '' ? call.id : id, name };
  if (name === '') return { ...own, args: null, fault: 'it has no name' };
  if (call.partialArgs !== undefined || call.willContinue === true)
    return { ...own, args: null, fault: 'its arguments come in pieces, which is not governed here' };
  const args = call.args ?? {};
  if (!isObject(args)) return { ...own, args: null, fault: 'its arguments are no JSON object' };
  return { ...own, args, fault: null };
}

/** New work that usage metadata tells of; null when it tells of none. */
export function useOf(usage: unknown): TokenUse | null {
  if (!isObject(usage) || (usage.promptTokenCount === undefined && usage.candidatesTokenCount === undefined))
    return null;
  return {
    input:
      Math.max(0, count(usage.promptTokenCount) - count(usage.cachedContentTokenCount)) +
      count(usage.toolUsePromptTokenCount),
    output: count(usage.candidatesTokenCount) + count(usage.thoughtsTokenCount),
  };
}
