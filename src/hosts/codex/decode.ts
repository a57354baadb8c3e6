import { resolve } from 'node:path/posix';
import { isObject, type JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import type { HostEvent } from '../adapter.ts';
import { callOf } from '../decoding/call.ts';
import { identifierAt, malformed, optionalText, payloadOf, textAt } from '../decoding/payload.ts';
import { shellLine } from '../install/shell-line.ts';
import type { RecordedCall } from './rollout.ts';
import { HOST, TOOLS } from './tools.ts';

/** What every payload of the host carries (recorded payloads of 0.169.0). */
export interface HookInput extends HostEvent {
  /** The record of the session, or of the subagent that acts; null where the host keeps none. */
  readonly transcriptPath: string | null;
  /** The record of a subagent that has ended. */
  readonly agentTranscriptPath: string | null;
  readonly agentId: string | null;
  readonly callId: string | null;
  readonly model: string | null;
}

/** Reads the bytes of a hook's standard input. Anything that is not one JSON object of the host's shape throws. */
export function decodeInput(bytes: Uint8Array): HookInput {
  const raw = payloadOf(HOST, bytes);
  return {
    sessionId: identifierAt(HOST, raw, 'session_id'),
    event: textAt(HOST, raw, 'hook_event_name'),
    cwd: textAt(HOST, raw, 'cwd'),
    transcriptPath: optionalText(raw, 'transcript_path'),
    agentTranscriptPath: optionalText(raw, 'agent_transcript_path'),
    agentId: optionalText(raw, 'agent_id'),
    callId: optionalText(raw, 'tool_use_id'),
    model: optionalText(raw, 'model'),
    raw,
  };
}

/** Stands for a folder that nobody told us: what is relative to it lies outside of every scope. */
export const UNKNOWN_FOLDER = '/folder-that-codex-did-not-tell';

/** The folder that a path of the model's means: absolute, or relative to the turn's. */
function folderOf(cwd: string, workdir: unknown): string {
  if (workdir === undefined || workdir === null || workdir === '') return cwd;
  return typeof workdir === 'string' ? resolve(cwd, workdir) : UNKNOWN_FOLDER;
}

/** How a command was meant, beside its text: kept out of the hooks' payload by the host. */
function meantBy(
  cwd: string,
  recorded: RecordedCall | null,
  command: unknown,
): { cwd: string; more: JsonObject } {
  // A record that tells of another command tells nothing of this one.
  if (recorded?.name !== 'Bash' || recorded.args.cmd !== command)
    return { cwd: UNKNOWN_FOLDER, more: { workdir: UNKNOWN_FOLDER } };
  const { tty, shell } = recorded.args;
  const workdir = folderOf(cwd, recorded.args.workdir);
  return {
    cwd: workdir,
    more: {
      workdir,
      ...(tty === true ? { tty } : {}),
      ...(typeof shell === 'string' ? { shell } : {}),
    },
  };
}

/** Shells that the model may choose without changing what its text means. */
const KNOWN_SHELL = /^(?:\/(?:usr\/(?:local\/)?)?bin\/)?(?:sh|bash|dash|zsh|ksh)$/;

/** A program that is chosen as shell is what really runs. */
function commandOf(command: string, { shell }: JsonObject): string {
  if (typeof shell !== 'string' || shell === '' || KNOWN_SHELL.test(shell)) return command;
  return shellLine([shell, '-c', command]);
}

/**
 * Decodes a tool event into the call that the engine judges. Throws a PactError on what it cannot decode. `recorded` is
 * what the session's record tells of it, which alone says in which folder a command runs.
 */
export function decodeCall(input: HookInput, recorded: RecordedCall | null): ToolCall {
  const { raw, sessionId, agentId, callId } = input;
  const name = textAt(HOST, raw, 'tool_name');
  const args = raw.tool_input ?? {};
  if (!isObject(args)) throw malformed(HOST, 'tool_input is not an object');
  const source = { host: HOST, sessionId, cwd: input.cwd, callId, name, args, agentId };
  if (name !== 'Bash' || typeof args.command !== 'string') return callOf(source, TOOLS);
  const { cwd, more } = meantBy(input.cwd, recorded, args.command);
  const command = commandOf(args.command, more);
  return callOf({ ...source, cwd, args: { ...args, ...more, command } }, TOOLS);
}
