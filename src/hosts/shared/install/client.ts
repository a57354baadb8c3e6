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

/** True when a version is at least another; both as three numbers. */
export function isAtLeast(version: string, floor: string): boolean {
  const [a, b] = [version, floor].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (const at of [0, 1, 2]) if ((a[at] ?? 0) !== (b[at] ?? 0)) return (a[at] ?? 0) > (b[at] ?? 0);
  return true;
}
