import { PactError } from '../../../core/errors.ts';
import { isEverywhere, type Scope } from '../../shared/install/installer.ts';
import { assertOnlyHere, decidingFile, hooksIn } from '../../shared/install/settings-files.ts';
import { HOST } from '../decode.ts';
import { deciding, type SettingsFile } from './places.ts';
import { NO_BACKGROUND, SERVER } from './wiring.ts';

/** First version that knows `onFailure` (docs/hosts/claude-code.md). */
export const VERSION_FLOOR = '2.1.295';

/** The file that switches hooks off, or null. The host then ignores them, or the whole file when it is no boolean. */
export function switchedOffBy(settings: readonly SettingsFile[]): string | null {
  const found = deciding(settings, 'disableAllHooks');
  return found && found.value !== false ? found.file : null;
}

const managedIn = (settings: readonly SettingsFile[]) => settings.filter(({ level }) => level === 'managed');

function onlyManagedBy(settings: readonly SettingsFile[]): string | null {
  const found = deciding(managedIn(settings), 'allowManagedHooksOnly');
  return found && found.value !== false ? found.file : null;
}

/** The managed file that admits managed hooks only while ours stand elsewhere, or null. */
export function managedOnlyBy(settings: readonly SettingsFile[]): string | null {
  return hooksIn(managedIn(settings)).length === 0 ? onlyManagedBy(settings) : null;
}

/** The settings whose hooks the host calls. */
export function inForce(settings: readonly SettingsFile[]): readonly SettingsFile[] {
  return onlyManagedBy(settings) === null ? settings : managedIn(settings);
}

/** The file that keeps our server from starting, or null. */
export function serverOffBy(settings: readonly SettingsFile[]): string | null {
  const names = (value: unknown) => Array.isArray(value) && value.includes(SERVER);
  return settings.find(({ value }) => names(value?.disabledMcpjsonServers))?.file ?? null;
}

/**
 * Refuses an installation that the host would ignore, or that would count every call twice. Settings that it
 * installs beside are read as the host reads them.
 */
export function assertInstallable(settings: readonly SettingsFile[], scope: Scope): void {
  const relevant = isEverywhere(scope)
    ? settings.filter(({ level }) => level === 'managed' || level === scope)
    : settings;
  const off = switchedOffBy(relevant);
  if (off !== null)
    throw new PactError(
      'CONFLICT',
      'hooks are switched off here (disableAllHooks), so that nothing would be governed',
      'Remove disableAllHooks from this file, then install again.',
      { file: off },
    );
  const managed = managedOnlyBy(relevant);
  if (managed !== null && scope !== 'managed')
    throw new PactError(
      'CONFLICT',
      'only hooks of an administrator count here (allowManagedHooksOnly)',
      'Ask the administrator to run `pactclaw install claude-code --managed`.',
      { file: managed },
    );
  assertOnlyHere(settings, HOST, scope);
}

/** Why commands may go on in the background once their time is up, or null: the host then says that they have ended. */
export function backgroundFault(settings: readonly SettingsFile[]): string | null {
  const name = NO_BACKGROUND.at(-1);
  const found = decidingFile(settings, NO_BACKGROUND);
  if (found === null) return `${name} is not set`;
  return /^(?:1|true|yes|on)$/i.test(String(found.value))
    ? null
    : `${name} is ${String(found.value)} in ${found.file}`;
}

/** What a human should know of the settings, though it does not stand in the way. */
export function settingsWarnings(settings: readonly SettingsFile[]): string[] {
  const off = serverOffBy(settings);
  return [
    ...settings.flatMap(({ file, fault }) =>
      fault === null ? [] : [`${file} is ignored by the host: ${fault}`],
    ),
    ...(off === null
      ? []
      : [`${off} keeps the server ${SERVER} from starting: no handshake will be possible`]),
  ];
}
