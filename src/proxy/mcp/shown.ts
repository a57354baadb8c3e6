import type { JsonObject } from '../../core/json.ts';
import type { Catalogue } from '../../mcp/catalogue.ts';
import type { Upstream } from '../../mcp/upstream.ts';
import { ownTool } from './own-tools.ts';
import { spelled } from './spelled.ts';

/** Between a server's name and its tool's, where there are several servers. */
export const SEPARATOR = '__';

/** A server's tool under the name that the client sees. */
export interface ShownTool {
  readonly upstream: Upstream;
  readonly tool: string;
}

/** The name under which a server's tool or prompt is shown: its own where nothing else can have it. */
export function shownName(server: string, name: string, alone: boolean): string {
  return alone && ownTool(name) === undefined ? name : `${server}${SEPARATOR}${name}`;
}

/** The server and the tool that a shown name stands for. Server names hold no separator, so one cut is the right one. */
export function whichTool(shown: string, upstreams: readonly Upstream[]): ShownTool | null {
  const at = shown.indexOf(SEPARATOR);
  const named = upstreams.find(({ name }) => at > 0 && name === shown.slice(0, at));
  const [only] = upstreams;
  if (upstreams.length === 1 && only) {
    const inner = shown.slice(at + SEPARATOR.length);
    if (named && ownTool(inner) !== undefined) return { upstream: only, tool: inner };
    return { upstream: only, tool: shown };
  }
  return named ? { upstream: named, tool: shown.slice(at + SEPARATOR.length) } : null;
}

/** Definitions as the client sees them. */
export function shownTools(upstream: Upstream, { tools, held }: Catalogue, alone: boolean): JsonObject[] {
  if (held !== null) return [];
  return [...tools].map(([name, tool]) => ({
    ...spelled(tool),
    name: shownName(upstream.name, name, alone),
  }));
}
