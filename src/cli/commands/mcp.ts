import path from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Command } from 'commander';
import { PactError } from '../../core/errors.ts';
import { isSelectable } from '../../core/intent.ts';
import type { JsonObject } from '../../core/json.ts';
import { handshakeAnswer, intentsAnswer } from '../../hooks/handshake-answer.ts';
import { loadSettings } from '../../hooks/settings.ts';
import type { Workspace } from '../../hooks/workspace.ts';
import { Store } from '../../ledger/store.ts';
import { whyLines } from '../../ledger/why.ts';
import { readRegular } from '../../platform/files.ts';
import { realPathOf } from '../../platform/resolve-path.ts';
import { watchFile } from '../../platform/watch.ts';
import { createHandshakeServer } from '../../proxy/mcp/handshake-server.ts';
import { openWorkspace } from '../context.ts';

declare const PACTCLAW_VERSION: string;

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

async function serve(workspace: Workspace): Promise<void> {
  const { server, refresh } = await createHandshakeServer({
    version: PACTCLAW_VERSION,
    describeIntents: () => describeIntents(workspace),
    select: (intentId) => handshakeAnswer(workspace, intentId),
    list: () => intentsAnswer(workspace),
    why: async (file, start, end) => why(workspace, file, start, end),
  });
  const watcher = watchFile(workspace.layout.intents, () => void refresh());
  server.server.onclose = () => void watcher.close();
  process.stdin.on('end', () => void server.close());
  await server.connect(new StdioServerTransport());
}

/** `pactclaw mcp serve`: the handshake tool for hosts that PactClaw does not own. */
export function register(program: Command): void {
  const mcp = program.command('mcp').description('serve the handshake over the Model Context Protocol');
  mcp
    .command('serve')
    .description('MCP server on standard input and output: select_active_intent, list_active_intents, why')
    .option('--workspace <dir>', 'workspace to serve (default: the nearest one)')
    .addHelpText('after', '\nAn agent host starts this by itself once `pactclaw install` has run.')
    .action(async (options: { workspace?: string }) => serve(openWorkspace(options.workspace)));
}
