import { type Footprint, files, folders, skills } from './footprint.ts';

/** Copilot CLI (docs/hosts/copilot.md). It reads the project's `.mcp.json` too. */
export const copilotFootprint: Footprint = {
  host: 'copilot',
  title: 'Copilot CLI',
  programs: ['copilot'],
  marks: ['COPILOT_CLI'],
  names: ['.copilot', '.mcp.json'],
  places: [
    ...files(
      'settings',
      ['project'],
      ['.github/copilot/settings.json', '.github/copilot/settings.local.json'],
    ),
    ...files('settings', ['home'], ['.copilot/settings.json']),
    ...files('servers', ['project'], ['.github/mcp.json']),
    ...files('servers', ['home'], ['.copilot/mcp-config.json']),
    ...folders('runs', ['project'], '.github', ['copilot', 'extensions', 'hooks', 'plugin']),
    ...skills(['project'], '.github'),
    ...skills(['home'], '.copilot'),
    ...folders('instructs', ['project'], '.github', ['agents']),
    ...folders('runs', ['home'], '.copilot', ['hooks']),
  ],
  system: ['/etc/github-copilot'],
  moved: [{ variable: 'COPILOT_HOME', from: '.copilot' }],
  lastWords: {
    refusal:
      '{"permissionDecision":"deny","permissionDecisionReason":"REASON","decision":"block","reason":"REASON"}',
    quiet: ['sessionStart', 'sessionEnd', 'agentStop', 'preCompact'],
  },
};
