import { resolve } from 'node:path/posix';
import { isObject, type JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { Moment } from '../adapter.ts';
import { callOf } from './decode/call.ts';
import { type HookInput, hookInput } from './decode/hook-input.ts';
import { malformed, optionalText, textAt } from './decode/payload.ts';
import { isByHuman } from './decode/prompt.ts';
import type { ToolTable } from './decode/tool-shape.ts';
import { endAt, type HookHost } from './hook-host.ts';

/** The events of Claude Code, whose names several hosts took over. */
export const CLAUDE_EVENTS = {
  PreToolUse: 'beforeTool',
  PostToolUse: 'afterTool',
  PostToolUseFailure: 'afterFailure',
  SessionStart: 'sessionStart',
  UserPromptSubmit: 'prompt',
  PreCompact: 'beforeCompact',
  Stop: 'stop',
  SessionEnd: 'sessionEnd',
} as const satisfies Readonly<Record<string, Moment>>;

/** How the calls of such a host are read. */
export interface CallShape {
  readonly host: string;
  /** Its tools; which a name may mean can hang on the rest of the payload. */
  readonly tools: ToolTable | ((name: string, raw: JsonObject) => ToolTable);
  /** Key of its id of a call; absent where it gives none. */
  readonly callIdKey?: string;
  /** Argument in which a tool that runs a command names the folder that it starts in. */
  readonly folderKey?: string;
  /** Its tool that loads deferred tools by `select:NAME`, and what comes before the names of ours. */
  readonly finder?: { readonly tool: string; readonly prefix: string };
}

type Given = 'decode' | 'callOf' | 'endOf' | 'events' | 'byHuman';

/** What of a host with Claude Code's payloads is its own. */
export interface ClaudeShaped
  extends CallShape,
    Omit<HookHost<HookInput>, Given>,
    Partial<Pick<HookHost<HookInput>, Given>> {
  /** Keys of a call's result and of its error. */
  readonly results?: readonly [success: string, failure: string];
}

/** The folder a command starts in: absolute, or from the session's folder. */
function folderOf(cwd: string, args: JsonObject, key: string | undefined): string {
  const folder = key === undefined ? null : optionalText(args, key);
  return folder === null ? cwd : resolve(cwd, folder);
}

/** Decodes a tool event into the call that the engine judges. Throws a PactError on what it cannot decode. */
export function decodeShaped(of: CallShape, { raw, sessionId, cwd, agentId }: HookInput): ToolCall {
  const { host, finder } = of;
  const name = textAt(host, raw, 'tool_name');
  const args = raw.tool_input ?? {};
  if (!isObject(args)) throw malformed(host, 'tool_input is not an object');
  const tools = typeof of.tools === 'function' ? of.tools(name, raw) : of.tools;
  const shape = Object.hasOwn(tools, name) ? tools[name] : undefined;
  const finds = name === finder?.tool && args.query === `select:${finder.prefix}${HANDSHAKE_TOOL}`;
  return callOf(
    {
      host,
      sessionId,
      cwd: shape?.command === undefined ? cwd : folderOf(cwd, args, of.folderKey),
      callId: of.callIdKey === undefined ? null : optionalText(raw, of.callIdKey),
      name,
      args,
      agentId,
      findsHandshake: finds,
    },
    tools,
  );
}

/** A host whose hooks have the shape of Claude Code's. What its table gives takes the place of what they share. */
export function claudeShaped(of: ClaudeShaped): HookHost<HookInput> {
  return {
    decode: (bytes) => hookInput(of.host, bytes),
    events: CLAUDE_EVENTS,
    callOf: (input) => decodeShaped(of, input),
    endOf: endAt(...(of.results ?? (['tool_response', 'error'] as const))),
    byHuman: ({ raw }) => isByHuman(raw.prompt),
    ...of,
  };
}
