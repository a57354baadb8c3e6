import { findOnPath, isExecutable, run } from '../../../platform/run.ts';

/** The host's program as found. `version` is null when it does not tell one. */
export interface Client {
  readonly file: string;
  readonly version: string | null;
}

/** The client at a path, else the one on PATH; null when there is none. */
export async function findClient(asked: string | undefined): Promise<Client | null> {
  const file = asked ?? findOnPath('claude');
  if (file === null || !isExecutable(file)) return null;
  const { stdout } = await run(file, ['--version'], { timeoutMs: 15_000 });
  return { file, version: /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? null };
}
