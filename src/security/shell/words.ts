import type { HereDoc, ParsedScript, Word, WordPart } from 'unbash';
import { type Atom, BREAK } from './atoms.ts';
import { expandBraces } from './braces.ts';
import { MAX_LENGTH } from './limits.ts';
import { expandParameter, specialParameter } from './parameters.ts';
import { ANY, globbed, keyOf, ONE, STAR, type Text, textOf, UNKNOWN } from './text.ts';
import { expandTilde } from './tilde.ts';
import type { World } from './world.ts';

/** Parses the spelling of a word that brace expansion made; null when that is no single word. */
export type ParseWord = (raw: string) => Word | null;

/** What a word is used for: an argument is split and globbed, a value is neither. */
export type Use = 'argument' | 'value';

/** The arguments that a word becomes: none, one or several. */
export function fieldsOf(word: Word, world: World, parseWord: ParseWord): readonly Text[] {
  const spellings = expandBraces(word.text);
  if (spellings === null) return [UNKNOWN];
  if (spellings.length === 1 && spellings[0] === word.text) return plainFields(word, world);
  return spellings.flatMap((raw) => {
    const part = raw === '' ? null : parseWord(raw);
    if (raw === '') return [];
    return part === null ? [UNKNOWN] : plainFields(part, world);
  });
}

/** The value of a word where the shell keeps it whole: an assignment, a here-string, a `case` subject. */
export function wholeOf(word: Word, world: World): Text {
  return bounded(atomsOf(word, world, 'value').map((atom) => (atom === BREAK ? ' ' : atom.text)));
}

function plainFields(word: Word, world: World): readonly Text[] {
  const fields: Text[] = [];
  let pieces: Text[] = [];
  let isField = false;
  const finish = () => {
    if (isField) fields.push(bounded(pieces));
    pieces = [];
    isField = false;
  };
  for (const atom of atomsOf(word, world, 'argument')) {
    if (atom === BREAK) {
      finish();
      continue;
    }
    pieces.push(atom.text);
    isField ||= atom.quoted || atom.text.length > 0;
  }
  finish();
  return fields;
}

/** Joins texts, giving up on those that grow without bound (`A=$A$A`). */
function bounded(pieces: readonly (Text | string)[]): Text {
  let length = 0;
  for (const piece of pieces.flat()) length += typeof piece === 'string' ? piece.length : 1;
  return length > MAX_LENGTH ? UNKNOWN : textOf(...pieces);
}

function atomsOf(word: Word, world: World, use: Use): readonly Atom[] {
  const parts = word.parts;
  if (parts === undefined) {
    return literalAtoms({ text: word.text, value: word.value }, world, use, true, false);
  }
  return parts.flatMap((part, at) => partAtoms(part, world, use, at === 0, at < parts.length - 1));
}

function literalAtoms(
  part: { text: string; value: string },
  world: World,
  use: Use,
  isFirst: boolean,
  hasMore: boolean,
): readonly Atom[] {
  const text = expandTilde(part, world, use, isFirst, hasMore);
  // A backslash makes an empty word a word: `\` before a line end does not, but leaves no text to quote.
  return [{ text, quoted: false }];
}

