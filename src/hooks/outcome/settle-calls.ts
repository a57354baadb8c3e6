import type { ToolCall } from '../../core/tool-call.ts';
import { readDetail } from '../call-detail.ts';
import { openStore } from '../open-store.ts';
import type { CallEnding, EventOrigin } from '../requests.ts';
import type { Workspace } from '../workspace.ts';
import { postToolUse } from './post-tool-use.ts';

/** Calls of a session that were allowed, may have changed something, and of which no end was told. */
function openCallsOf(workspace: Workspace, sessionId: string): ToolCall[] {
  try {
    using store = openStore(workspace);
    return store.callsBeginningWith(sessionId, '').flatMap(({ callId, detail }) => {
      const { call, running } = readDetail(detail);
      return call === undefined || running !== undefined ? [] : [{ ...call, callId, args: {} }];
    });
  } catch {
    // The event itself fails for the same reason and reports it.
    return [];
  }
}

/**
 * Ends the calls of a session that are over though no hook heard of it (F-14): what they changed is compared, recorded
 * or undone as at any other end. `endingOf` says how a call ended, or null where it may still run. Returns what the agent
 * must hear, or null.
 */
export async function settleCalls(
  workspace: Workspace,
  origin: EventOrigin,
  endingOf: (call: ToolCall) => CallEnding | null,
): Promise<string | null> {
  const alarms: string[] = [];
  for (const call of openCallsOf(workspace, origin.sessionId)) {
    const ending = endingOf(call);
    if (ending === null) continue;
    const { alarm } = await postToolUse(workspace, { ...origin, call, ...ending });
    if (alarm !== null) alarms.push(alarm);
  }
  return alarms.length === 0 ? null : alarms.join('\n\n');
}
