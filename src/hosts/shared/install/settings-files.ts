import { isObject, type JsonObject } from '../../../core/json.ts';
import { installedTwice } from './conflicts.ts';
import { handlersOf, isOurHandler } from './hook-groups.ts';
import { readObject } from './json-file.ts';

/** One settings file as the host sees it. `value` is null when it is missing or unusable; `fault` says why. */
export interface SettingsFile {
  readonly level: string;
  readonly file: string;
  readonly value: JsonObject | null;
  readonly fault: string | null;
}

/** Reads the settings of one level. */
export function readSettingsFile(level: string, file: string): SettingsFile {
  return { level, file, ...readObject(file) };
}

/** The value at a path of members, or undefined. */
export function settingAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}

/** The file that decides a plain setting, and its value there. `settings` has the strongest first. */
export function decidingFile(
  settings: readonly SettingsFile[],
  path: readonly string[],
): { readonly file: string; readonly value: unknown } | null {
  for (const { file, value } of settings) {
    const found = settingAt(value, path);
    if (found !== undefined) return { file, value: found };
  }
  return null;
}

/** One of our handlers as the host finds it. */
export interface FoundHook {
  readonly file: string;
  readonly level: string;
  readonly event: string;
  readonly matcher: unknown;
  readonly handler: JsonObject;
}

/** All handlers of ours in settings that the host merges. */
export function hooksIn(settings: readonly SettingsFile[]): FoundHook[] {
  return settings.flatMap(({ file, level, value }) =>
    Object.entries(isObject(value?.hooks) ? value.hooks : {}).flatMap(([event, groups]) =>
      (Array.isArray(groups) ? groups : []).flatMap((group: unknown) =>
        handlersOf(group)
          .filter(isOurHandler)
          .map((handler) => ({
            file,
            level,
            event,
            matcher: isObject(group) ? group.matcher : undefined,
            handler,
          })),
      ),
    ),
  );
}

/** Refuses a second registration that the host would merge with the first: every call would count twice. */
export function assertOnlyHere(settings: readonly SettingsFile[], host: string, level: string): void {
  const other = hooksIn(settings).find((one) => one.level !== level);
  if (other !== undefined) throw installedTwice(host, other.file);
}