/** How each kind of word part is valued; parts inside double quotes come with `quoted`. */
function partAtoms(
  part: WordPart,
  world: World,
  use: Use,
  isFirst: boolean,
  hasMore: boolean,
): readonly Atom[] {
  switch (part.type) {
    case 'Literal':
      return literalAtoms(part, world, use, isFirst, hasMore);
    case 'Glob':
      return [{ text: use === 'value' ? textOf(part.text) : globText(part), quoted: false }];
    case 'ExtendedGlob':
      return [
        { text: use === 'value' ? UNKNOWN : part.text.includes('.') ? [STAR, STAR] : [STAR], quoted: false },
      ];
    case 'SingleQuoted':
      return [{ text: textOf(part.value), quoted: true }];
    case 'AnsiCQuoted':
      // Bytes that are no UTF-8 come as the replacement character: the real name is another one.
      return [{ text: part.value.includes('\uFFFD') ? UNKNOWN : textOf(part.value), quoted: true }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return [
        { text: [], quoted: part.parts.length === 0 || !isOnlyAllParams(part.parts) },
        ...part.parts.flatMap((child) =>
          child.type === 'Literal'
            ? [{ text: textOf(child.value), quoted: true }]
            : dynamicAtoms(child, world, true),
        ),
      ];
    case 'ProcessSubstitution':
      return [{ text: textOf('/dev/fd/63'), quoted: true }];
    case 'BraceExpansion':
      // Only a value still holds one here, and there it is text.
      return [{ text: part.parts === undefined ? textOf(part.text) : UNKNOWN, quoted: false }];
    default:
      return dynamicAtoms(part, world, use === 'value');
  }
}

function globText(part: { kind: string }): Text {
  // A bracket is widened to `*`: when nothing matches, the shell passes it on as it is spelled.
  return [part.kind === 'question' ? ONE : STAR];
}

/** `"$@"` alone is no word at all when there are no parameters. */
function isOnlyAllParams(parts: readonly WordPart[]): boolean {
  return parts.length === 1 && /^\$(@|\{@\})$/.test(parts[0]!.text);
}

function dynamicAtoms(part: WordPart, world: World, keepWhole: boolean): readonly Atom[] {
  switch (part.type) {
    case 'SimpleExpansion':
      return expanded(specialParameter(part.text.slice(1), world, keepWhole), keepWhole, world);
    case 'ParameterExpansion':
      return expanded(expandParameter(part, world, keepWhole, wholeOf), keepWhole, world);
    case 'CommandExpansion':
      return expanded([outputOf(part.script, world)], keepWhole, world);
    default:
      return [{ text: UNKNOWN, quoted: keepWhole }];
  }
}

function outputOf(script: ParsedScript | undefined, world: World): Text {
  const output = script === undefined ? null : world.printed(script);
  if (output === null) return UNKNOWN;
  const last = output.at(-1);
  return typeof last === 'string' ? textOf(output.slice(0, -1), last.replace(/\n+$/, '')) : output;
}

/** The fields of an expansion: whole inside quotes, split at blanks and globbed outside of them. */
function expanded(values: readonly Text[], keepWhole: boolean, world: World): readonly Atom[] {
  const atoms: Atom[] = [];
  for (const [at, value] of values.entries()) {
    if (at > 0) atoms.push(BREAK);
    if (keepWhole) atoms.push({ text: value, quoted: true });
    else atoms.push(...splitAtoms(value, world));
  }
  return atoms;
}

function splitAtoms(value: Text, world: World): readonly Atom[] {
  // With an IFS of its own the command splits where it likes.
  if (world.lookup('IFS') !== null && keyOf(value) !== '[]') return [{ text: [ANY], quoted: false }];
  return value.flatMap((piece): Atom[] => {
    if (typeof piece !== 'string') return [{ text: [piece], quoted: false }];
    return piece
      .split(/([ \t\n]+)/)
      .map((bit, at): Atom => (at % 2 === 1 ? BREAK : { text: globbed(bit), quoted: false }));
  });
}

/** The data of a here-document: expanded as in double quotes unless its delimiter is quoted. */
export function textOfBody(document: HereDoc, world: World): Text {
  const { body } = document;
  const isRaw = document.delimiter?.quoted ?? false;
  const literal = (text: string) => {
    const lines = document.operator === '<<-' ? text.replace(/^\t+/gm, '') : text;
    return textOf(isRaw ? lines : lines.replace(/\\([$`\\]|\n)/g, (_, char) => (char === '\n' ? '' : char)));
  };
  if (body.parts === undefined) return bounded([literal(body.text)]);
  const atoms = body.parts.flatMap((part): readonly Atom[] =>
    part.type === 'Literal' ? [{ text: literal(part.text), quoted: true }] : dynamicAtoms(part, world, true),
  );
  return bounded(atoms.map((atom) => (atom === BREAK ? ' ' : atom.text)));
}
