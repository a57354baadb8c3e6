import { sha256 } from '../core/digest.ts';
import { StateError } from '../core/errors.ts';
import type { Layout } from '../core/layout.ts';
import { expandHome, userFolder } from '../platform/home.ts';
import { readSteady } from '../platform/steady-file.ts';
import { DEFAULT_POLICY, type Policy } from './policy.ts';

/** Remembers what was parsed from a file's exact bytes. */
export interface PolicyCache {
  compiled(file: string, digest: string): string | null;
  putCompiled(file: string, digest: string, value: string): void;
}

/** The bytes of both settings files; each may be missing, which means defaults. */
export interface PolicySources {
  readonly userFile: string;
  readonly user: Buffer | null;
  readonly workspaceFile: string;
  readonly workspace: Buffer | null;
}

export function readPolicySources(layout: Layout): PolicySources {
  const userFile = `${userFolder()}/config.toml`;
  return {
    userFile,
    user: readSteady(userFile),
    workspaceFile: layout.config,
    workspace: readSteady(layout.config),
  };
}

function digestOfSources({ user, workspace }: PolicySources): string {
  return sha256(`${user ? sha256(user) : '-'} ${workspace ? sha256(workspace) : '-'}`);
}

/** Policies that this process has unpacked, by the very buffers they came from; the newest first. */
let inMemory: readonly (Pick<PolicySources, 'user' | 'workspace'> & { readonly policy: Policy })[] = [];

/** The policy for these sources if they were parsed before; defaults need no parser. */
export function cachedPolicy(sources: PolicySources, cache: Pick<PolicyCache, 'compiled'>): Policy | null {
  if (!sources.user && !sources.workspace) return DEFAULT_POLICY;
  const known = inMemory.find((one) => one.user === sources.user && one.workspace === sources.workspace);
  if (known) return known.policy;
  const text = cache.compiled('policy', digestOfSources(sources));
  if (text === null) return null;
  // What an older version has kept lacks what came later.
  const policy: Policy = { ...DEFAULT_POLICY, ...(JSON.parse(text) as Partial<Policy>) };
  inMemory = [{ user: sources.user, workspace: sources.workspace, policy }, ...inMemory.slice(0, 63)];
  return policy;
}

/** Parses the sources (loading the parsers only now). Throws a StateError naming the file that is wrong. */
export async function compilePolicy(sources: PolicySources): Promise<Policy> {
  const { mergePolicy, parseUserPolicy, parseWorkspacePolicy } = await import('./parse-policy.ts');
  const user = sources.user ? parseUserPolicy(sources.user.toString('utf8')) : { values: {}, problems: [] };
  const workspace = sources.workspace
    ? parseWorkspacePolicy(sources.workspace.toString('utf8'))
    : { values: {}, problems: [] };
  const [problem] = [
    ...user.problems.map((message) => ({ file: sources.userFile, message })),
    ...workspace.problems.map((message) => ({ file: sources.workspaceFile, message })),
  ];
  if (problem)
    throw new StateError(
      `settings corrupted: ${problem.message}`,
      { file: problem.file },
      'Correct the file by hand.',
    );
  return mergePolicy(user.values, workspace.values);
}

/** Where the user wants the operator log; null where nowhere, or where the settings cannot be read. */
export async function userLogFile(): Promise<string | null> {
  const text = readSteady(`${userFolder()}/config.toml`)?.toString('utf8') ?? '';
  // Loading the parser costs more than the rest of a hook: only who has such a key pays for it.
  if (!/^\s*(\[\s*log\b|log\s*[.=])/m.test(text)) return null;
  const { parseUserPolicy } = await import('./parse-policy.ts');
  const { logFile } = parseUserPolicy(text).values;
  return logFile === undefined || logFile === null ? null : expandHome(logFile);
}

export function rememberPolicy(sources: PolicySources, policy: Policy, cache: PolicyCache): void {
  if (sources.user || sources.workspace)
    cache.putCompiled('policy', digestOfSources(sources), JSON.stringify(policy));
}
