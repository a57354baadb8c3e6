import { PactError } from '../core/errors.ts';
import type { EnvironmentMark } from '../core/footprints/footprint.ts';
import { FOOTPRINTS } from '../core/footprints/index.ts';

/** Whether a variable is one by which an agent's shell is known. */
export function isAgentMark(variable: string): boolean {
  return FOOTPRINTS.some(({ marks }) => marks.some((mark) => holds(mark, variable)));
}

function holds(mark: EnvironmentMark, variable: string): boolean {
  if (typeof mark === 'string') return mark === variable;
  return variable.startsWith(mark.prefix) && !mark.except.includes(variable);
}

/** The agent host whose shell this is, with the variable that tells so; null for a human's terminal. */
export function agentShell(
  env: Readonly<Record<string, string | undefined>>,
): { host: string; variable: string } | null {
  for (const variable of Object.keys(env).sort()) {
    if (!env[variable] || env[variable] === '0') continue;
    const host = FOOTPRINTS.find(({ marks }) => marks.some((mark) => holds(mark, variable)));
    if (host) return { host: host.title, variable };
  }
  return null;
}

/**
 * Refuses a command that changes how agents are governed when an agent's shell runs it. A second lock only: an agent
 * can unset a variable, and what really stops it is the engine's self-protection, which refuses the command itself.
 */
export function assertHuman(what: string): void {
  const found = agentShell(process.env);
  if (!found) return;
  throw new PactError(
    'PERMISSION_DENIED',
    `${what} is for humans only, and this is the shell of an agent (${found.host} sets ${found.variable})`,
    'It changes how agents are governed. A human runs it in a terminal of their own.',
  );
}
