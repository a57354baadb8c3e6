import { isObject, type JsonObject } from '../../../core/json.ts';
import type { RunResult } from '../../../platform/run.ts';
import type { Verdict } from './verifier.ts';

/** Why a hook gave no answer, or null. Every host treats that as a failure of the hook. */
export function unanswered(result: RunResult): Verdict | null {
  if (result.failure !== null)
    return { verdict: 'failed', text: `it could not be started (${result.failure})` };
  return result.timedOut ? { verdict: 'failed', text: 'it did not answer in time' } : null;
}

/** Returns the JSON object on standard output, or null if there is none. */
export function answerOf(result: RunResult): JsonObject | null {
  try {
    const output: unknown = JSON.parse(result.stdout);
    return isObject(output) ? output : null;
  } catch {
    return null;
  }
}

/** The verdict of a hook that gave none: the call runs after exit code 0 with an answer, else the hook failed. */
export function otherwise(result: RunResult, answer: JsonObject | null): Verdict {
  if (result.code === 0 && answer !== null) return { verdict: 'runs', text: 'allowed' };
  return { verdict: 'failed', text: `it ended with code ${result.code ?? result.signal} and no answer` };
}

/** `hookSpecificOutput.permissionDecision`, which Claude Code, Codex, Qwen Code and VS Code share. */
export function specificVerdict(result: RunResult): Verdict {
  const silent = unanswered(result);
  if (silent) return silent;
  const answer = answerOf(result);
  const specific = isObject(answer?.hookSpecificOutput) ? answer.hookSpecificOutput : {};
  const reason = specific.permissionDecisionReason;
  const text = typeof reason === 'string' ? reason : result.stderr;
  if (specific.permissionDecision === 'deny' || result.code === 2) return { verdict: 'denied', text };
  return otherwise(result, answer);
}

/** The verdict of hosts that read no answer on standard output: exit code 2 refuses. */
export function exitVerdict(result: RunResult): Verdict {
  const silent = unanswered(result);
  if (silent) return silent;
  if (result.code === 2) return { verdict: 'denied', text: result.stderr };
  if (result.code === 0) return { verdict: 'runs', text: 'allowed' };
  return { verdict: 'failed', text: `it ended with code ${result.code}: the client proceeds` };
}
