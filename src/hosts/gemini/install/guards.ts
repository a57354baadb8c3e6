import { PactError } from '../../../core/errors.ts';
import { isTrusted, type Places, serverOffBy } from '../../install/layered-settings.ts';
import { SERVER } from '../../install/server.ts';
import { assertOnlyHere, decidingFile, type SettingsFile, settingAt } from '../../install/settings-files.ts';

/** The first version of the client that was seen to obey (hosts reference §5). */
export const VERSION_FLOOR = '0.61.0';

/** The file that switches hooks off, all or ours by name, or null. */
export function switchedOffBy(settings: readonly SettingsFile[]): string | null {
  const enabled = decidingFile(settings, ['hooksConfig', 'enabled']);
  if (enabled && enabled.value !== true) return enabled.file;
  // Lists of several files are joined.
  const listed = settings.find(({ value }) => {
    const disabled = settingAt(value, ['hooksConfig', 'disabled']);
    return Array.isArray(disabled) && disabled.includes(SERVER);
  });
  return listed?.file ?? null;
}

/** Refuses an installation that the host would ignore, or that would count every call twice. */
export function assertInstallable(settings: readonly SettingsFile[], level: string): void {
  const relevant = level === 'user' ? settings.filter((one) => one.level !== 'project') : settings;
  const off = switchedOffBy(relevant);
  if (off !== null)
    throw new PactError(
      'CONFLICT',
      'hooks are switched off here (hooksConfig), so that nothing would be governed',
      `Set hooksConfig.enabled to true and take ${SERVER} out of hooksConfig.disabled in this file, then install again.`,
      { file: off },
    );
  assertOnlyHere(settings, 'gemini', level);
}

/** What a human should know of the settings, though it does not stand in the way. */
export function settingsWarnings(
  places: Places,
  settings: readonly SettingsFile[],
  project: string | null,
): string[] {
  const off = serverOffBy(settings);
  const untrusted = project !== null && isTrusted(places, settings, project, true) !== true;
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
