import { parse } from 'smol-toml';
import { messageOf, PactError } from '../../../core/errors.ts';
import type { Part } from './part.ts';

/** One table: its header as it is written, and its lines. */
export interface TomlTable {
  readonly header: string;
  readonly lines: readonly string[];
}

interface TomlPartOptions {
  readonly file: string;
  /** Tells this part from others of the same file. */
  readonly name: string;
  readonly tables: readonly TomlTable[];
  /** True for a table of ours: what its header says, and the lines under it. */
  readonly isOurs: (table: TomlTable) => boolean;
}

/** Text from one table's header to the next, which the host may write in any order and with tables of its own between. */
interface Section extends TomlTable {
  /** Lines as they stand, the header among them. */
  readonly all: readonly string[];
}

const HEADER = /^\s*\[.*\]\s*(?:#.*)?$/;

/**
 * The sections of a text. Lines of a list over several lines that look like a header would be taken for one: only our
 * own tables are touched, and those have no such line.
 */
function sectionsOf(text: string): Section[] {
  const sections: { header: string; all: string[] }[] = [{ header: '', all: [] }];
  for (const line of text.split('\n')) {
    if (HEADER.test(line)) sections.push({ header: line.trim(), all: [line] });
    else sections.at(-1)?.all.push(line);
  }
  return sections.map(({ header, all }) => ({
    header,
    all,
    lines: all.slice(1).filter((line) => line.trim() !== ''),
  }));
}

/** What stays of a table of ours: comments that somebody wrote under it, for they belong to what comes next. */
function leftOf({ all }: Section): string[] {
  const comment = all.findIndex((line) => line.trimStart().startsWith('#'));
  return comment < 0 ? [] : all.slice(comment);
}

function withoutOurs(text: string, isOurs: (table: TomlTable) => boolean): string {
  const kept: string[] = [];
  for (const section of sectionsOf(text)) {
    if (section.header === '' || !isOurs(section)) {
      kept.push(...section.all);
      continue;
    }
    // The blank line before a table of ours came with it; what ends the table ends what is before it now.
    if (kept.at(-1)?.trim() === '') kept.pop();
    const left = leftOf(section);
    if (left.length > 0) kept.push('', ...left);
    else if (section.all.at(-1) === '') kept.push('');
  }
  return kept.join('\n');
}

/** Remembered of a file whose last line had no end. */
const NO_END = 'no end of line';

function written({ header, lines }: TomlTable): string {
  return [header, ...lines, ''].join('\n');
}

function assertReads(file: string, text: string, why: string): void {
  try {
    parse(text);
  } catch (error) {
    throw new PactError(
      'CONFLICT',
      `${why}: ${messageOf(error).split('\n')[0] ?? ''}`,
      'Correct or remove what stands in the way, then install again.',
      { file },
    );
  }
}

/**
 * Tables at the end of a TOML file. A host that rewrites the file keeps tables but may put its own between ours, so
 * ours are told by what they say and not by marks around them.
 */
export function tomlPart({ file, name, tables, isOurs }: TomlPartOptions): Part {
  return {
    file,
    key: `${file}#${name}`,
    blank: '',
    entries: tables.map((table) => ({ path: [table.header], value: table.lines.join('\n') })),
    add(text, note) {
      const there = sectionsOf(text).filter((section) => section.header !== '' && isOurs(section));
      const same = (a: TomlTable, b: TomlTable) => written(a) === written({ ...b, lines: b.lines });
      if (there.length === tables.length && tables.every((table) => there.some((one) => same(table, one))))
        return null;
      assertReads(file, text, 'the file is not TOML that could be added to');
      const clean = withoutOurs(text, isOurs);
      const before = clean === '' || clean.endsWith('\n') ? clean : `${clean}\n`;
      const wanted = [before, ...tables.map(written)].filter((part) => part !== '').join('\n');
      assertReads(file, wanted, 'what PactClaw would add clashes with what is there');
      return { text: wanted, kept: note?.kept ?? (before === clean ? [] : [NO_END]) };
    },
    strip(text, note) {
      const left = withoutOurs(text, isOurs);
      const last = sectionsOf(text).at(-1);
      const wasLast = last !== undefined && last.header !== '' && isOurs(last);
      return wasLast && note?.kept.includes(NO_END) ? left.replace(/\n$/, '') : left;
    },
  };
}
