import type { Part } from './part.ts';

/**
 * Where an installation is written: the shared project files, this person's own for the project, the user's, or the
 * machine's, which only an administrator can write.
 */
export const SCOPES = ['project', 'local', 'user', 'managed'] as const;
export type Scope = (typeof SCOPES)[number];

/** True for a scope that no project belongs to: its entries name no workspace. */
export function isEverywhere(scope: Scope): boolean {
  return scope === 'user' || scope === 'managed';
}

/** What the entries that we write must name. `workspace` is null in user scope: the host's project counts there. */
export interface Wiring {
  readonly node: string;
  /** Folder that PactClaw is installed in. */
  readonly install: string;
  readonly workspace: string | null;
  /** The agent's commands are to run in containers, where the host has a seam for it. */
  readonly contained?: boolean;
}

/** The machine and the person that an installation is for. */
export interface Machine {
  /** Absolute path of the project folder; null when only the user's files are meant. */
  readonly project: string | null;
  readonly home: string;
  readonly platform: string;
  /** Folder of the settings that an administrator lays down, in tests; the host's own where none is given. */
  readonly managed?: string;
  /** Reads a variable of the environment. */
  readonly env: (name: string) => string | undefined;
}

/** How PactClaw is registered with one host. Pure but for reading the host's own settings. */
export interface HostInstaller {
  readonly host: string;
  /** Scopes that the host has files for, the default one first. */
  readonly scopes: readonly Scope[];
  /** The files of one scope, the one with the hooks first; none where it needs a project and none is meant. */
  parts(machine: Machine, scope: Scope, wiring: Wiring): Part[];
  /** Throws a PactError where the host would ignore the hooks, or count every call twice. */
  assertInstallable?(machine: Machine, scope: Scope): void;
  /** What a human should know though it does not stand in the way. Throws a PactError where the client found is too old. */
  warnings?(machine: Machine, scope: Scope): Promise<string[]>;
  /** What to say once it is installed. */
  notes(scope: Scope): string[];
}
