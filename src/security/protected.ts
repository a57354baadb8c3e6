import { SIDECAR } from '../core/words.ts';
import { fold } from './fold.ts';

/** Places that decide what is out of every agent's reach. All absolute. */
export interface Ground {
  readonly root: string;
  readonly home: string;
  /** Folder that PactClaw itself is installed in. */
  readonly install: string;
}

/** Folder names that govern an agent wherever they stand. */
const NAMED_FOLDERS: Readonly<Record<string, string>> = {
  [SIDECAR]: 'governance state',
  '.git': "version control's own files",
  '.claude': "an agent host's configuration",
  '.codex': "an agent host's configuration",
  '.cursor': "an agent host's configuration",
  '.gemini': "an agent host's configuration",
  '.qwen': "an agent host's configuration",
  '.opencode': "an agent host's configuration",
  '.copilot': "an agent host's configuration",
  '.pi': "an agent host's configuration",
  '.clinerules': "an agent host's configuration",
  '.cline': "an agent host's configuration",
  '.windsurf': "an agent host's configuration",
  '.codeium': "an agent host's configuration",
  '.kiro': "an agent host's configuration",
  '.factory': "an agent host's configuration",
  '.kimi-code': "an agent host's configuration",
  '.pactclaw': "PactClaw's user folder",
};

const NAMED_FILES: Readonly<Record<string, string>> = {
  '.mcp.json': "an agent host's configuration",
  '.claude.json': "an agent host's configuration",
  'opencode.json': "an agent host's configuration",
  'opencode.jsonc': "an agent host's configuration",
};

/** Folders of a workspace whose files an agent host obeys: watched even where git ignores them. */
export const OBEYED_FOLDERS: readonly string[] = [
  ...['agents', 'commands', 'hooks', 'skills'].map((name) => `.claude/${name}`),
  ...['agents', 'commands', 'extensions', 'policies', 'skills'].map((name) => `.gemini/${name}`),
  ...['agents', 'commands', 'extensions', 'skills'].map((name) => `.qwen/${name}`),
  ...['agent', 'command', 'mode', 'plugin', 'skill', 'tool'].flatMap((name) => [
    `.opencode/${name}`,
    `.opencode/${name}s`,
  ]),
  ...['extensions', 'prompts', 'skills'].map((name) => `.pi/${name}`),
  ...['agents', 'extensions', 'hooks', 'skills'].map((name) => `.github/${name}`),
  '.clinerules',
  '.cursor',
  '.windsurf',
];

/** What GitHub Copilot loads from a workspace: hooks, servers, and code and agents that bring hooks of their own. */
const GITHUB_PLACES = ['hooks', 'copilot', 'mcp.json', 'agents', 'extensions', 'plugin'].map(
  (name) => `.github/${name}`,
);

function under(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/**
 * What a real path belongs to when no agent may change it, or null (H-48, architecture §4 self-protection).
 * Names are compared folded, so that `.Orchestration` is no way around on any file system.
 */
export function protectedAs(absolute: string, ground: Ground): string | null {
  const path = fold(absolute);
  const root = fold(ground.root);
  // A work tree may lie below a host's folder (`.claude/worktrees/x`): names above it say nothing about its files.
  const parts = (under(path, root) ? path.slice(root.lastIndexOf('/')) : path).split('/');
  for (const part of parts) {
    const what = NAMED_FOLDERS[part];
    if (what !== undefined) return what;
  }
  const file = NAMED_FILES[parts.at(-1) ?? ''];
  if (file !== undefined) return file;
  if (path === fold(`${ground.root}/AGENT.md`) || path === fold(`${ground.root}/CLAUDE.md`))
    return 'the shared brain';
  for (const name of GITHUB_PLACES)
    if (under(path, fold(`${ground.root}/${name}`))) return "an agent host's configuration";
  for (const folder of [
    'claude-code',
    'codex',
    'github-copilot',
    'cursor',
    'windsurf',
    'gemini-cli',
    'qwen-code',
  ])
    if (under(path, `/etc/${folder}`)) return "an agent host's configuration";
  if (under(path, fold(`${ground.home}/.config/opencode`))) return "an agent host's configuration";
  for (const folder of ['bin', 'dist', 'node_modules'])
    if (ground.install !== '' && under(path, fold(`${ground.install}/${folder}`)))
      return "PactClaw's own program";
  return null;
}

/** Protected things of a workspace as paths, to hold against a pattern that cannot be read off. */
export function protectedSamples(ground: Ground): readonly string[] {
  const sidecar = `${ground.root}/${SIDECAR}`;
  return [
    sidecar,
    `${sidecar}/active_intents.yaml`,
    `${sidecar}/agent_trace.jsonl`,
    `${sidecar}/tool_receipts.log`,
    `${sidecar}/state.db`,
    `${sidecar}/config.yaml`,
    `${ground.root}/.claude`,
    `${ground.root}/.claude/settings.json`,
    `${ground.root}/.claude/settings.local.json`,
    `${ground.root}/.mcp.json`,
    `${ground.root}/.github/hooks/pactclaw.json`,
    `${ground.root}/.cursor/hooks.json`,
    `${ground.root}/.clinerules/hooks/PreToolUse`,
    `${ground.root}/.codex`,
    `${ground.root}/.codex/hooks.json`,
    `${ground.root}/.codex/config.toml`,
    `${ground.root}/.git`,
    `${ground.root}/.git/hooks/pre-commit`,
    ...['.gemini', '.qwen'].flatMap((folder) => [
      `${ground.root}/${folder}/settings.json`,
      `${ground.home}/${folder}/settings.json`,
    ]),
    `${ground.home}/.pactclaw`,
    `${ground.home}/.pactclaw/config.toml`,
    `${ground.home}/.pactclaw/ESTOP`,
    `${ground.home}/.claude/settings.json`,
    `${ground.home}/.codex/config.toml`,
    `${ground.home}/.codex/hooks.json`,
  ];
}

const MENTION = new RegExp(
  `(${[...Object.keys(NAMED_FOLDERS), ...Object.keys(NAMED_FILES)]
    .filter((name) => name !== '.git')
    .map((name) => name.replaceAll('.', '\\.'))
    .join('|')})`,
);

/** The protected name that a piece of text mentions, or null. Names of the folders that `root` lies in do not count. */
export function mentionsProtected(text: string, root: string): string | null {
  const folded = fold(text);
  // With a way up again, the folder that is left would be the one that counts.
  const plain = folded.includes('..') ? folded : folded.replaceAll(`${fold(root)}/`, '/');
  return MENTION.exec(plain)?.[0] ?? null;
}
