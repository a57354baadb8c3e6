import { toWellFormed } from '../core/json.ts';
import { maskSecrets } from '../core/mask-secrets.ts';
import { UNSEEN } from '../core/unseen.ts';

/** Something that went wrong once, as the shared brain keeps it (H-107). Written by the engine about agents: untrusted. */
export interface Lesson {
  /** `YYYY-MM-DD`; empty when a human wrote it without one. */
  readonly date: string;
  /** Empty when it belongs to no intent. */
  readonly intentId: string;
  readonly text: string;
}

/** A lesson to be kept. */
export interface NewLesson {
  readonly dateIso: string;
  readonly intentId: string;
  readonly text: string;
}

const MAX_TEXT = 500;
const OWN_FORM = /^- (\d{4}-\d{2}-\d{2}) \[([\w.:/-]*)\] (\S.*)$/;

/** Any text as one harmless line: no heading, no list, no comment, no control character, no secret (H-108, C-28). */
function neutralise(text: string): string {
  const line = toWellFormed(text)
    .split(/[\n\r\v\f\u0085\u2028\u2029]+/)
    .map((part) => part.trimStart().replace(/^(?:(?:#{1,6}|[-*+>]|={2,})(?:\s+|$)){1,20}/, ''))
    .join(' ')
    .replaceAll('\t', ' ')
    .replace(UNSEEN, '')
    .replaceAll('<!--', '<! --')
    .replaceAll('-->', '-- >');
  const masked = maskSecrets(line).replace(/\s+/g, ' ').trim();
  const letters = [...masked];
  return letters.length <= MAX_TEXT ? masked : `${letters.slice(0, MAX_TEXT - 1).join('')}…`;
}

/** The line that keeps a lesson, without its line end; null when nothing is left to say (H-107). */
export function lessonLine({ dateIso, intentId, text }: NewLesson): string | null {
  const said = neutralise(text);
  const date = /^\d{4}-\d{2}-\d{2}/.exec(dateIso)?.[0] ?? '0000-00-00';
  return said === '' ? null : `- ${date} [${intentId.replace(/[^\w.:/-]/g, '_')}] ${said}`;
}

/** The lesson on a line that {@link lessonLine} made; null for any other line. */
export function lessonOf(line: string): Lesson | null {
  const match = OWN_FORM.exec(line.trimEnd());
  return match && { date: match[1] as string, intentId: match[2] as string, text: match[3] as string };
}

/** Two lessons with one key say the same: intent and words, whatever the day, case and spacing (H-108). */
export function lessonKey({ intentId, text }: Lesson): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [text];
  return `${intentId} ${words.join(' ')}`;
}

const COMMON = new Set(
  'src lib app apps test tests spec index main file files the and for with from into that this not was were are but add fix new use used all its has had have can did does get set json html css tsx jsx md'.split(
    ' ',
  ),
);

function wordsOf(text: string): Set<string> {
  const words = text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
  return new Set(words.filter((word) => word.length > 2 && !COMMON.has(word)));
}

/**
 * Lessons that fit an intent: its own, and those that share a word with its name or scope. Newest first, at most
 * `limit` (H-36, Q-4).
 */
export function relevantLessons(
  lessons: readonly Lesson[],
  intent: { readonly id: string; readonly name: string; readonly ownedScope: readonly string[] },
  limit = 12,
): Lesson[] {
  const domain = wordsOf(`${intent.name} ${intent.ownedScope.join(' ')}`);
  const fits = (lesson: Lesson) =>
    lesson.intentId === intent.id || [...wordsOf(lesson.text)].some((word) => domain.has(word));
  return lessons
    .toReversed()
    .filter(fits)
    .sort((a, b) => (a.date === b.date ? 0 : a.date < b.date ? 1 : -1))
    .slice(0, limit);
}
