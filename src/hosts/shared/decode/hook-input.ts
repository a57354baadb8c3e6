import type { HostEvent } from '../../adapter.ts';
import { identifierAt, optionalText, payloadOf, textAt } from './payload.ts';

/** An event with the common keys that Claude Code gave its payloads and other hosts took over. */
export interface HookInput extends HostEvent {
  readonly transcriptPath: string | null;
  readonly agentId: string | null;
}

/** Reads the bytes of a hook's standard input. Anything that is not one JSON object with those keys throws. */
export function hookInput(host: string, bytes: Uint8Array): HookInput {
  const raw = payloadOf(host, bytes);
  return {
    sessionId: identifierAt(host, raw, 'session_id'),
    event: textAt(host, raw, 'hook_event_name'),
    cwd: textAt(host, raw, 'cwd'),
    transcriptPath: optionalText(raw, 'transcript_path'),
    agentId: optionalText(raw, 'agent_id'),
    raw,
  };
}
