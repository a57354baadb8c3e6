import type { JsonObject } from '../../../core/json.ts';
import type { NamedTarget, TargetRole } from '../../../core/tool-call.ts';
import { HANDSHAKE_TOOL, type ToolKind } from '../../../core/words.ts';

/** How one of a host's tools is read. */
export interface ToolShape {
  /** Canonical name (C-54). */
  readonly tool: string;
  readonly kind: ToolKind;
  readonly mutating: boolean;
  /** Argument that names its file, and what happens to it. */
  readonly path?: { readonly key: string; readonly role: TargetRole; readonly required: boolean };
  /** Reads the files off arguments that name several (patches, batches); throws a PactError when it cannot. */
  readonly targets?: (args: JsonObject) => NamedTarget[];
  /** Reads the shell command off the arguments; throws a PactError when there is none. Null: this form runs none. */
  readonly command?: (args: JsonObject) => string | null;
  /** True when such a call goes on after it has returned. */
  readonly background?: (args: JsonObject) => boolean;
  /** Arguments that make two calls the same; all when absent. Notes to a human are never among them (H-90). */
  readonly identity?: readonly string[];
}

/** A host's tools by the names it gives them. A name that is not among them is undeclared and mutating (H-30). */
export type ToolTable = Readonly<Record<string, ToolShape>>;

/** A tool that only looks; `key` names the file it looks at. */
export function look(tool: string, key?: string): ToolShape {
  return {
    tool,
    kind: 'read',
    mutating: false,
    ...(key === undefined ? {} : { path: { key, role: 'read', required: false } }),
  };
}

/** A tool that only steers the agent and changes nothing else. */
export function control(tool: string): ToolShape {
  return { tool, kind: 'control', mutating: false };
}

/** A tool that writes the one file its argument names. */
export function write(tool: string, key: string): ToolShape {
  return { tool, kind: 'write', mutating: true, path: { key, role: 'write', required: true } };
}

export function network(tool: string): ToolShape {
  return { tool, kind: 'network', mutating: false };
}

/** A tool that may do anything: watched like a command, its paths held against the scope. */
export function foreign(tool: string): ToolShape {
  return { tool, kind: 'execute', mutating: true };
}

/** The handshake tool under the name that a host's prefix gives it. */
export function handshakeTool(prefix: string): ToolTable {
  return {
    [`${prefix}${HANDSHAKE_TOOL}`]: {
      tool: HANDSHAKE_TOOL,
      kind: 'control',
      mutating: false,
      identity: ['intent_id'],
    },
  };
}

/** The tools of PactClaw's own server, under the names that a host's prefix gives them. */
export function ownTools(prefix: string): ToolTable {
  return {
    ...handshakeTool(prefix),
    [`${prefix}list_active_intents`]: look('list_active_intents'),
    [`${prefix}why`]: look('why'),
  };
}
