import { messageOf } from '../core/errors.ts';
import type { Layout } from '../core/layout.ts';
import { replaceFile } from '../platform/durable-files.ts';
import { markOf, sameMark } from '../platform/file-mark.ts';
import { readIfThere } from '../platform/files.ts';
import { realPathOf } from '../platform/resolve-path.ts';
import { readSteady } from '../platform/steady-file.ts';
import { type BrainText, lessonPlace, readBrainText, toItems } from './brain-text.ts';
import { BRAIN } from './house-texts.ts';
import { type Lesson, lessonKey, lessonLine, lessonOf, type NewLesson } from './lessons.ts';

/** What the shared brain says (H-36, H-37, H-106). */
export interface Brain {
  /** Written by humans: binding. */
  readonly guidelines: readonly string[];
  /** Written about agents: information. In the order of the files. */
  readonly lessons: readonly Lesson[];
}

const MAX_FILE = 1 << 20;
const MAX_TEXT = 16_384;

function cut(text: string, source: string): string {
  if (text.length <= MAX_TEXT) return text;
  const at = text.lastIndexOf('\n', MAX_TEXT);
  return `${text.slice(0, at > 0 ? at : MAX_TEXT).toWellFormed()}\n[${source} is cut here: it is longer than ${MAX_TEXT} characters]`;
}

/** A brain file as it was taken apart. */
interface BrainFile extends BrainText {
  readonly text: string;
  /** The guidelines one by one, when this is the workspace's own brain; else all that it says, as one. */
  readonly items: readonly string[];
}

/** What was taken apart, by the bytes it came from: a proxy asks for it with every request. */
const inMemory = new WeakMap<Buffer, BrainFile>();

/** A brain file up to a bound; null when it is not there. Throws when it cannot be read. */
function readBrainFile(layout: Layout, source: string): BrainFile | null {
  const file = `${layout.root}/${source}`;
  const bytes = readSteady(file, MAX_FILE);
  if (bytes === null) return null;
  const known = inMemory.get(bytes);
  if (known) return known;
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const parts = readBrainText(text);
  const own = file === layout.brain;
  const trusted = parts.trusted.trim();
  const items = own
    ? toItems(cut(parts.guidelines ?? parts.trusted, source))
    : trusted === ''
      ? []
      : [`From ${source}:\n${cut(trusted, source)}`];
  const made = { ...parts, text, items };
  inMemory.set(bytes, made);
  return made;
}

/**
 * Reads the shared brain: the guidelines of `.orchestration/AGENT.md` one by one, and what other brain files of the
 * workspace say as a whole (C-28, C-29). Files that are not there add nothing (H-39); one that cannot be read says so
 * among the guidelines, so that a rule is never missing in silence.
 */
export function readBrain(layout: Layout): Brain {
  const guidelines: string[] = [];
  const lessons: Lesson[] = [];
  const seen = new Set<string>();
  for (const source of ['.orchestration/AGENT.md', 'AGENT.md', 'CLAUDE.md', '.orchestration/CLAUDE.md']) {
    try {
      const found = readBrainFile(layout, source);
      if (!found || seen.has(found.text)) continue;
      seen.add(found.text);
      lessons.push(...found.lessons);
      guidelines.push(...found.items);
    } catch (error) {
      guidelines.push(`[${source} cannot be read: ${messageOf(error)}]`);
    }
  }
  return { guidelines, lessons };
}

/** What became of a lesson. `unusable`: the brain is too large, not a file, or changed faster than it was read. */
export type LessonOutcome = 'appended' | 'known' | 'empty' | 'unusable';

/**
 * Appends a lesson under `## Lessons` of `.orchestration/AGENT.md` (H-107, H-108). Every byte that was there stays;
 * what is said already is not said twice. To be called under the workspace's lock; a human's save in between is
 * noticed and the lesson goes into the new text.
 */
export function appendLesson(layout: Layout, lesson: NewLesson): LessonOutcome {
  const line = lessonLine(lesson);
  const parsed = line === null ? null : lessonOf(line);
  if (line === null || !parsed) return 'empty';
  const { absolute: file, problem } = realPathOf(layout.brain, layout.root);
  if (problem !== null) return 'unusable';
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const mark = markOf(file);
    if (mark && mark.size > MAX_FILE) return 'unusable';
    const bytes = readIfThere(file) ?? Buffer.from(BRAIN);
    const known = readBrainText(bytes.toString('utf8')).lessons;
    if (known.some((one) => lessonKey(one) === lessonKey(parsed))) return 'known';
    // One character a byte, so that places are byte offsets whatever the human's encoding.
    const text = bytes.toString('latin1');
    const { at, before } = lessonPlace(text);
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const added = Buffer.from(`${before}${line}${eol}`);
    const now = markOf(file);
    if (mark === null ? now !== null : now === null || !sameMark(mark, now)) continue;
    replaceFile(file, Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]), { durable: true });
    return 'appended';
  }
  return 'unusable';
}
