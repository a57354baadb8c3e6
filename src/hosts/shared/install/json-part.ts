import type { JsonText } from './json-edit.ts';
import { add, type Entry, type FindOurs, isInstalled, type Kept, keptIn, strip } from './merge.ts';
import type { Part } from './part.ts';

interface JsonPartOptions {
  readonly file: string;
  /** Tells this part from others of the same file. */
  readonly name?: string;
  readonly entries: readonly Entry[];
  readonly ours: FindOurs;
  /** Throws when an entry's place is taken by somebody else. */
  readonly assertFree?: (json: JsonText) => void;
  /** What else must stay when we go, beside empty containers. */
  readonly alsoKept?: (json: JsonText) => Kept;
}

/** Entries in a JSON file whose other bytes stay as they are. */
export function jsonPart({ file, name, entries, ours, assertFree, alsoKept }: JsonPartOptions): Part {
  return {
    file,
    key: name === undefined ? file : `${file}#${name}`,
    blank: '{}\n',
    entries,
    add(text, note) {
      const json = { text, file };
      assertFree?.(json);
      const known = note?.kept ?? [];
      if (isInstalled(json, entries, known, ours)) return null;
      const clean = strip(json, known, ours);
      const kept = [...keptIn(clean, entries), ...(alsoKept?.(clean) ?? [])];
      return { text: add(clean, entries).text, kept };
    },
    strip: (text, note) => strip({ text, file }, note?.kept ?? [], ours).text,
  };
}
