import type { paint as Paint } from '../output.ts';
import { cut, widthOf } from './text.ts';

export type Tone = 'plain' | 'dim' | 'bold' | 'good' | 'warn' | 'bad';

/** A piece of a line in one colour. The text holds no control characters. */
export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

export type Line = readonly Span[];

export function span(text: string, tone: Tone = 'plain'): Span {
  return { text, tone };
}

/** A line cut to at most so many columns. */
export function cutLine(line: Line, width: number): Line {
  const kept: Span[] = [];
  let left = width;
  for (const [at, { text, tone }] of line.entries()) {
    const isLast = line.slice(at + 1).every((rest) => rest.text.trim() === '');
    const columns = widthOf(text);
    if (columns < left || (isLast && columns === left)) {
      kept.push({ text, tone });
      left -= columns;
      continue;
    }
    kept.push({ text: columns === left && !isLast ? cut(`${text} `, left) : cut(text, left), tone });
    break;
  }
  return kept;
}

const COLOUR: Readonly<Record<Tone, 'dim' | 'bold' | 'green' | 'yellow' | 'red' | null>> = {
  plain: null,
  dim: 'dim',
  bold: 'bold',
  good: 'green',
  warn: 'yellow',
  bad: 'red',
};

/** A line as text; `paint` adds its colours. */
export function toText(line: Line, paint?: typeof Paint): string {
  const text = line.map((one) => {
    const colour = COLOUR[one.tone];
    return paint && colour && one.text.trim() !== '' ? paint[colour](one.text) : one.text;
  });
  return text.join('').trimEnd();
}
