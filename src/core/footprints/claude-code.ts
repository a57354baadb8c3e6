import { BOTH, CLAUDE_WORDS, type Footprint, files, folders, skills } from './footprint.ts';

/** What a human answers to the host's questions about permissions, and which model to use. */
const ANSWERS = ['allow', 'deny', 'ask', 'additionalDirectories'].map((name) => ['permissions', name]);

/** Claude Code (docs/hosts/claude-code.md; https://docs.claude.com/en/docs/claude-code/settings). */
export const claudeCodeFootprint: Footprint = {
  host: 'claude-code',
  title: 'Claude Code',
  programs: ['claude'],
  marks: ['CLAUDECODE', 'CLAUDE_CODE_CHILD_SESSION'],
  names: ['.claude', '.mcp.json', '.claude.json'],
  places: [
    ...files('settings', BOTH, ['.claude/settings.json', '.claude/settings.local.json'], { free: ANSWERS }),
    ...files('servers', ['project'], ['.mcp.json']),
    ...files('servers', ['home'], ['.claude.json'], {
      only: [
        ['mcpServers'],
        ['projects', '*', 'mcpServers'],
        ['projects', '$project', 'hasTrustDialogAccepted'],
        ['projects', '$project', 'hasClaudeMdExternalIncludesApproved'],
        ['projects', '$project', 'enabledMcpjsonServers'],
        ['projects', '$project', 'disabledMcpjsonServers'],
      ],
    }),
    ...files('instructs', BOTH, ['.claude/CLAUDE.md']),
    ...files('instructs', ['project'], ['CLAUDE.md']),
    ...folders('runs', BOTH, '.claude', ['agents', 'commands', 'hooks', 'plugins']),
    ...folders('instructs', BOTH, '.claude', ['output-styles', 'rules']),
    ...skills(BOTH, '.claude'),
    // Plan mode has the agent write its plan itself; lists of tasks hold no power either.
    ...folders('scratch', ['home'], '.claude', ['plans', 'todos'], { used: true }),
  ],
  system: ['/etc/claude-code', '/Library/Application Support/ClaudeCode'],
  moved: [
    { variable: 'CLAUDE_CONFIG_DIR', from: '.claude' },
    { variable: 'CLAUDE_CONFIG_DIR', from: '.claude.json', below: '.claude.json' },
  ],
  // Seen with 2.1.329; MCP servers of the client go through it too, its hooks do not when they are given arguments.
  seam: {
    variable: 'CLAUDE_CODE_SHELL_PREFIX',
    session: 'CLAUDE_CODE_SESSION_ID',
    hidden: ['CLAUDE_CODE_MESSAGING_SOCKET', 'CLAUDE_CODE_MESSAGING_TOKEN'],
  },
  lastWords: CLAUDE_WORDS,
};
