import path from 'node:path';
import { PactError } from '../../core/errors.ts';
import { isSelectable } from '../../core/intent.ts';
import type { JsonObject } from '../../core/json.ts';
import { intentsAnswer } from '../../hooks/attempt/handshake-answer.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import { loadSettings } from '../../hooks/settings/settings.ts';
import type { Workspace } from '../../hooks/workspace.ts';
import { Store } from '../../ledger/store.ts';
import { whyLines } from '../../ledger/why.ts';
import { readRegular } from '../../platform/files.ts';
import { realPathOf } from '../../platform/resolve-path.ts';
import type { OwnToolPorts } from '../../proxy/mcp/own-tools.ts';

const MAX_FILE = 64 << 20;

async function describeIntents(workspace: Workspace): Promise<string> {
  using store = Store.open(workspace.layout, { busyMs: workspace.busyMs });
  const { intents } = await loadSettings(workspace, store);
  const open = intents.filter(({ status, scope }) => isSelectable(status) && scope.fault === null);
  if (open.length === 0) return 'No intent is open now: a human must add one.';
  return `Open intents: ${open.map(({ id, name }) => `${id} (${name})`).join(', ')}.`;
}

function why(
  workspace: Workspace,
  file: string,
  start: number | undefined,
  end: number | undefined,
): JsonObject {
  const { root } = workspace.ground;
  const { absolute } = realPathOf(file, root);
  const content = absolute.startsWith(`${root}/`) ? readRegular(absolute, MAX_FILE) : null;
  if (!content)
    throw new PactError(
      'NOT_FOUND',
      `${file} is no file of this workspace`,
      'Name a file inside the workspace.',
    );
  using store = Store.open(workspace.layout, { busyMs: workspace.busyMs });
  const range = start === undefined ? {} : { range: { start, end: end ?? start } };
  const lines = whyLines(
    store,
    { path: path.relative(root, absolute), content, ...range },
    { readFile: (name) => readRegular(`${root}/${name}`, MAX_FILE) },
  );
  return { file, lines: lines as unknown as JsonObject[] };
}

/** What our own MCP tools do on a workspace. */
export function ownToolsOf(workspace: Workspace, engine: HookEngine): OwnToolPorts {
  return {
    describeIntents: () => describeIntents(workspace),
    select: (intentId) => engine.handshake(intentId),
    list: () => intentsAnswer(workspace),
    why: async (file, start, end) => why(workspace, file, start, end),
  };
}
