import { messageOf, PactError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ReceiptDraft } from '../../core/receipt.ts';
import { changeGoverningFile } from '../../hooks/settings/governing-file.ts';
import type { Workspace } from '../../hooks/workspace.ts';
import {
  changesOf,
  definitionsOf,
  digestOfTools,
  heldText,
  type Pin,
  type PinBook,
  readBook,
  type Seen,
  type ToolChange,
  tellChanges,
  writeBook,
} from '../../mcp/pins.ts';
import { nowIso } from '../../platform/clock.ts';
import { readIfThere } from '../../platform/files.ts';

type What = 'pinned' | 'held' | 'accepted';

/** The largest set of definitions that is kept, in characters of JSON. */
const MAX_DEFINITIONS = 4 << 20;

const NOTES: Readonly<Record<What, string>> = {
  pinned: 'its tools were seen for the first time, and are trusted as they are',
  held: 'its tools are not those that a human accepted',
  accepted: 'a human accepted its tools as they are now',
};

function receiptOf(what: What, server: string, before: string, now: string, detail: string): ReceiptDraft {
  return {
    phase: 'event',
    conversation_id: 'pactclaw',
    tool: `pactclaw.mcp_${what}`,
    args_hash: before,
    result_hash: now,
    status: what === 'held' ? 'denied' : 'allowed',
    risk: what === 'held' ? 'high' : 'medium',
    target: server,
    note: `MCP server ${server}: ${NOTES[what]}${detail === '' ? '' : ` (${detail})`}`,
  };
}

function damaged(fault: string): PactError {
  return new PactError(
    'INVARIANT_BROKEN',
    `.orchestration/mcp_pins.json cannot be used: ${fault}`,
    'Restore the file, or delete it to trust every server anew as it is then.',
  );
}

/** The pins as they stand. Throws a PactError when the file cannot be used. */
export function pinsOf(workspace: Workspace): PinBook {
  const book = readBook(readIfThere(workspace.layout.mcpPins));
  if (typeof book === 'string') throw damaged(book);
  return book;
}

function change(
  workspace: Workspace,
  make: (
    book: PinBook,
  ) => { readonly server: string; readonly pin: Pin; readonly receipt: ReceiptDraft } | null,
): void {
  changeGoverningFile(workspace, workspace.layout.mcpPins, (now) => {
    const book = readBook(now);
    if (typeof book === 'string') throw damaged(book);
    const made = make(book);
    if (!made) return null;
    const servers = { ...book.servers, [made.server]: made.pin };
    return { content: writeBook({ ...book, servers }), receipt: made.receipt };
  });
}

/**
 * Holds a server's definitions against its pin. The first sight of a server pins it: there is nothing to compare with,
 * so that first time is trust (and said in the receipts). Definitions that differ are kept for a human to look at.
 * Null when they match; else why the server is held back. What cannot be checked is held back too. Never throws.
 */
export function checkPins(
  workspace: Workspace,
  server: string,
  source: string,
  tools: readonly JsonObject[],
): string | null {
  try {
    const definitions = definitionsOf(tools);
    const digest = digestOfTools(definitions);
    const known = pinsOf(workspace).servers[server];
    if (known?.digest === digest) return null;
    if (JSON.stringify(definitions).length > MAX_DEFINITIONS)
      return `MCP server ${server} is held back: its tool definitions are longer than ${MAX_DEFINITIONS} characters`;
    const seen: Seen = { source, digest, since: nowIso(), tools: definitions };
    let held: string | null = null;
    change(workspace, ({ servers }) => {
      const pin = Object.hasOwn(servers, server) ? servers[server] : undefined;
      if (!pin) return { server, pin: seen, receipt: receiptOf('pinned', server, digest, digest, '') };
      if (pin.digest === digest) return null;
      const changes = changesOf(pin.tools, definitions);
      held = heldText(server, changes);
      if (pin.waiting?.digest === digest) return null;
      const receipt = receiptOf('held', server, pin.digest, digest, tellChanges(changes));
      return { server, pin: { ...pin, waiting: seen }, receipt };
    });
    return held;
  } catch (error) {
    const remedy = error instanceof PactError ? `\n${error.remedy}` : '';
    return `MCP server ${server} is held back: its tools could not be compared with those that were accepted: ${messageOf(error)}${remedy}`;
  }
}

/** What a human would accept for a server. Throws a PactError when nothing waits. */
export function waitingFor(
  workspace: Workspace,
  server: string,
): { readonly before: Seen; readonly now: Seen; readonly changes: readonly ToolChange[] } {
  const { servers } = pinsOf(workspace);
  const pin = Object.hasOwn(servers, server) ? servers[server] : undefined;
  if (!pin)
    throw new PactError(
      'NOT_FOUND',
      `no MCP server named ${server} was seen in this workspace`,
      'See `pactclaw mcp pins`.',
    );
  if (!pin.waiting)
    throw new PactError(
      'NOT_FOUND',
      `nothing waits to be accepted for ${server}`,
      'See `pactclaw mcp pins`.',
    );
  return { before: pin, now: pin.waiting, changes: changesOf(pin.tools, pin.waiting.tools) };
}

/** Accepts the definitions with this digest, which a human has been shown; others that came since stay held back. */
export function acceptPin(workspace: Workspace, server: string, digest: string): void {
  change(workspace, ({ servers }) => {
    const pin = servers[server];
    if (pin?.waiting?.digest !== digest)
      throw new PactError(
        'CONFLICT',
        `the tools of ${server} changed again meanwhile`,
        'Run the command again and look at what changed.',
      );
    const detail = tellChanges(changesOf(pin.tools, pin.waiting.tools));
    return {
      server,
      pin: { ...pin.waiting },
      receipt: receiptOf('accepted', server, pin.digest, digest, detail),
    };
  });
}
