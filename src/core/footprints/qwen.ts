import { BOTH, CLAUDE_WORDS, type Footprint, files, folders, skills } from './footprint.ts';

/** What a human answers to the host's questions about permissions. */
const ANSWERS = ['allow', 'deny', 'ask', 'additionalDirectories'].map((name) => ['permissions', name]);

/** Qwen Code (docs/hosts/qwen.md). */
export const qwenFootprint: Footprint = {
  host: 'qwen',
  title: 'Qwen Code',
  programs: ['qwen'],
  marks: ['QWEN_CODE'],
  names: ['.qwen'],
  places: [
    ...files('settings', BOTH, ['.qwen/settings.json'], { free: ANSWERS }),
    ...files('settings', BOTH, ['.qwen/.env']),
    ...files('trust', BOTH, ['.qwen/trustedFolders.json']),
    ...folders('runs', ['project'], '.qwen', ['extensions']),
    ...skills(BOTH, '.qwen'),
    ...folders('instructs', BOTH, '.qwen', ['agents', 'commands']),
  ],
  system: ['/etc/qwen-code', '/Library/Application Support/QwenCode'],
  moved: [{ variable: 'QWEN_HOME', from: '.qwen' }],
  lastWords: CLAUDE_WORDS,
};
