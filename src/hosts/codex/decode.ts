import { resolve } from 'node:path/posix';
import { PactError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import type { HostEvent } from '../adapter.ts';
import { callOf } from '../shared/decode/call.ts';
import { identifierAt, malformed, optionalText, payloadOf, textAt } from '../shared/decode/payload.ts';
import { shellLine } from '../shared/install/shell-line.ts';
import { type RecordedCall, sessionFolder } from './rollout.ts';
import { HOST, TOOLS } from './tools.ts';

/** What every payload of the host carries (recorded payloads of 0.169.0). */
export interface HookInput extends HostEvent {
  /** The record of the session, or of the subagent that acts; null where the host keeps none. */
  readonly transcriptPath: string | null;
  /** The record of a subagent that has ended. */
  readonly agentTranscriptPath: string | null;
  readonly agentId: string | null;
  /** The folder in which a call of this event acts: where the model said so, not the session's. */
  readonly folder: string;
  readonly callId: string | null;
  readonly model: string | null;
}

/** Reads the bytes of a hook's standard input. Anything that is not one JSON object of the host's shape throws. */
export function decodeInput(bytes: Uint8Array): HookInput {
  const raw = payloadOf(HOST, bytes);
  const folder = textAt(HOST, raw, 'cwd');
  const transcriptPath = optionalText(raw, 'transcript_path');
  return {
    sessionId: identifierAt(HOST, raw, 'session_id'),
    event: textAt(HOST, raw, 'hook_event_name'),
    // The workspace is the one of the session, wherever one of its commands runs.
    cwd: sessionFolder(transcriptPath) ?? folder,
    folder,
    transcriptPath,
    agentTranscriptPath: optionalText(raw, 'agent_transcript_path'),
    agentId: optionalText(raw, 'agent_id'),
    callId: optionalText(raw, 'tool_use_id'),
    model: optionalText(raw, 'model'),
    raw,
  };
}

/**
 * What the host keeps from the hooks of a command, though it decides what the command is: whether it gets a terminal,
 * into which a tool of which no hook is told may type later, and which shell reads its text. Throws where that cannot
 * be known: the call is refused.
 */
export function meantBy({ raw }: HookInput, recorded: RecordedCall | null): JsonObject {
  if (raw.tool_name !== 'Bash' || !isObject(raw.tool_input)) return {};
  if (recorded?.name !== 'Bash' || recorded.args.cmd !== raw.tool_input.command)
    throw new PactError(
      'INVALID_INPUT',
      "Codex's record of the session does not show this command, so that whether it gets a terminal cannot be told",
      'Start Codex without --ephemeral. If that is not it, see `pactclaw verify codex`.',
    );
  const { tty, shell } = recorded.args;
  return { ...(tty === true ? { tty } : {}), ...(typeof shell === 'string' ? { shell } : {}) };
}

/** Shells that the model may choose without changing what its text means. */
const KNOWN_SHELL = /^(?:\/(?:usr\/(?:local\/)?)?bin\/)?(?:sh|bash|dash|zsh|ksh)$/;

/** A program that is chosen as shell is what really runs. */
function commandOf(command: string, { shell }: JsonObject): string {
  if (typeof shell !== 'string' || shell === '' || KNOWN_SHELL.test(shell)) return command;
  return shellLine([shell, '-c', command]);
}

/**
 * Decodes a tool event into the call that the engine judges. Throws a PactError on what it cannot decode. `meant` is
 * what {@link meantBy} adds before the call runs; afterwards it decides nothing more.
 */
export function decodeCall(input: HookInput, meant: JsonObject = {}): ToolCall {
  const { raw, sessionId, agentId, callId, folder } = input;
  const name = textAt(HOST, raw, 'tool_name');
  const args = raw.tool_input ?? {};
  if (!isObject(args)) throw malformed(HOST, 'tool_input is not an object');
  const source = { host: HOST, sessionId, cwd: folder, callId, name, args, agentId };
  if (name !== 'Bash' || typeof args.command !== 'string') return callOf(source, TOOLS);
  const workdir = resolve(folder);
  return callOf(
    { ...source, args: { ...args, ...meant, workdir, command: commandOf(args.command, meant) } },
    TOOLS,
  );
}
