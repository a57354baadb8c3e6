/** Settings that `pactclaw init` lays down. Where a line is commented out it shows the default (C-4, C-5). */

/** `.orchestration/config.yaml`: the workspace's policy. */
export const WORKSPACE_SETTINGS = `# PactClaw: policy of this workspace. Every line shows its default; take the "#" away to change one.
# Settings of the user are in ~/.pactclaw/config.toml, intents in active_intents.yaml.

# handshake:
#   per: request            # request: every prompt begins with a handshake; session: one for a whole session

# shell:
#   background: deny        # deny or allow: commands that go on after their call returned cannot be watched

# limits:                   # of intents that have no budget of their own
#   max_turns: 50
#   max_tokens: 200000
#   max_identical_calls: 3  # may be lowered, never raised
#   max_scope_files: 20     # may be lowered, never raised

# execution:
#   mode: watched           # contained: commands run in containers; auto: where they can; watched: in the real tree

# serve: auto               # auto: hooks keep an engine running between calls; off: they start none

# mcp:                      # tools of MCP servers that you know; any other counts as changing something
#   tools: {}               # for example: "files/read_text_file": { kind: read, paths: [path] }
`;

/** `~/.pactclaw/config.toml`: what belongs to the user and holds in every workspace. */
export const USER_SETTINGS = `# PactClaw: settings of this user, for all workspaces. "~" is expanded.

# serve = "off"             # hooks start no resident engine, in no workspace

[security]
# Folders that no tool may read or write, in any workspace.
forbidden_paths = ["/etc", "/sys", "/boot", "~/.ssh"]

# [log]                     # one JSON object a line for each event; secrets are masked
# file = "~/.pactclaw/log/pactclaw.jsonl"
`;

/**
 * Lines of `.orchestration/.gitignore`: what is derived or belongs to one clone stays out of git, both logs stay in
 * even where the repository ignores `*.log`.
 */
export const IGNORED_LINES = [
  'state.db*',
  'writer',
  'shadow/',
  'quarantine/',
  '.*.tmp',
  '!agent_trace.jsonl',
  '!tool_receipts.log',
] as const;

/** Lines of `.orchestration/.gitattributes`: logs of two branches merge line by line, byte for byte. */
export const ATTRIBUTE_LINES = [
  'agent_trace.jsonl -text merge=union',
  'tool_receipts.log -text merge=union',
] as const;
