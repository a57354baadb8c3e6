import { type Lesson, lessonOf } from './lessons.ts';

/** A line of the brain with its place in the text. */
interface Line {
  readonly text: string;
  readonly from: number;
  /** Just after its line end. */
  readonly end: number;
  /** Inside a fenced block that is closed. An open fence fences nothing: it must not swallow `## Lessons`. */
  fenced: boolean;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\r\n]*)/;

function markFences(lines: readonly Line[]): void {
  /** Shortest mark of each kind that was never closed: a longer one further down is not closed either. */
  const unclosed = new Map<string, number>();
  for (let index = 0; index < lines.length; index += 1) {
    const [, mark = '', info = ''] = FENCE.exec((lines[index] as Line).text) ?? [];
    const kind = mark.charAt(0);
    if (mark === '' || (kind === '`' && info.includes('`'))) continue;
    if (mark.length >= (unclosed.get(kind) ?? Number.POSITIVE_INFINITY)) continue;
    const last = lines.findIndex((line, at) => {
      const fence = at > index ? FENCE.exec(line.text) : null;
      return fence?.[2]?.trim() === '' && fence[1]?.[0] === kind && fence[1].length >= mark.length;
    });
    if (last < 0) unclosed.set(kind, mark.length);
    else {
      for (const line of lines.slice(index, last + 1)) line.fenced = true;
      index = last;
    }
  }
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline + 1;
    lines.push({ text: text.slice(from, end).replace(/\r?\n$/, ''), from, end, fenced: false });
    from = end;
  }
  markFences(lines);
  return lines;
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;

/** The part of a brain that a line belongs to; `rest` is what stands under no heading of ours. */
type Part = 'guidelines' | 'lessons' | 'rest';

interface Placed extends Line {
  readonly part: Part;
  readonly heading: boolean;
}

function placedLines(text: string): Placed[] {
  let part: Part = 'rest';
  return linesOf(text).map((line) => {
    const heading = line.fenced ? null : HEADING.exec(line.text);
    if (heading && (heading[1] as string).length <= 2) {
      const title = heading[1] === '##' ? (heading[2] ?? '').toLowerCase() : '';
      part = title === 'guidelines' || title === 'lessons' ? title : 'rest';
      return { ...line, part, heading: part !== 'rest' };
    }
    return { ...line, part, heading: false };
  });
}

/** A brain file taken apart (C-28). */
export interface BrainText {
  /** What stands under `## Guidelines`; null when the file has no such heading. */
  readonly guidelines: string | null;
  /** All but the lessons. */
  readonly trusted: string;
  readonly lessons: readonly Lesson[];
}

const COMMENT = /<!--[\s\S]*?-->/g;

function toLessons(text: string): Lesson[] {
  const lessons: Lesson[] = [];
  for (const line of text.replace(COMMENT, '').split(/\r?\n/)) {
    const own = lessonOf(line);
    const last = lessons.at(-1);
    if (own) lessons.push(own);
    else if (line.trim() === '') continue;
    else if (/^\s+\S/.test(line) && last)
      lessons.push({ ...(lessons.pop() as Lesson), text: `${last.text} ${line.trim()}` });
    else lessons.push({ date: '', intentId: '', text: line.replace(/^[-*+] /, '') });
  }
  return lessons;
}

/**
 * Takes a brain file apart. INVARIANT (no promotion): a line in the form of a lesson is a lesson wherever it stands,
 * so that no fence, comment or heading of the file makes what an agent caused a trusted guideline.
 */
export function readBrainText(text: string): BrainText {
  const lines = placedLines(text);
  const join = (keep: (line: Placed) => boolean) =>
    lines
      .filter(keep)
      .map((line) => line.text)
      .join('\n');
  const isLesson = (line: Placed) => line.part === 'lessons' || lessonOf(line.text) !== null;
  const headed = lines.some((line) => line.heading && line.part === 'guidelines');
  return {
    guidelines: headed
      ? join((line) => line.part === 'guidelines' && !line.heading && !isLesson(line))
      : null,
    trusted: join((line) => !isLesson(line)),
    lessons: toLessons(join((line) => isLesson(line) && !line.heading)),
  };
}

/** The items of a guideline text: each list item with what belongs to it, each paragraph; sub-headings lead (H-37). */
export function toItems(text: string): string[] {
  const items: string[][] = [];
  let topic = '';
  let open = false;
  let gap = false;
  for (const line of linesOf(text.replace(COMMENT, ''))) {
    const heading = line.fenced ? null : HEADING.exec(line.text);
    const bullet = line.fenced ? null : /^ ?(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)/.exec(line.text);
    if (heading)
      [topic, open] = [(heading[1] as string).length > 2 && heading[2] ? `${heading[2]}: ` : '', false];
    else if (line.text.trim() === '' && !line.fenced) gap = true;
    else {
      if (bullet || !open || (gap && !/^\s/.test(line.text) && !line.fenced))
        items.push([topic + line.text.slice(bullet?.[0].length ?? 0)]);
      else (items.at(-1) as string[]).push(line.text);
      [open, gap] = [true, false];
    }
  }
  return items.map((lines) => lines.join('\n').trimEnd());
}

/** Where the next lesson goes in, and what must stand before it: after the last one, or under a new heading. */
export function lessonPlace(text: string): { readonly at: number; readonly before: string } {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = placedLines(text);
  const lead = (at: number) => (at > 0 && text[at - 1] !== '\n' ? eol : '');
  const last = lines.filter((line) => line.part === 'lessons' && line.text.trim() !== '').at(-1);
  if (last)
    return { at: last.end, before: lead(last.end) + (/^(?:[-*+] | {2,}\S)/.test(last.text) ? '' : eol) };
  const end = text.length;
  return { at: end, before: `${lead(end)}${end > 0 ? eol : ''}## Lessons${eol}${eol}` };
}
