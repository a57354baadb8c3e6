import { AsyncLocalStorage } from 'node:async_hooks';
import os from 'node:os';

/** The user's home folder, as the environment names it. */
export function homeFolder(): string {
  return os.homedir();
}

/** Where PactClaw keeps what belongs to the user and not to a workspace (C-5). */
export function userFolder(): string {
  return `${os.homedir()}/.pactclaw`;
}

/** `~` and `~/…` as absolute paths; other paths are returned as they are. */
export function expandHome(path: string, home = homeFolder()): string {
  return path === '~' || path.startsWith('~/') ? home + path.slice(1) : path;
}

let handed: AsyncLocalStorage<Readonly<Record<string, string>>> | null = null;

/** Runs `work` as in an environment that has these variables: those of the process that it is done for. */
export function withVariables<T>(variables: Readonly<Record<string, string>>, work: () => T): T {
  handed ??= new AsyncLocalStorage();
  return handed.run(variables, work);
}

/** The folder that a variable of the environment names, or null. */
export function namedFolder(variable: string): string | null {
  const named = (handed?.getStore() ?? process.env)[variable];
  return named === undefined || named === '' ? null : named;
}

/** The folder that a variable of the environment names, else one in the home folder. */
export function folderOf(variable: string, inHome: string): string {
  return namedFolder(variable) ?? `${homeFolder()}/${inHome}`;
}
