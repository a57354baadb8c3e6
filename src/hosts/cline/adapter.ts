import { isObject, type JsonObject } from '../../core/json.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { HookReply, HostAdapter, Moment } from '../adapter.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { jsonReply } from '../shared/encode/reply.ts';
import { adapterOf, type HookHost, originOf } from '../shared/hook-host.ts';
import { type ClineInput, decodeCall, decodeInput, HOST, objectAt } from './decode.ts';
import { ANSWERS } from './encode.ts';
import { transcriptOf } from './transcript.ts';

const MOMENTS = {
  PreToolUse: 'beforeTool',
  PostToolUse: 'afterTool',
  TaskStart: 'sessionStart',
  TaskResume: 'sessionStart',
  UserPromptSubmit: 'prompt',
  PreCompact: 'beforeCompact',
  TaskComplete: 'stop',
  TaskCancel: 'stop',
  TaskError: 'stop',
  SessionShutdown: 'sessionEnd',
} as const satisfies Readonly<Record<string, Moment>>;

/** Events that the installer registers. */
export const EVENTS = Object.keys(MOMENTS);

/** Whether a tool did what it was asked to: every one of a batch, and an MCP server's own word. */
function succeeded({ error, output }: JsonObject): boolean {
  if (error !== undefined && error !== null) return false;
  const results = Array.isArray(output) ? output : [output];
  return results.every((one) => !isObject(one) || (one.success !== false && one.isError !== true));
}

function promptOf({ raw: { userPromptSubmit: submitted } }: ClineInput): unknown {
  return isObject(submitted) ? submitted.prompt : undefined;
}

const hooks: HookHost<ClineInput> = {
  host: HOST,
  decode: decodeInput,
  events: MOMENTS,
  callOf: decodeCall,
  endOf: ({ raw }) => {
    const told = objectAt(raw, 'tool_result');
    return { ok: succeeded(told), result: told.error ?? told.output ?? null };
  },
  transcript: ({ sessionId }) => transcriptOf(sessionId),
  byHuman: (input) => isByHuman(promptOf(input)),
  // Agents that an agent started have such events too.
  isOfSession: ({ agentId }) => agentId === null,
  answers: ANSWERS,
};

/**
 * The agent begins to work: on a request, as the host tells of the first one in no other way. It does not wait for this
 * hook, which may come when a handshake is under way already.
 */
async function begins(input: ClineInput, engine: HookEngine): Promise<HookReply> {
  const { state } = await engine.standing(input.sessionId);
  if (state === 'REASONING_INTERCEPT') return jsonReply({});
  return ANSWERS.notice(await engine.userPrompt(originOf(hooks, input), true));
}

/** The host prompts its agent by itself to go on; that is no request. */
async function prompted(input: ClineInput, engine: HookEngine): Promise<HookReply> {
  const prompt = promptOf(input);
  if (typeof prompt === 'string' && prompt.startsWith('[SYSTEM]')) return jsonReply({});
  const answer = await engine.userPrompt(originOf(hooks, input), hooks.byHuman(input));
  return ANSWERS.context(input.event, answer);
}

/** Cline CLI (docs/hosts/cline.md). */
export const cline: HostAdapter = adapterOf({
  ...hooks,
  special: { TaskStart: begins, TaskResume: begins, UserPromptSubmit: prompted },
});
