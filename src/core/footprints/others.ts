import { BOTH, CLAUDE_WORDS, CONTRACT_WORDS, type Footprint, files, folders, skills } from './footprint.ts';

/** Windsurf (docs/hosts/windsurf.md). Its own folder in the home is that of its maker. */
export const windsurfFootprint: Footprint = {
  host: 'windsurf',
  title: 'Windsurf',
  programs: [],
  marks: [],
  names: ['.windsurf', '.codeium'],
  places: [
    ...files('runs', ['project'], ['.windsurf/hooks.json']),
    ...files('runs', ['home'], ['.codeium/windsurf/hooks.json', '.codeium/hooks.json']),
    ...files('servers', ['home'], ['.codeium/windsurf/mcp_config.json']),
    { path: '.windsurf', at: ['project'], is: 'instructs', folder: true },
  ],
  system: ['/etc/windsurf', '/Library/Application Support/Windsurf'],
  lastWords: { ...CLAUDE_WORDS, quiet: [] },
};

/** Factory droid (docs/hosts/droid.md). */
export const droidFootprint: Footprint = {
  host: 'droid',
  title: 'Factory droid',
  programs: ['droid'],
  marks: [],
  names: ['.factory'],
  places: [
    ...files('runs', BOTH, ['.factory/hooks.json', '.factory/hooks/hooks.json']),
    ...files('settings', BOTH, ['.factory/settings.json', '.factory/config.json']),
    ...files('servers', BOTH, ['.factory/mcp.json']),
    ...folders('instructs', ['project'], '.factory', ['commands', 'droids']),
    ...skills(BOTH, '.factory'),
  ],
  system: [],
  lastWords: CLAUDE_WORDS,
};

/** Kimi CLI. It reads hooks from the user's folder alone. */
export const kimiFootprint: Footprint = {
  host: 'kimi',
  title: 'Kimi CLI',
  programs: ['kimi'],
  marks: [],
  names: ['.kimi-code'],
  places: [
    ...files('settings', BOTH, ['.kimi-code/config.toml']),
    ...files('servers', BOTH, ['.kimi-code/mcp.json']),
  ],
  system: [],
  moved: [{ variable: 'KIMI_CODE_HOME', from: '.kimi-code' }],
  lastWords: CLAUDE_WORDS,
};

/** Kiro (docs/hosts/kiro.md). Its agents bring hooks of their own. */
export const kiroFootprint: Footprint = {
  host: 'kiro',
  title: 'Kiro',
  programs: ['kiro-cli'],
  marks: [],
  names: ['.kiro'],
  places: [
    ...files('servers', BOTH, ['.kiro/settings/mcp.json']),
    ...folders('runs', BOTH, '.kiro', ['agents', 'hooks']),
    ...folders('instructs', ['project'], '.kiro', ['steering']),
  ],
  system: [],
  moved: [{ variable: 'KIRO_HOME', from: '.kiro' }],
  lastWords: CLAUDE_WORDS,
};

/** A host of the generic contract: nothing is known of its files. */
export const genericFootprint: Footprint = {
  host: 'generic',
  title: 'a host of the generic contract',
  programs: [],
  marks: [],
  names: [],
  places: [],
  system: [],
  lastWords: CONTRACT_WORDS,
};
