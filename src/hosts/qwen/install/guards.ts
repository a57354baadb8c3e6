import type { Off } from '../../shared/install/layered-guards.ts';
import { decidingFile, type SettingsFile } from '../../shared/install/settings-files.ts';

/** The first version of the client that was seen to obey (docs/hosts/qwen.md). */
export const VERSION_FLOOR = '0.24.4';

/**
 * What switches hooks off, or null. The execution sandbox of the client does so silently, and a
 * project cannot ask for it (its bundle, 0.24.4).
 */
export function switchedOffBy(settings: readonly SettingsFile[]): Off | null {
  const off = (file: string, key: string): Off => ({ file, key, remedy: `Remove ${key} from this file` });
  const all = decidingFile(settings, ['disableAllHooks']);
  if (all && all.value !== false) return off(all.file, 'disableAllHooks');
  const operators = settings.filter(({ level }) => level !== 'project');
  const sandbox = decidingFile(operators, ['tools', 'executionSandbox']);
  return sandbox ? off(sandbox.file, 'tools.executionSandbox') : null;
}
