import type { Machine } from '../../shared/install/installer.ts';
import { type Places, placesOf } from '../../shared/install/layered-settings.ts';

/** Where Qwen Code keeps its settings (docs/hosts/qwen.md). QWEN_HOME stands for `~/.qwen`. */
export function qwenPlaces(machine: Machine): Places {
  return placesOf(machine, {
    folder: '.qwen',
    user: ({ env, home }) => env('QWEN_HOME') || `${home}/.qwen`,
    system: { darwin: '/Library/Application Support/QwenCode', other: '/etc/qwen-code' },
    variables: {
      system: 'QWEN_CODE_SYSTEM_SETTINGS_PATH',
      defaults: 'QWEN_CODE_SYSTEM_DEFAULTS_PATH',
      trusted: 'QWEN_CODE_TRUSTED_FOLDERS_PATH',
    },
  });
}
