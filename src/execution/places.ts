import { sha256 } from '../core/digest.ts';
import { userFolder } from '../platform/home.ts';

/** Where contained execution keeps what belongs to one workspace: private, and never below the workspace. */
export interface ExecutionPlaces {
  readonly state: string;
  /** One folder a command that runs: its plan, and what it writes. */
  readonly runs: string;
  /** Journals of commits that are under way. */
  readonly commits: string;
  /** Lock that one commit at a time holds. */
  readonly lock: string;
}

/** Places of all workspaces of this user. */
export function executionFolder(): string {
  return `${userFolder()}/exec`;
}

export function executionPlaces(root: string): ExecutionPlaces {
  const state = `${executionFolder()}/${sha256(root).slice(0, 16)}`;
  return { state, runs: `${state}/runs`, commits: `${state}/commits`, lock: `${state}/lock` };
}
