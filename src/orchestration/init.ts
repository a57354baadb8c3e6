import { compileScope } from '../core/breadth.ts';
import { messageOf, PactError } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import type { Layout } from '../core/layout.ts';
import { SIDECAR } from '../core/words.ts';
import { markOf } from '../platform/file-mark.ts';
import { makeDirectory, readRegular } from '../platform/files.ts';
import { entryKind, makePrivateFolder } from '../platform/list-folder.ts';
import { ATTRIBUTE_LINES, IGNORED_LINES, USER_SETTINGS, WORKSPACE_SETTINGS } from './house-settings.ts';
import { BRAIN, CONSTITUTION, SOUL } from './house-texts.ts';
import { checkIntents } from './init-notes.ts';
import { renderMap } from './intent-map.ts';
import { intentsTemplate } from './intents-template.ts';
import { type InitReport, lay, layLines } from './lay-files.ts';
import { MOST_PROPOSED, type ProposedIntent, proposeIntent } from './propose-intent.ts';
import { countScopeFiles } from './scope-count.ts';

export interface InitOptions {
  /** `~/.pactclaw` of the human who runs it. */
  readonly userFolder: string;
  /** Workspace-relative files to propose a first intent from; those that git tracks are best. */
  readonly files: readonly string[];
  /** ISO time for the first line of a new `active_intents.yaml`. */
  readonly now?: string;
}

function scriptsOf(root: string): string[] {
  try {
    const manifest: unknown = JSON.parse(
      readRegular(`${root}/package.json`, 1 << 20)?.toString('utf8') ?? '',
    );
    return isObject(manifest) && isObject(manifest.scripts) ? Object.keys(manifest.scripts) : [];
  } catch {
    return [];
  }
}

/** The proposal, held against what is really there: untracked files count for a scope too (H-52). */
function proposeFor(layout: Layout, files: readonly string[]): ProposedIntent {
  const scripts = scriptsOf(layout.root);
  const intent = proposeIntent(files, { scripts });
  const { count } = countScopeFiles(layout.root, compileScope(intent.ownedScope), MOST_PROPOSED);
  if (count !== null && count <= MOST_PROPOSED) return intent;
  return proposeIntent(files, { scripts, namedFiles: true });
}

function isUsed(log: string): boolean {
  try {
    return (markOf(log)?.size ?? 0) > 0;
  } catch {
    return true;
  }
}

function layLogs(report: InitReport, layout: Layout): void {
  const logs = [
    [layout.trace, `${SIDECAR}/agent_trace.jsonl`],
    [layout.receipts, `${SIDECAR}/tool_receipts.log`],
  ] as const;
  const used = entryKind(layout.state) !== null || logs.some(([file]) => isUsed(file));
  for (const [file, name] of logs) {
    if (!lay(report, file, name, '') || !used) continue;
    report.created.pop();
    report.repaired.push(name);
    report.notes.push(
      `${name} was missing though this workspace has been worked in; restore it from git if you can`,
    );
  }
}

function layUserSettings(report: InitReport, userFolder: string): void {
  const file = `${userFolder}/config.toml`;
  try {
    makePrivateFolder(userFolder);
    lay(report, file, file, USER_SETTINGS, 0o600);
  } catch (error) {
    report.notes.push(`${file} cannot be made (${messageOf(error)}); defaults hold without it`);
  }
}

/**
 * Makes the files that a workspace lacks, and nothing twice (H-50, H-103, R-40). What a human wrote is
 * never overwritten; a broken `active_intents.yaml` is kept and reported. The intents come last, so that an init
 * which was cut short leaves the engine in fail-safe. `state.db` and `writer` are the ledger's to make.
 */
export function initWorkspace(layout: Layout, options: InitOptions): InitReport {
  const report: InitReport = { created: [], kept: [], repaired: [], notes: [] };
  const kind = entryKind(layout.sidecar);
  if (kind !== null && kind !== 'folder')
    throw new PactError(
      'CONFLICT',
      `${SIDECAR} is not a folder of its own`,
      'Move it away, then run `pactclaw init` again.',
      { file: layout.sidecar },
    );
  makeDirectory(layout.sidecar);
  (kind === null ? report.created : report.kept).push(`${SIDECAR}/`);
  layLines(report, `${layout.sidecar}/.gitignore`, `${SIDECAR}/.gitignore`, IGNORED_LINES);
  layLines(report, `${layout.sidecar}/.gitattributes`, `${SIDECAR}/.gitattributes`, ATTRIBUTE_LINES);
  lay(report, layout.constitution, `${SIDECAR}/constitution.md`, CONSTITUTION);
  lay(report, layout.soul, `${SIDECAR}/soul.md`, SOUL);
  lay(report, layout.brain, `${SIDECAR}/AGENT.md`, BRAIN);
  lay(report, layout.config, `${SIDECAR}/config.yaml`, WORKSPACE_SETTINGS);
  layUserSettings(report, options.userFolder);
  layLogs(report, layout);
  lay(report, layout.map, `${SIDECAR}/intent_map.md`, renderMap([]));
  const name = `${SIDECAR}/active_intents.yaml`;
  if (entryKind(layout.intents) !== null) lay(report, layout.intents, name, '');
  else {
    const intent = proposeFor(layout, options.files);
    lay(report, layout.intents, name, intentsTemplate(intent, options.now?.slice(0, 10) ?? null));
    report.notes.push(`${intent.id} "${intent.name}" was proposed; make ${name} say what you want done`);
  }
  report.notes.push(...checkIntents(layout));
  return report;
}
