import { findOnPath, isExecutable, run } from '../../../platform/run.ts';

/** The host's program as found. `version` is null when it does not tell one. */
export interface Client {
  readonly file: string;
  readonly version: string | null;
}

/** The client at a path, else the first of these names on PATH; null when there is none. */
export async function findClient(
  names: readonly string[],
  asked: string | undefined,
): Promise<Client | null> {
  const file = asked ?? names.map(findOnPath).find((found) => found !== null) ?? null;
  if (file === null || !isExecutable(file)) return null;
  const { stdout, stderr } = await run(file, ['--version'], { timeoutMs: 15_000 });
  return { file, version: /\d+\.\d+\.\d+/.exec(`${stdout}\n${stderr}`)?.[0] ?? null };
}

/**
 * What to warn of about the client of this name on PATH. `old` says it of one below the first version that was seen to
 * obey, or of one that tells no version; it may throw a PactError instead.
 */
export async function clientWarnings(
  name: string,
  floor: string,
  old: (file: string, version: string | null) => string,
): Promise<string[]> {
  const client = await findClient([name], undefined);
  if (client === null) return [`no \`${name}\` is on PATH; its version was not checked`];
  if (client.version !== null && isAtLeast(client.version, floor)) return [];
  return [old(client.file, client.version)];
}

/** The warning of hosts whose earlier versions nobody has seen. */
export function notSeen(floor: string) {
  return (file: string, version: string | null): string =>
    `${file} is version ${version ?? 'unknown'}; only ${floor} and later were seen to obey`;
}

/** True when a version is at least another; both as three numbers. */
export function isAtLeast(version: string, floor: string): boolean {
  const [a, b] = [version, floor].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (const at of [0, 1, 2]) if ((a[at] ?? 0) !== (b[at] ?? 0)) return (a[at] ?? 0) > (b[at] ?? 0);
  return true;
}
