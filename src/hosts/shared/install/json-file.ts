import { messageOf } from '../../../core/errors.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { readIfThere } from '../../../platform/files.ts';
import { valueAt } from './json-edit.ts';

/** Reads a JSON object; a file that the host could not read either is reported, never thrown. */
export function readObject(file: string): { value: JsonObject | null; fault: string | null } {
  try {
    const bytes = readIfThere(file);
    if (bytes === null) return { value: null, fault: null };
    const value = valueAt({ text: bytes.toString('utf8'), file }, []);
    return isObject(value) ? { value, fault: null } : { value: null, fault: 'the file is no JSON object' };
  } catch (error) {
    return { value: null, fault: messageOf(error) };
  }
}
