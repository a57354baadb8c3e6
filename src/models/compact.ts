import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';

/** When a history is shortened: `tokens` is the model's context, `share` of it the most that is sent (H-98). */
export interface ContextLimit {
  readonly tokens: number;
  readonly share: number;
}

/** An old tool result in a request's history. */
export interface OldResult {
  readonly id: string;
  readonly text: string;
}

/** What a protocol offers for it: every result before the model last spoke, replaced where `change` gives a text. */
export type MapResults = (body: JsonObject, change: (result: OldResult) => string | null) => JsonObject;

/** A shortened request. */
export interface Compaction {
  readonly body: JsonObject;
  /** Results that were left out. */
  readonly left: number;
  readonly beforeTokens: number;
  readonly afterTokens: number;
}

/** What a rough count takes for a token; of a history, and on the safe side for code. */
const CHARS_PER_TOKEN = 3.6;
/** Shortened to this part of the share, so that the next requests need no other cut and the provider's cache holds. */
const GOAL = 0.75;
/** Results are left out so many at a time, for the same reason. */
const STEP = 4;
const FIRST_LINE = 160;

/** Context of models by their names; what is not here is not shortened unless the human names a size. */
const KNOWN: readonly (readonly [RegExp, number])[] = [
  [/(?:^|anthropic\.)claude/, 200_000],
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_000_000],
  [/^(gpt-4o|gpt-4-turbo)/, 128_000],
  [/^o[134]/, 200_000],
  [/^gemini/, 1_048_576],
];

/** The context of a model, in tokens; null when it is not known. `beta` is the header that asks for a longer one. */
export function contextOf(model: string | null, beta: string): number | null {
  if (model === null) return null;
  if (beta.includes('context-1m')) return 1_000_000;
  return KNOWN.find(([pattern]) => pattern.test(model))?.[1] ?? null;
}

/** Characters of a request that become tokens; pictures and files do not by their length. */
function charsOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return value.startsWith('data:') ? 4_000 : value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + charsOf(one), 0);
  if (!isObject(value)) return 4;
  const { type, mimeType, data } = value;
  const isFile = (type === 'base64' || typeof mimeType === 'string') && typeof data === 'string';
  return Object.entries(value).reduce(
    (sum, [key, one]) => sum + key.length + 4 + (isFile && key === 'data' ? 4_000 : charsOf(one)),
    0,
  );
}

/** What stands for a result that was left out: enough to know what it was and to ask for it again. */
export function summaryOf(text: string): string {
  const lines = text.split('\n');
  const first = (lines.find((line) => line.trim() !== '') ?? '').trim().slice(0, FIRST_LINE).toWellFormed();
  return `[An old result, left out to stay within the context: ${lines.length} lines, ${text.length} characters. It began: ${first}]`;
}

/**
 * A request whose old tool results are left out, the oldest first, when it nears the model's context (H-96). The system
 * prompt with scope and constraints, every word of the user's and the latest results stay as they are (H-97). The same
 * history gives the same request (H-98). Null when it is short enough or nothing can be left out.
 */
export function compact(
  body: JsonObject,
  bytes: number,
  limit: ContextLimit,
  mapResults: MapResults,
): Compaction | null {
  const most = limit.tokens * limit.share * CHARS_PER_TOKEN;
  if (bytes <= most) return null;
  const before = charsOf(body);
  if (before <= most) return null;
  const savings: number[] = [];
  mapResults(body, ({ text }) => {
    savings.push(Math.max(0, text.length - summaryOf(text).length));
    return null;
  });
  let [left, saved] = [0, 0];
  while (left < savings.length && (before - saved > most * GOAL || left % STEP !== 0))
    saved += savings[left++] ?? 0;
  if (saved === 0) return null;
  let at = 0;
  const shorter = mapResults(body, ({ text }) => {
    if (at++ >= left) return null;
    const summary = summaryOf(text);
    return summary.length < text.length ? summary : null;
  });
  return {
    body: shorter,
    left,
    beforeTokens: Math.ceil(before / CHARS_PER_TOKEN),
    afterTokens: Math.ceil((before - saved) / CHARS_PER_TOKEN),
  };
}
