import { sha256 } from '../../core/digest.ts';
import type { Preimage } from '../../ledger/call-tables.ts';
import { replaceFile } from '../../platform/durable-files.ts';
import { markOfAny } from '../../platform/file-mark.ts';
import {
  isDirectory,
  isLink,
  listNames,
  makeDirectory,
  readRegular,
  realPlace,
  removeAll,
} from '../../platform/files.ts';
import { gitFolders } from '../../platform/git-head.ts';
import type { Workspace } from '../workspace.ts';

/** Largest governing file that is kept for putting back; larger ones are compared by hash alone. */
const MAX_BYTES = 1 << 20;

/** Files under a project and under a home folder that wire an agent host, switch its hooks off or tell it what to trust. */
const HOST_FILES = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.factory/hooks.json',
  '.factory/mcp.json',
  '.factory/settings.json',
  '.kimi-code/config.toml',
  '.kimi-code/mcp.json',
  '.kiro/hooks/pactclaw.json',
  '.kiro/settings/mcp.json',
  ...['.gemini', '.qwen'].flatMap((folder) =>
    ['settings.json', 'trustedFolders.json', '.env'].map((name) => `${folder}/${name}`),
  ),
  // By name too, so that it is missed when it is gone.
  '.pi/extensions/pactclaw.js',
  '.pi/agent/extensions/pactclaw.js',
  '.pi/settings.json',
  ...['', '.opencode/', '.config/opencode/'].flatMap((folder) => [
    `${folder}opencode.json`,
    `${folder}opencode.jsonc`,
  ]),
  '.github/hooks/pactclaw.json',
  '.github/copilot/settings.json',
  '.github/copilot/settings.local.json',
  '.copilot/hooks/pactclaw.json',
  '.copilot/settings.json',
  '.copilot/mcp-config.json',
  '.cursor/hooks.json',
  '.cursor/mcp.json',
  '.windsurf/hooks.json',
  '.codeium/windsurf/mcp_config.json',
  ...['.clinerules/hooks', '.cline/hooks'].flatMap((folder) =>
    ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'TaskStart'].map((name) => `${folder}/${name}`),
  ),
];

/** Folders under those two whose every file a host loads as code. */
const HOST_FOLDERS = [
  '.pi/extensions',
  '.pi/agent/extensions',
  ...['plugin', 'plugins', 'tool', 'tools'].flatMap((name) => [
    `.opencode/${name}`,
    `.config/opencode/${name}`,
  ]),
  ...['.github', '.copilot', '.clinerules', '.cline'].map((name) => `${name}/hooks`),
];

/** Files that govern the agent and that no snapshot of the work tree holds. */
function governingFiles({ layout, ground }: Workspace): string[] {
  const git = gitFolders(layout.root);
  const host = (folder: string) => [
    ...HOST_FILES.map((name) => `${folder}/${name}`),
    ...HOST_FOLDERS.flatMap((name) =>
      listNames(`${folder}/${name}`).map((file) => `${folder}/${name}/${file}`),
    ),
  ];
  return [
    layout.intents,
    layout.config,
    layout.mcpPins,
    layout.constitution,
    layout.soul,
    layout.brain,
    layout.writer,
    ...host(layout.root),
    `${layout.root}/.mcp.json`,
    // A file in a linked work tree and in a submodule: it says which repository this is.
    ...(isDirectory(`${layout.root}/.git`) ? [] : [`${layout.root}/.git`]),
    ...listNames(`${git?.common}/hooks`)
      .filter((name) => !name.endsWith('.sample'))
      .map((name) => `${git?.common}/hooks/${name}`),
    ...host(ground.home),
    `${ground.home}/.pactclaw/config.toml`,
    `${ground.home}/.pactclaw/ESTOP`,
    `${ground.home}/.pactclaw/installed.json`,
    // Git's ignore file of this user: it could hide new folders from the snapshots.
    `${ground.home}/.config/git/ignore`,
  ];
}

/** What the governing files hold now. */
export function governingImages(workspace: Workspace): Preimage[] {
  return governingFiles(workspace).map(imageOf);
}

/**
 * A governing file as it is compared: its bytes and where they lie. The place counts, because behind a link into the
 * scope the same bytes could become others by a judged write. What is no file of a readable size is told by its
 * mark, so that a pipe, a folder or an overlong file is not taken for a missing one.
 */
export function imageOf(path: string): Preimage {
  const mark = markOfAny(path);
  if (mark === '') return { path, hash: null, content: null };
  const content = readRegular(path, MAX_BYTES);
  const what = content ? sha256(content) : sha256(mark);
  const place = realPlace(path);
  return { path, hash: place === path ? what : sha256(`${place}\n${what}`), content };
}

/** A governing file that changed while a command ran. */
export interface Tampering {
  readonly before: Preimage;
  readonly now: Preimage;
}

/** Governing files that are not as they were. A hook script that was added counts. */
export function findTampering(workspace: Workspace, before: readonly Preimage[]): Tampering[] {
  const known = new Map(before.map((image) => [image.path, image]));
  // Those of before too: what is no longer found may have been removed.
  const paths = new Set([...known.keys(), ...governingFiles(workspace)]);
  return [...paths].map(imageOf).flatMap((now) => {
    const then = known.get(now.path) ?? { path: now.path, hash: null, content: null };
    return then.hash === now.hash ? [] : [{ before: then, now }];
  });
}

/** The file lies elsewhere than before: its bytes may be the same, but a link now decides what they are. */
export function isDisplaced({ before, now }: Tampering): boolean {
  const atHome = (image: Preimage) => image.content === null || image.hash === sha256(image.content);
  return atHome(before) && !atHome(now);
}

/** Puts a governing file back; what the command left there is kept at `kept` so that nothing is lost. */
export function undoTampering({ before, now }: Tampering, kept: string): void {
  if (now.content) {
    makeDirectory(kept.slice(0, kept.lastIndexOf('/')));
    replaceFile(kept, now.content, { durable: false });
  }
  if (before.content) {
    const folder = before.path.slice(0, before.path.lastIndexOf('/'));
    // It lay at its own place before: a link that now leads elsewhere goes, not what it leads to.
    if (before.hash === sha256(before.content) && isLink(folder)) removeAll(folder);
    makeDirectory(folder);
    if (isDirectory(before.path)) removeAll(before.path);
    replaceFile(before.path, before.content, { durable: true });
  } else if (before.hash === null) removeAll(before.path);
}
