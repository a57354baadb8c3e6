import type { JsonObject } from '../../../core/json.ts';
import type { RunResult } from '../../../platform/run.ts';
import type { Moment } from '../../adapter.ts';
import type { Client } from '../install/client.ts';
import type { Machine } from '../install/installer.ts';
import type { Check } from './check.ts';

/** A workspace and a home that exist for one verification, so that nothing is recorded in the real ones. */
export interface Sandbox {
  readonly root: string;
  readonly home: string;
}

/** A call that is tried on every host; a host without such a tool says so ({@link HostVerifier.toolFor}). */
export type Trial =
  | { readonly does: 'write'; readonly file: string; readonly content: string }
  | { readonly does: 'edit'; readonly file: string }
  | { readonly does: 'read'; readonly file: string }
  | { readonly does: 'shell'; readonly command: string }
  | { readonly does: 'undeclared'; readonly file: string }
  | { readonly does: 'handshake'; readonly intentId: string };

/** A tool and its arguments as the host's model calls it. */
export interface HostTool {
  readonly name: string;
  readonly args: JsonObject;
}

/** One tried call, with what its payloads must contain. */
export interface TriedCall extends HostTool {
  readonly id: string;
  readonly trial: Trial;
}

/** How a registered command is started: a program and its arguments, the sandbox in place of the workspace. */
export interface Start {
  readonly file: string;
  readonly args: readonly string[];
}

/** One hook of ours as the host finds it in its settings. */
export interface RegisteredHook {
  readonly file: string;
  /** The host's name of the event. */
  readonly event: string;
  /** The entry itself; two that differ are two hooks, and every call counts twice. */
  readonly handler: JsonObject;
  /** The workspace that it names; null when it names none. */
  readonly workspace: string | null;
  /**
   * Starts it as the host would. `node` and `launcher` take the place of the ones that are registered. Null: it cannot
   * be started.
   */
  start(root: string, node?: string, launcher?: string): Start | null;
}

/** The registered handshake server. */
export interface RegisteredServer {
  readonly file: string;
  /** True if it starts PactClaw's server. */
  readonly ours: boolean;
  start(root: string): Start;
}

/** How the host understands an answer to a tool call's hook. */
export interface Verdict {
  readonly verdict: 'denied' | 'runs' | 'failed';
  /** The reason that its model is given, or what went wrong. */
  readonly text: string;
}

/** A way around the hooks that the host leaves open. */
export interface Hole {
  readonly what: string;
  readonly why: string;
}

/** What the wiring is asked about. */
export interface WiringFacts {
  readonly machine: Machine;
  readonly registered: readonly RegisteredHook[];
  readonly client: Client | null;
  /** The client that was named on the command line. */
  readonly asked: string | undefined;
  readonly cwd: string;
}

/**
 * One host as `pactclaw verify` sees it: where its hooks are registered, what it sends them, how it reads their
 * answers. The trials themselves are the same for all (`call-checks.ts`, `breakage-checks.ts`).
 */
export interface HostVerifier {
  readonly host: string;
  /** Names of the host's program on PATH. */
  readonly clients: readonly string[];
  /** The host's event for each moment; a moment without one is left out of the trials. */
  readonly events: Readonly<Partial<Record<Moment, string>>>;
  /** The event that takes the place of the moment's own for this call; undefined where none does. */
  eventFor?(moment: Moment, call: TriedCall | null): string | undefined;
  /** Hooks of ours in all settings of the host for a machine. A file that cannot be read has none. */
  registered(machine: Machine): RegisteredHook[];
  /** The host's own conditions: switches, trust, versions, matchers, timeouts. */
  wiring(facts: WiringFacts): Check[] | Promise<Check[]>;
  /** The handshake server that counts, or null; a host that gets the handshake tool in another way has no `server`. */
  readonly server?: {
    find(machine: Machine): RegisteredServer | null;
    checks?(machine: Machine): Check[];
  };
  /** Variables that the host sets for a hook. */
  env(sandbox: Sandbox): Readonly<Record<string, string | undefined>>;
  /** What the host writes on a hook's standard input. `call` is null where the moment is about none. */
  payload(sandbox: Sandbox, moment: Moment, call: TriedCall | null): JsonObject;
  /** The host's tool for a trial; null when it has none. */
  toolFor(trial: Trial): HostTool | null;
  verdictOf(result: RunResult): Verdict;
  /**
   * Each of these alone makes the host refuse, so a broken hook must show both. Default: the answer on standard
   * output, and exit code 2 with a text on standard error.
   */
  readonly locks?: readonly ('answer' | 'exit')[];
  /** The registered command refuses by itself when the launcher is gone (`guardedLine`). */
  readonly guarded?: boolean;
  /** Files of the workspace that wire the host, which no agent may write. */
  readonly wiringFiles: readonly string[];
  readonly holes: readonly Hole[];
}
