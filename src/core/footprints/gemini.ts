import { BOTH, type Footprint, files, folders, skills } from './footprint.ts';

/** Gemini CLI (docs/hosts/gemini.md), and Antigravity, which keeps its settings in the same folder. */
export const geminiFootprint: Footprint = {
  host: 'gemini',
  title: 'Gemini CLI',
  programs: ['gemini'],
  marks: ['GEMINI_CLI'],
  names: ['.gemini'],
  places: [
    ...files('settings', BOTH, ['.gemini/settings.json', '.gemini/.env']),
    ...files('trust', BOTH, ['.gemini/trustedFolders.json']),
    ...files('runs', ['home'], ['.gemini/config/hooks.json']),
    ...files('servers', ['home'], ['.gemini/config/mcp_config.json']),
    ...folders('runs', ['project'], '.gemini', ['extensions']),
    ...skills(BOTH, '.gemini'),
    ...folders('instructs', BOTH, '.gemini', ['agents', 'commands', 'policies']),
  ],
  system: ['/etc/gemini-cli', '/Library/Application Support/GeminiCli'],
  moved: [{ variable: 'GEMINI_CLI_HOME', from: '.gemini', below: '.gemini' }],
  lastWords: {
    refusal: '{"decision":"deny","reason":"REASON"}',
    quiet: ['AfterAgent', 'PreCompress', 'SessionStart', 'SessionEnd'],
  },
};
