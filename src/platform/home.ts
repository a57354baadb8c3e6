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

/** The folder that a variable of the environment names, else one in the home folder. */
export function folderOf(variable: string, inHome: string): string {
  const named = process.env[variable];
  return named === undefined || named === '' ? `${homeFolder()}/${inHome}` : named;
}
