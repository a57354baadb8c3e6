import { resolve } from 'node:path/posix';
import type { HookEngine } from '../../hooks/engine.ts';
import type { EventOrigin } from '../../hooks/requests.ts';
import { decodeCall, type HookInput } from './decode.ts';
import { goesOn, type RecordedCall, recordedCall } from './rollout.ts';

/**
 * Ends the calls of which no hook heard the end: this host fires PostToolUse for a success alone, and not for a patch
 * that was applied through a shell. Its record tells: what the model was told of a call is written only after its hook
 * has run, so a call with an output whose hook has not come will have none. A command that goes on is left: its hook
 * comes when the model asks for the rest of it. When the turn is over (`isOver`) nobody asks any more, and one that the
 * record says has ended is ended here. Returns what the agent must hear, or null.
 */
export async function settleEnded(
  input: HookInput,
  origin: EventOrigin,
  engine: HookEngine,
  isOver = false,
): Promise<string | null> {
  const alarms: string[] = [];
  for (const callId of await engine.openCalls(input.sessionId)) {
    if (callId === input.callId) continue;
    // Where a subagent has ended, only its own calls are over.
    const recorded = recordedCall(input.agentTranscriptPath ?? input.transcriptPath, callId);
    if (recorded?.output == null) continue;
    if (goesOn(recorded) && !(isOver && recorded.code !== null)) continue;
    const call = decodeCall(asEvent(input, callId, recorded));
    const ok = recorded.code === 0;
    const { alarm } = await engine.postToolUse({ ...origin, call, ok, result: recorded.output });
    if (alarm !== null) alarms.push(alarm);
  }
  return alarms.length === 0 ? null : alarms.join('\n\n');
}

/** The event that the host would have sent. */
function asEvent(input: HookInput, callId: string, { name, args }: RecordedCall): HookInput {
  const tool_input = name === 'Bash' ? { command: args.cmd ?? null } : args;
  const folder = resolve(input.cwd, typeof args.workdir === 'string' ? args.workdir : '.');
  return { ...input, callId, folder, raw: { ...input.raw, tool_name: name, tool_input } };
}
