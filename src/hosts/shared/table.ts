import type { JsonObject } from '../../core/json.ts';
import type { RunResult } from '../../platform/run.ts';
import type { HostEvent, Moment } from '../adapter.ts';
import type { HookHost } from './hook-host.ts';
import type { Machine, Scope } from './install/installer.ts';
import type { PayloadShape, ToolNames } from './verify/claude-shaped.ts';
import type { Hole, HostTool, Sandbox, Trial, TriedCall, Verdict } from './verify/verifier.ts';

/** The files of one scope in which a host finds hooks and servers. */
export interface ScopeFiles {
  readonly hooks: string;
  readonly server: string;
}

/** How a host is registered whose hooks stand in a JSON file of their own. */
export interface WiringTable {
  readonly scopes: readonly Scope[];
  /** Null where the scope has no place for this machine. */
  files(machine: Machine, scope: Scope): ScopeFiles | null;
  /**
   * How the file is laid out. `flat`: `{hooks: {EVENT: [HANDLER]}}`; `groups`: `{EVENT: [{matcher, hooks: [HANDLER]}]}`;
   * `list`: `{version, hooks: [HOOK]}`.
   */
  readonly layout: 'flat' | 'groups' | 'list';
  /** The entry of one event. */
  entry(event: string, command: string): JsonObject;
  /** Events whose command refuses by itself when the launcher is gone; none where the host refuses then. */
  readonly guarded: ReadonlySet<string>;
  /** What else the file holds when it is ours alone. */
  readonly version?: string | number;
  /** Shortest timeout in seconds that a hook may have; 0 where the host has none. */
  readonly minTimeoutS: number;
  /** What of the host's own is wrong with an entry, or null. */
  faultOf?(event: string, entry: JsonObject): string | null;
  /** What the host wants to know of the server beside how to start it. */
  readonly server?: JsonObject;
  isServerOn?(entry: JsonObject): boolean;
  /** What a human should know before, and once it is installed. */
  readonly warnings?: readonly string[];
  notes(scope: Scope): string[];
  /** Files of the workspace that wire the host, which no agent may write. */
  readonly protects: readonly string[];
}

/** What `verify` sends such a host's hooks, and how the host reads their answers. */
export interface TrialTable {
  /** The host's event for each moment, where {@link HookHost.events} has several or their order says another. */
  readonly events?: Readonly<Partial<Record<Moment, string>>>;
  eventFor?(moment: Moment, call: TriedCall | null): string | undefined;
  /** Payloads of Claude Code's shape. */
  readonly shape?: PayloadShape;
  readonly common?: (sandbox: Sandbox) => JsonObject;
  readonly names?: ToolNames;
  payload?(sandbox: Sandbox, moment: Moment, call: TriedCall | null): JsonObject;
  toolFor?(trial: Trial): HostTool | null;
  env?(sandbox: Sandbox): Readonly<Record<string, string | undefined>>;
  /** What of its answers the host takes for a refusal. */
  readonly reads: 'specific' | 'exit' | ((result: RunResult) => Verdict);
  readonly locks?: readonly ('answer' | 'exit')[];
  /** What `verify` says of the trust that the host wants before it loads hooks of a project. */
  readonly untrusted?: string;
  readonly holes: readonly Hole[];
}

/** One host in a table: what its hooks are, where they are registered, how they are tried. */
export interface HostTable {
  readonly hooks: HookHost<HostEvent>;
  readonly wiring: WiringTable;
  readonly trials: TrialTable;
}
