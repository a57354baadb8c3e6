import { PactError } from '../../../core/errors.ts';
import { isTrusted, type Places, serverOffBy } from '../../install/layered-settings.ts';
import { SERVER } from '../../install/server.ts';
import { assertOnlyHere, decidingFile, type SettingsFile } from '../../install/settings-files.ts';

/** The first version of the client that was seen to obey (hosts reference §7). */
export const VERSION_FLOOR = '0.24.4';

/**
 * What switches hooks off, or null. The execution sandbox of the client does so silently, and a
 * project cannot ask for it (its bundle, 0.24.4).
 */
export function switchedOffBy(
  settings: readonly SettingsFile[],
): { readonly file: string; readonly key: string } | null {
  const all = decidingFile(settings, ['disableAllHooks']);
  if (all && all.value !== false) return { file: all.file, key: 'disableAllHooks' };
  const operators = settings.filter(({ level }) => level !== 'project');
  const sandbox = decidingFile(operators, ['tools', 'executionSandbox']);
  if (sandbox) return { file: sandbox.file, key: 'tools.executionSandbox' };
  return null;
}

/** Refuses an installation that the host would ignore, or that would count every call twice. */
export function assertInstallable(settings: readonly SettingsFile[], level: string): void {
  const relevant = level === 'user' ? settings.filter((one) => one.level !== 'project') : settings;
  const off = switchedOffBy(relevant);
  if (off !== null)
    throw new PactError(
      'CONFLICT',
      `hooks are switched off here (${off.key}), so that nothing would be governed`,
      `Remove ${off.key} from this file, then install again.`,
      { file: off.file },
    );
  assertOnlyHere(settings, 'qwen', level);
}

/** What a human should know of the settings, though it does not stand in the way. */
export function settingsWarnings(
  places: Places,
  settings: readonly SettingsFile[],
  project: string | null,
): string[] {
  const off = serverOffBy(settings);
  const untrusted = project !== null && isTrusted(places, settings, project, false) !== true;
  return [
    ...settings.flatMap(({ file, fault }) =>
      fault === null ? [] : [`${file} cannot be read as plain JSON: ${fault}`],
    ),
    ...(off === null
      ? []
      : [`${off} keeps the server ${SERVER} from starting: no handshake will be possible`]),
    ...(untrusted
      ? [
          `the client does not trust ${project}, and of a folder that it does not trust it loads no hooks: start it there once and accept the folder`,
        ]
      : []),
  ];
}
