import { PactError } from '../core/errors.ts';

/** Variables that agent hosts set in the shells of their agents. */
const MARKS: readonly (readonly [variable: RegExp, host: string])[] = [
  [/^CLAUDECODE$|^CLAUDE_CODE_CHILD_SESSION$/, 'Claude Code'],
  [/^GEMINI_CLI$/, 'Gemini CLI'],
  [/^QWEN_CODE$/, 'Qwen Code'],
  [/^CODEX_(?!HOME$|ACCESS_TOKEN$|API_KEY$)/, 'Codex'],
  [/^OPENCODE$/, 'OpenCode'],
  [/^CLINE_ACTIVE$/, 'Cline'],
  [/^CURSOR_AGENT$/, 'Cursor'],
  [/^COPILOT_CLI$/, 'Copilot CLI'],
];

/** The agent host whose shell this is, with the variable that tells so; null for a human's terminal. */
export function agentShell(
  env: Readonly<Record<string, string | undefined>>,
): { host: string; variable: string } | null {
  for (const variable of Object.keys(env).sort()) {
    if (!env[variable] || env[variable] === '0') continue;
    const mark = MARKS.find(([pattern]) => pattern.test(variable));
    if (mark) return { host: mark[1], variable };
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
