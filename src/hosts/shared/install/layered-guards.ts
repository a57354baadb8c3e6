import { switchedOff } from './conflicts.ts';
import { isTrusted, type Places, serverOffBy } from './layered-settings.ts';
import { SERVER } from './server.ts';
import { assertOnlyHere, type SettingsFile } from './settings-files.ts';

/** What switches hooks off: where it stands, its key, and what a human does about it. */
export interface Off {
  readonly file: string;
  readonly key: string;
  readonly remedy: string;
}

/** Refuses an installation that the host would ignore, or that would count every call twice. */
export function assertLayered(
  settings: readonly SettingsFile[],
  level: string,
  host: string,
  switchedOffBy: (settings: readonly SettingsFile[]) => Off | null,
): void {
  const relevant = level === 'user' ? settings.filter((one) => one.level !== 'project') : settings;
  const off = switchedOffBy(relevant);
  if (off !== null) throw switchedOff(off.key, off.file, off.remedy);
  assertOnlyHere(settings, host, level);
}

/**
 * What a human should know of the settings, though it does not stand in the way. `byDefault`: whether the host asks for
 * trust where nothing says so.
 */
export function layeredWarnings(
  places: Places,
  settings: readonly SettingsFile[],
  project: string | null,
  byDefault: boolean,
): string[] {
  const off = serverOffBy(settings);
  const untrusted = project !== null && isTrusted(places, settings, project, byDefault) !== true;
  return [
    ...settings.flatMap(({ file, fault }) =>
      fault === null ? [] : [`${file} cannot be read as plain JSON: ${fault}`],
    ),
    ...(off === null
      ? []
      : [`${off} keeps the server ${SERVER} from starting: no handshake will be possible`]),
    ...(untrusted
      ? [
          `the client does not trust ${project} yet, and in a folder that it does not trust it loads no hooks: start it there once and accept the folder`,
        ]
      : []),
  ];
}
