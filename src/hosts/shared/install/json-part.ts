import { isObject } from '../../../core/json.ts';
import { type JsonText, valueAt } from './json-edit.ts';
import { add, type Entry, type FindOurs, isInstalled, type Kept, keptIn, sameJson, strip } from './merge.ts';
import type { Part } from './part.ts';
import { settingAt } from './settings-files.ts';

/** Every entry of ours names a program or a server that contains this name. */
const OUR_NAME = 'pactclaw';

interface JsonPartOptions {
  readonly file: string;
  /** Tells this part from others of the same file. */
  readonly name?: string;
  readonly entries: readonly Entry[];
  /** Plain settings that give way to what a human has said there. */
  readonly yielding?: readonly Entry[];
  readonly ours: FindOurs;
  /** Throws if something else is at an entry's place. */
  readonly assertFree?: (json: JsonText) => void;
  /** What else must stay when we go, beside empty containers. */
  readonly alsoKept?: (json: JsonText) => Kept;
}

/**
 * True where an entry can be added, or stands already: nothing else is said there, nor instead of an object above it.
 */
function isFree(json: JsonText, { path, value }: Entry): boolean {
  const root = valueAt(json, []);
  const names = path.map(String);
  const above = names.slice(0, -1).map((_, at) => settingAt(root, names.slice(0, at + 1)));
  const now = settingAt(root, names);
  return (
    above.every((one) => one === undefined || isObject(one)) && (now === undefined || sameJson(now, value))
  );
}

/** Entries in a JSON file whose other bytes stay as they are. */
export function jsonPart(options: JsonPartOptions): Part {
  const { file, name, ours, assertFree, alsoKept, yielding = [] } = options;
  const all = [...options.entries, ...yielding];
  return {
    file,
    key: name === undefined ? file : `${file}#${name}`,
    blank: '{}\n',
    entries: all,
    add(text, note) {
      const json = { text, file };
      const entries = [...options.entries, ...yielding.filter((entry) => isFree(json, entry))];
      assertFree?.(json);
      const known = note?.kept ?? [];
      if (isInstalled(json, entries, known, ours)) return null;
      const clean = strip(json, known, ours);
      const kept = [...keptIn(clean, entries), ...(alsoKept?.(clean) ?? [])];
      return { text: add(clean, entries).text, kept };
    },
    // A file without our name has nothing of ours, and is not even parsed: it may have comments.
    strip: (text, note) =>
      text.includes(OUR_NAME) ? strip({ text, file }, note?.kept ?? [], ours).text : text,
  };
}
