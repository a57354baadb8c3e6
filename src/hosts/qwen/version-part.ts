import { addAt, type JsonText, removeAt, valueAt } from '../shared/install/json-edit.ts';
import type { FileNote, Part } from '../shared/install/part.ts';

/** The host's own mark of a settings file's layout (0.24.4): a file without one it rewrites at its next start. */
const KEY = '$version';
const VERSION = 4;

const wasThere = (note: FileNote | null) => note === null || note.kept.includes(KEY);

/**
 * The host's mark in a file that holds nothing but our entries: written by us, so that the file stays as it was installed.
 * Where the host adds it to a file that we changed, it goes with us, and the file is as it was before.
 */
export function versionPart(file: string, others: readonly Part[]): Part {
  const at = (text: string): JsonText => ({ text, file });
  return {
    file,
    key: `${file}#${KEY}`,
    blank: '{}\n',
    entries: [{ path: [KEY], value: VERSION }],
    add(text, note) {
      if (note !== null) return null;
      if (valueAt(at(text), [KEY]) !== undefined) return { text, kept: [KEY] };
      const bare = others.reduce((now, part) => part.strip(now, null), text);
      return { text: bare === '{}\n' ? addAt(at(text), [KEY], VERSION).text : text, kept: [] };
    },
    strip: (text, note) => (wasThere(note) ? text : removeAt(at(text), [KEY]).text),
  };
}
