import { decide } from '../core/decide.ts';
import type { Facts } from '../core/facts.ts';
import type { JsonObject } from '../core/json.ts';
import type { Decision } from '../core/ruling.ts';
import { factsInFailSafe } from '../hooks/attempt/gather.ts';
import { rehearse } from '../hooks/attempt/rehearse.ts';
import { toFailSafe } from '../hooks/fail-safe.ts';
import { INSTALLED_RULES } from '../hooks/pipeline.ts';
import type { PreToolRequest } from '../hooks/requests.ts';
import type { Workspace } from '../hooks/workspace.ts';
import { toCall } from './named-call.ts';

/** The request that a human asks about at the command line. Throws a PactError on what no tool would take. */
export function requestOf(tool: string, args: JsonObject, cwd: string, sessionId: string): PreToolRequest {
  return { sessionId, host: 'cli', transcript: null, call: toCall(tool, args, cwd, sessionId) };
}

/** The judgement; a state that cannot be opened is judged by the fail-safe rule, as the engine does it. */
export async function judgeAsked(
  workspace: Workspace,
  request: PreToolRequest,
  intent: string | null,
): Promise<{ facts: Facts; decision: Decision }> {
  try {
    return await rehearse(workspace, request, intent);
  } catch (error) {
    const facts = factsInFailSafe(request, toFailSafe(error));
    return { facts, decision: decide(facts, INSTALLED_RULES) };
  }
}
