import type { Footprint } from '../../core/footprints/footprint.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Scope } from './install/installer.ts';
import type { Part } from './install/part.ts';
import type { SettingsFile } from './install/settings-files.ts';
import type { HostVerifier } from './verify/verifier.ts';

/** One hook that a host is to call. */
export interface HookEvent {
  readonly event: string;
  /** What it is called for; `'*'` for every tool. Absent where the event knows no difference. */
  readonly matcher?: string;
  /** A failure of this hook must refuse. */
  readonly refuses: boolean;
}

/** What switches hooks off: where it stands, its key, and what a human does about it. */
export interface Off {
  readonly file: string;
  readonly key: string;
  readonly remedy?: string;
}

/**
 * A host that keeps hooks and MCP servers in one settings file, and merges those of several levels: Gemini CLI and its
 * relatives.
 */
export interface LayeredTable {
  readonly footprint: Footprint;
  /** Name of its program. */
  readonly client: string;
  /** First version of the client that was seen to obey. */
  readonly floor: string;
  readonly events: readonly HookEvent[];
  /** The host's units of time in a second. */
  readonly perSecond: number;
  /** What the host wants to know of the server beside how to start it. */
  readonly server: JsonObject;
  /** Begins the names of the variables that put single files elsewhere. */
  readonly variables: string;
  /** Whether the host asks for trust in a folder where nothing says so. */
  readonly asksForTrust: boolean;
  /** What switches hooks off; null where nothing does. */
  switchedOff(settings: readonly SettingsFile[]): Off | null;
  /** Says of a client that it is too old, or tells no version; throws a PactError where nothing would be governed. */
  tooOld(file: string, version: string | null): string;
  /** Parts of the settings file beside hooks and server. */
  alsoParts?(file: string, own: readonly Part[]): Part[];
  notes(scope: Scope): string[];
  readonly trials: Pick<HostVerifier, 'env' | 'events' | 'payload' | 'toolFor' | 'verdictOf' | 'holes'>;
}
