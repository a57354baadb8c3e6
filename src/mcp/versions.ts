/** Protocol versions that begin with `initialize`, oldest first (modelcontextprotocol.io, Versioning). */
const LEGACY_VERSIONS = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
export const LATEST_LEGACY: string = LEGACY_VERSIONS[LEGACY_VERSIONS.length - 1] as string;
/** The version without sessions: every request says who makes it, `server/discover` tells what a server is. */
export const STATELESS = '2026-07-28';

/** Whether a version is one of those that begin with `initialize`. */
export function isLegacy(version: unknown): version is string {
  return (LEGACY_VERSIONS as readonly unknown[]).includes(version);
}

/** The version to ask a server for: the client's own where it is known here, else the newest that is (F-27). */
export function clampVersion(asked: string): string {
  return isLegacy(asked) ? asked : LATEST_LEGACY;
}
