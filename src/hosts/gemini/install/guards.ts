import type { Off } from '../../shared/install/layered-guards.ts';
import { SERVER } from '../../shared/install/server.ts';
import { decidingFile, type SettingsFile, settingAt } from '../../shared/install/settings-files.ts';

/** The first version of the client that was seen to obey (docs/hosts/gemini.md). */
export const VERSION_FLOOR = '0.61.0';

const REMEDY = `Set hooksConfig.enabled to true and take ${SERVER} out of hooksConfig.disabled in this file`;

/** What switches hooks off, all or ours by name, or null. */
export function switchedOffBy(settings: readonly SettingsFile[]): Off | null {
  const off = (file: string): Off => ({ file, key: 'hooksConfig', remedy: REMEDY });
  const enabled = decidingFile(settings, ['hooksConfig', 'enabled']);
  if (enabled && enabled.value !== true) return off(enabled.file);
  // Lists of several files are joined.
  const listed = settings.find(({ value }) => {
    const disabled = settingAt(value, ['hooksConfig', 'disabled']);
    return Array.isArray(disabled) && disabled.includes(SERVER);
  });
  return listed ? off(listed.file) : null;
}
