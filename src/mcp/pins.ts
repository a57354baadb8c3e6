import * as z from 'zod';
import { digestOf } from '../core/digest.ts';
import { canonicalJson, type JsonObject, wellFormed } from '../core/json.ts';

const definitionsSchema = z.record(z.string(), z.looseObject({}));
const seenSchema = z.strictObject({
  source: z.string(),
  digest: z.string(),
  since: z.string(),
  tools: definitionsSchema,
});
const bookSchema = z.strictObject({
  version: z.literal(1),
  servers: z.record(z.string(), z.strictObject({ ...seenSchema.shape, waiting: seenSchema.optional() })),
});

/** Definitions of a server's tools by name, as they are compared. */
export type Definitions = Readonly<Record<string, JsonObject>>;

/** What a server's definitions were at one moment. */
export interface Seen {
  /** Command line or address. */
  readonly source: string;
  readonly digest: string;
  /** When they were first seen so, ISO 8601. */
  readonly since: string;
  readonly tools: Definitions;
}

/** What is accepted for a server, and what waits for a human, if anything. */
export interface Pin extends Seen {
  readonly waiting?: Seen | undefined;
}

/** `.orchestration/mcp_pins.json`. */
export interface PinBook {
  readonly version: 1;
  readonly servers: Readonly<Record<string, Pin>>;
}

export const EMPTY_BOOK: PinBook = { version: 1, servers: {} };

/** The book in these bytes; a text when it cannot be used. */
export function readBook(bytes: Uint8Array | null): PinBook | string {
  if (bytes === null) return EMPTY_BOOK;
  try {
    const parsed = bookSchema.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
    if (parsed.success) return parsed.data as unknown as PinBook;
    const [issue] = parsed.error.issues;
    return `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'not valid'}`;
  } catch {
    return 'it is not JSON';
  }
}

export function writeBook(book: PinBook): string {
  return `${JSON.stringify(book, null, 2)}\n`;
}

/**
 * What counts of a server's tools: everything that a model or a client reads, which is all but pictures. `_meta` counts:
 * clients act by it. Their order does not count.
 */
export function definitionsOf(tools: readonly JsonObject[]): Definitions {
  const sorted = tools
    .map(({ icons: _pictures, ...rest }) => wellFormed(rest))
    .sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
  return Object.fromEntries(sorted.map((tool) => [String(tool.name), tool]));
}

export function digestOfTools(tools: Definitions): string {
  return digestOf(tools as unknown as JsonObject);
}

/** How a tool differs from what is pinned. */
export interface ToolChange {
  readonly tool: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Members of the definition that differ; empty unless it is `changed`. */
  readonly members: readonly string[];
}

/** What is different between two sets of definitions, by tool name. */
export function changesOf(before: Definitions, now: Definitions): ToolChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return names.flatMap((tool): ToolChange[] => {
    const [old, fresh] = [before, now].map((set) => (Object.hasOwn(set, tool) ? set[tool] : undefined));
    if (!old) return [{ tool, change: 'added', members: [] }];
    if (!fresh) return [{ tool, change: 'removed', members: [] }];
    const members = [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
      .filter((key) => canonicalJson(old[key] ?? null) !== canonicalJson(fresh[key] ?? null))
      .sort();
    return members.length === 0 ? [] : [{ tool, change: 'changed', members }];
  });
}

const SHOWN = 8;

/** A name that a server chose, fit to stand in a sentence of ours. */
function plain(name: string): string {
  return name.replace(/[^\w./ -]/g, '?').slice(0, 64);
}

/** One line about a change, with the server's own words left out: they are what is not trusted yet. */
export function tellChanges(changes: readonly ToolChange[]): string {
  const lines = changes.slice(0, SHOWN).map(({ tool, change, members }) => {
    const which = members.length === 0 ? '' : ` (${members.map(plain).join(', ')})`;
    return `${plain(tool)} ${change}${which}`;
  });
  const more = changes.length > SHOWN ? ` and ${changes.length - SHOWN} more` : '';
  return `${lines.join('; ')}${more}`;
}

/** The sentence for a server that is held back. */
export function heldText(server: string, changes: readonly ToolChange[]): string {
  return `Governance Violation: MCP server ${server} is held back: its tools are not those that a human accepted
Changed: ${tellChanges(changes)}. A human reads what changed and accepts it with: pactclaw mcp accept ${server}`;
}
