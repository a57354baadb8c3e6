import { sha256 } from '../core/digest.ts';
import type { Preimage } from '../ledger/state-tables.ts';
import { listNames, makeDirectory, readRegular, removeFile, replaceFile } from '../platform/files.ts';
import type { Workspace } from './workspace.ts';

/** Largest governing file that is kept for putting back; larger ones are compared by hash alone. */
const MAX_BYTES = 1 << 20;

/** Files that govern the agent and that no snapshot of the work tree holds. */
function governingFiles({ layout, ground }: Workspace): string[] {
  const host = (folder: string) =>
    ['settings.json', 'settings.local.json'].map((name) => `${folder}/.claude/${name}`);
  return [
    layout.intents,
    layout.config,
    layout.constitution,
    layout.soul,
    layout.brain,
    layout.writer,
    ...host(layout.root),
    `${layout.root}/.mcp.json`,
    ...listNames(`${layout.root}/.git/hooks`)
      .filter((name) => !name.endsWith('.sample'))
      .map((name) => `${layout.root}/.git/hooks/${name}`),
    ...host(ground.home),
    `${ground.home}/.pactclaw/config.toml`,
    `${ground.home}/.pactclaw/ESTOP`,
  ];
}

/** What the governing files hold now. */
export function governingImages(workspace: Workspace): Preimage[] {
  return governingFiles(workspace).map((path) => {
    const content = readRegular(path, MAX_BYTES);
    return { path, hash: content ? sha256(content) : null, content };
  });
}

/** A governing file that changed while a command ran. */
export interface Tampering {
  readonly before: Preimage;
  readonly now: Preimage;
}

/** Governing files that are not as they were. A hook script that was added counts. */
export function findTampering(workspace: Workspace, before: readonly Preimage[]): Tampering[] {
  const known = new Map(before.map((image) => [image.path, image]));
  return governingImages(workspace).flatMap((now) => {
    const then = known.get(now.path) ?? { path: now.path, hash: null, content: null };
    return then.hash === now.hash ? [] : [{ before: then, now }];
  });
}

/** Puts a governing file back; what the command left there is kept at `kept` so that nothing is lost. */
export function undoTampering({ before, now }: Tampering, kept: string): void {
  if (now.content) {
    makeDirectory(kept.slice(0, kept.lastIndexOf('/')));
    replaceFile(kept, now.content, { durable: false });
  }
  if (before.content) {
    makeDirectory(before.path.slice(0, before.path.lastIndexOf('/')));
    replaceFile(before.path, before.content, { durable: true });
  } else if (before.hash === null) removeFile(before.path);
}
