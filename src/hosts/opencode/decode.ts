import path from 'node:path/posix';
import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { callOf } from '../shared/decode/call.ts';
import { malformed, optionalText, textAt } from '../shared/decode/payload.ts';
import { type PluginEvent, tokensAt } from '../shared/in-process/message.ts';
import { HOST } from './names.ts';
import { TOOLS } from './tools.ts';

/** A command may name a folder to run in; relative paths of it start there. */
function folderOf(name: string, args: JsonObject, cwd: string): string {
  return name === 'bash' && typeof args.workdir === 'string' ? path.resolve(cwd, args.workdir) : cwd;
}

function call(event: PluginEvent, source: JsonObject, args: JsonValue | undefined): ToolCall {
  if (!isObject(args)) throw malformed(HOST, 'the arguments are not an object');
  const name = textAt(HOST, source, 'tool');
  return callOf(
    {
      host: HOST,
      sessionId: event.sessionId,
      cwd: folderOf(name, args, event.cwd),
      callId: optionalText(source, 'callID'),
      name,
      args,
      agentId: event.agent,
    },
    TOOLS,
  );
}

/** `tool.execute.before`: the arguments are in its output, where a plugin may change them. */
export function callBefore(event: PluginEvent): ToolCall {
  return call(event, event.input, event.output.args);
}

/** How a call ended, and which. */
export interface Ended {
  readonly call: ToolCall;
  readonly ok: boolean;
  readonly result: JsonValue;
}

/** `tool.execute.after`. A command that ended with another code than 0 did not do what it was to do. */
export function callAfter(event: PluginEvent): Ended {
  const { metadata } = event.output;
  const exit = isObject(metadata) && typeof metadata.exit === 'number' ? metadata.exit : 0;
  const { output, content } = event.output;
  return {
    call: call(event, event.input, event.input.args),
    ok: exit === 0,
    result: output ?? content ?? null,
  };
}

/** A tool part in state `error`: the call threw, and no `tool.execute.after` follows. */
export function callFailed(event: PluginEvent, part: JsonObject): Ended {
  const state = isObject(part.state) ? part.state : {};
  return { call: call(event, part, state.input), ok: false, result: state.error ?? null };
}

/**
 * A model response as `message.updated` carries it. Tokens read from the provider's cache are not counted: every turn
 * reads the whole conversation again, and a budget is about new work.
 */
export function responseOf(info: JsonObject): { tokens: number; model: string | null } {
  const tokens = isObject(info.tokens) ? info.tokens : {};
  const cache = isObject(tokens.cache) ? tokens.cache : {};
  return {
    tokens: tokensAt(tokens, 'input', 'output', 'reasoning') + tokensAt(cache, 'write'),
    model: optionalText(info, 'modelID'),
  };
}
