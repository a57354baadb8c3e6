import type { Machine } from '../../shared/install/installer.ts';
import { type Places, placesOf } from '../../shared/install/layered-settings.ts';

/** Where Gemini CLI keeps its settings (docs/hosts/gemini.md). GEMINI_CLI_HOME stands for the home folder. */
export function geminiPlaces(machine: Machine): Places {
  return placesOf(machine, {
    folder: '.gemini',
    user: ({ env, home }) => `${env('GEMINI_CLI_HOME') || home}/.gemini`,
    system: { darwin: '/Library/Application Support/GeminiCli', other: '/etc/gemini-cli' },
    variables: {
      system: 'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
      defaults: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
      trusted: 'GEMINI_CLI_TRUSTED_FOLDERS_PATH',
    },
  });
}
