import type { Capability } from './check.ts';

/** What the suite that all hosts share proves of each. Not `wiring`: it meets some of a host's events, not every one. */
const SHARED = ['handshake', 'scope', 'protection', 'fail-closed', 'record', 'server'] as const;

/**
 * What the end-to-end suite has seen real clients obey, per host and version of the client. A line belongs here only
 * while a test of that suite proves it with that very version; a client of another version has proven nothing.
 */
const PROOFS: Readonly<Record<string, Readonly<Record<string, readonly Capability[]>>>> = {
  'claude-code': { '2.1.329': SHARED },
  cline: { '3.0.65': SHARED },
  codex: { '0.169.0': SHARED },
  copilot: { '1.0.102': SHARED },
  gemini: { '0.61.0': SHARED },
  kimi: { '2.1.0': SHARED },
  opencode: { '1.18.33': SHARED },
  pi: { '0.73.1': SHARED },
  qwen: { '0.24.4': SHARED },
};

/** Capabilities that a real run of this version of the host's client has proven. */
export function provenCapabilities(host: string, version: string | null): ReadonlySet<Capability> {
  const versions = Object.hasOwn(PROOFS, host) ? PROOFS[host] : undefined;
  const proven = versions && version !== null && Object.hasOwn(versions, version) ? versions[version] : [];
  return new Set(proven);
}
