/**
 * Elements that begin the prompts which clients write by themselves: a background task, another agent, another session
 * or a channel has something to say (Claude Code 2.1.329, Qwen Code 0.24.4, Codex CLI 0.169.0: in their programs).
 */
const BY_CLIENT =
  /^\s*<(?:task[-_]notification|subagent[-_]notification|system[-_]notification|teammate[-_]message|cross-session-message|system-reminder|channel)[\s>]/;

/**
 * True unless a prompt begins as clients begin their own. Nothing that an agent can cause is a human's request: only that
 * releases a halted session. Words of a human that begin so are a request all the same, and release nothing.
 */
export function isByHuman(prompt: unknown): boolean {
  return typeof prompt !== 'string' || !BY_CLIENT.test(prompt);
}
