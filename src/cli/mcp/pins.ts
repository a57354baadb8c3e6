import { changesOf, tellChanges } from '../../mcp/pins.ts';
import { pinsOf } from '../../proxy/mcp/pin-keeper.ts';
import type { CommonOptions } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { clean, columns, paint, say, sayJson } from '../output.ts';

/** `pactclaw mcp pins`: what was accepted of each server's tools, and what waits. */
export async function pins(options: CommonOptions): Promise<void> {
  const { servers } = pinsOf(openWorkspace(options.workspace));
  const rows = Object.entries(servers).map(([server, { waiting, ...pin }]) => ({
    server,
    source: pin.source,
    digest: pin.digest,
    since: pin.since,
    tools: Object.keys(pin.tools),
    waiting: waiting
      ? { digest: waiting.digest, since: waiting.since, changes: changesOf(pin.tools, waiting.tools) }
      : null,
  }));
  if (options.json) return sayJson({ servers: rows });
  if (rows.length === 0) return say('no MCP server has been seen in this workspace');
  say(
    columns(
      rows.map(({ server, digest, tools, waiting, since }) => [
        waiting ? paint.red('held back') : paint.green('pinned'),
        server,
        digest.slice(0, 12),
        `${tools.length} tools`,
        waiting ? clean(tellChanges(waiting.changes)) : `since ${since}`,
      ]),
    ),
  );
}
