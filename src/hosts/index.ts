import type { HostAdapter } from './adapter.ts';
import { adapterOf } from './shared/hook-host.ts';
import type { HostInstaller } from './shared/install/installer.ts';
import type { LayeredTable } from './shared/layered-table.ts';
import type { HostTable } from './shared/table.ts';
import type { HostVerifier } from './shared/verify/verifier.ts';

/**
 * How one host is loaded. A hook's process loads the code of the host that asks, and of that only what answers events.
 */
type Loads<T> = Readonly<Record<string, () => Promise<T>>>;

/** Hosts that consist of a table only. */
const TABLES = {
  cursor: async () => (await import('./cursor/host.ts')).cursor,
  windsurf: async () => (await import('./windsurf/host.ts')).windsurf,
  droid: async () => (await import('./droid/host.ts')).droid,
  kiro: async () => (await import('./kiro/host.ts')).kiro,
} satisfies Loads<HostTable>;

/** Hosts with hooks and servers in one settings file of several levels; their adapters stand beside the table. */
const LAYERED = {
  gemini: async () => (await import('./gemini/host.ts')).geminiTable,
  qwen: async () => (await import('./qwen/host.ts')).qwenTable,
} satisfies Loads<LayeredTable>;

const ADAPTERS: Loads<HostAdapter> = {
  'claude-code': async () => (await import('./claude-code/adapter.ts')).claudeCode,
  codex: async () => (await import('./codex/adapter.ts')).codex,
  copilot: async () => (await import('./copilot/adapter.ts')).copilot,
  gemini: async () => (await import('./gemini/adapter.ts')).gemini,
  qwen: async () => (await import('./qwen/adapter.ts')).qwen,
  opencode: async () => (await import('./opencode/adapter.ts')).opencode,
  pi: async () => (await import('./pi/adapter.ts')).pi,
  cline: async () => (await import('./cline/adapter.ts')).cline,
  cursor: async () => adapterOf((await TABLES.cursor()).hooks),
  windsurf: async () => adapterOf((await TABLES.windsurf()).hooks),
  droid: async () => adapterOf((await TABLES.droid()).hooks),
  kimi: async () => (await import('./kimi/adapter.ts')).kimi,
  kiro: async () => adapterOf((await TABLES.kiro()).hooks),
  generic: async () => (await import('./generic/adapter.ts')).generic,
};

/** Names of all hosts whose hooks PactClaw can answer, as a registration gives them. */
export const ADAPTER_NAMES: readonly string[] = Object.keys(ADAPTERS);

/** Names of all hosts that PactClaw can be registered with, and whose installation `verify` can try. */
export const HOST_NAMES: readonly string[] = ADAPTER_NAMES.filter((name) => name !== 'generic');

function loaded<T>(from: Loads<T>, host: string): Promise<T> {
  const load = Object.hasOwn(from, host) ? from[host] : undefined;
  if (load === undefined) throw new Error(`no host is named ${host}`);
  return load();
}

/** What answers a host's events, one of {@link ADAPTER_NAMES}. */
export function loadAdapter(host: string): Promise<HostAdapter> {
  return loaded(ADAPTERS, host);
}

/** What each of these tables comes to. */
function each<T, R>(tables: Loads<T>, made: (table: Promise<T>) => Promise<R>): Loads<R> {
  return Object.fromEntries(Object.entries(tables).map(([host, load]) => [host, () => made(load())]));
}

const INSTALLERS: Loads<HostInstaller> = {
  ...each(TABLES, async (table) =>
    (await import('./shared/install/table-installer.ts')).installerOf(await table),
  ),
  ...each(LAYERED, async (table) =>
    (await import('./shared/install/layered-installer.ts')).layeredInstaller(await table),
  ),
  'claude-code': async () => (await import('./claude-code/install/installer.ts')).claudeCodeInstaller,
  codex: async () => (await import('./codex/install/installer.ts')).codexInstaller,
  copilot: async () => (await import('./copilot/install/installer.ts')).copilotInstaller,
  opencode: async () => (await import('./opencode/installer.ts')).opencodeInstaller,
  pi: async () => (await import('./pi/installer.ts')).piInstaller,
  cline: async () => (await import('./cline/install/installer.ts')).clineInstaller,
  kimi: async () => (await import('./kimi/install/installer.ts')).kimiInstaller,
};

const VERIFIERS: Loads<HostVerifier> = {
  ...each(TABLES, async (table) =>
    (await import('./shared/verify/table-verifier.ts')).verifierOf(await table),
  ),
  ...each(LAYERED, async (table) =>
    (await import('./shared/verify/layered-verifier.ts')).layeredVerifier(await table),
  ),
  'claude-code': async () => (await import('./claude-code/verify/verifier.ts')).claudeCodeVerifier,
  codex: async () => (await import('./codex/verify/verifier.ts')).codexVerifier,
  copilot: async () => (await import('./copilot/verify/verifier.ts')).copilotVerifier,
  opencode: async () => (await import('./opencode/verifier.ts')).opencodeVerifier,
  pi: async () => (await import('./pi/verifier.ts')).piVerifier,
  cline: async () => (await import('./cline/verify/verifier.ts')).clineVerifier,
  kimi: async () => (await import('./kimi/verify/verifier.ts')).kimiVerifier,
};

/** How PactClaw is registered with a host, one of {@link HOST_NAMES}. */
export function loadInstaller(host: string): Promise<HostInstaller> {
  return loaded(INSTALLERS, host);
}

/** How a host's installation is tried, one of {@link HOST_NAMES}. */
export function loadVerifier(host: string): Promise<HostVerifier> {
  return loaded(VERIFIERS, host);
}
