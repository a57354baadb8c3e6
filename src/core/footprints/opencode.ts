import { CONTRACT_WORDS, type Footprint, files, folders, skills } from './footprint.ts';

/** Kinds of code and text that it loads; each folder may be called by the singular or the plural. */
const LOADED = ['plugin', 'tool'].flatMap((name) => [name, `${name}s`]);
const OBEYED = ['agent', 'command', 'mode'].flatMap((name) => [name, `${name}s`]);

/** OpenCode (docs/hosts/opencode.md). */
export const opencodeFootprint: Footprint = {
  host: 'opencode',
  title: 'OpenCode',
  programs: ['opencode'],
  marks: ['OPENCODE'],
  names: ['.opencode', 'opencode.json', 'opencode.jsonc'],
  places: [
    ...files(
      'settings',
      ['project'],
      [...['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc']],
    ),
    ...files(
      'settings',
      ['home'],
      [
        ...['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'],
        ...['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'],
      ],
    ),
    ...folders('runs', ['project', 'home'], '.opencode', LOADED),
    ...folders('instructs', ['project'], '.opencode', OBEYED),
    ...skills(['project'], '.opencode', ['skill', 'skills']),
    ...folders('runs', ['home'], '.config/opencode', LOADED),
    { path: '.config/opencode', at: ['home'], is: 'settings', folder: true },
  ],
  system: [],
  moved: [
    { variable: 'OPENCODE_CONFIG_DIR', from: '.config/opencode' },
    { variable: 'XDG_CONFIG_HOME', from: '.config/opencode', below: 'opencode' },
  ],
  lastWords: CONTRACT_WORDS,
};
