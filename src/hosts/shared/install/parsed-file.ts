import { messageOf } from '../../../core/errors.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { readIfThere } from '../../../platform/files.ts';

/** A file as the host reads it. `value` is null when it is missing or unusable; `fault` says why. */
export interface ParsedFile {
  readonly file: string;
  readonly value: JsonObject | null;
  readonly fault: string | null;
}

/** Reads a file of settings by its format's parser. */
export function readParsed(file: string, parser: (text: string) => unknown): ParsedFile {
  try {
    const bytes = readIfThere(file);
    if (bytes === null) return { file, value: null, fault: null };
    const value = parser(bytes.toString('utf8'));
    return isObject(value)
      ? { file, value: value as JsonObject, fault: null }
      : { file, value: null, fault: 'the file is no JSON object' };
  } catch (error) {
    return { file, value: null, fault: messageOf(error) };
  }
}
