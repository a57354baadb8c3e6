import { isObject } from '../../core/json.ts';
import type { Moment } from '../adapter.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { count } from '../shared/decode/transcript.ts';
import { encodeNotice } from '../shared/encode/exit.ts';
import { bounded, jsonReply, noticeReply } from '../shared/encode/reply.ts';
import { type Answers, type Handler, type HookHost, originOf, textOf } from '../shared/hook-host.ts';
import type { HostTable } from '../shared/table.ts';
import { type CursorInput, callOf, decodeInput, HOST, isUnnamedMcp, modelOf } from './decode.ts';
import { TRIALS } from './trials.ts';

/** Events by what they are. One that the host does not know would cost us the whole file. */
const EVENTS = {
  preToolUse: 'beforeTool',
  beforeMCPExecution: 'beforeTool',
  afterMCPExecution: 'afterTool',
  postToolUse: 'afterTool',
  postToolUseFailure: 'afterFailure',
  sessionStart: 'sessionStart',
  beforeSubmitPrompt: 'prompt',
  preCompact: 'beforeCompact',
  stop: 'stop',
  sessionEnd: 'sessionEnd',
} as const satisfies Readonly<Record<string, Moment>>;

/** Events whose hooks decide; there the host must take a failure for a refusal. */
const DECIDING: ReadonlySet<string> = new Set(['preToolUse', 'beforeMCPExecution', 'beforeSubmitPrompt']);

const context: Answers['context'] = (_event, answer) => {
  const text = textOf(answer);
  if (text === '') return jsonReply({});
  const output = { additional_context: bounded(text) };
  return answer.alarm === null ? jsonReply(output) : noticeReply(output, bounded(answer.alarm));
};

/**
 * With exit code 2 the host would take all of standard output for the reason; an answer that does not reach it is a
 * refusal all the same, because the hooks are registered with `failClosed`.
 */
const ANSWERS: Answers = {
  refuse: (text) => {
    const reason = bounded(text);
    return noticeReply({ permission: 'deny', user_message: reason, agent_message: reason }, reason);
  },
  block: (text) => noticeReply({ continue: false, user_message: bounded(text) }, bounded(text)),
  result: (event, answer) => (event === 'afterMCPExecution' ? encodeNotice(answer) : context(event, answer)),
  context,
  notice: encodeNotice,
};

/** Whether an MCP tool did what it was asked to, as the host tells the end of its run. */
function succeeded(text: unknown): boolean {
  try {
    const result: unknown = typeof text === 'string' ? JSON.parse(text) : text;
    return isObject(result) && Array.isArray(result.content) && result.isError !== true;
  } catch {
    return false;
  }
}

const hooks: HookHost<CursorInput> = {
  host: HOST,
  projectVariables: ['CURSOR_PROJECT_DIR'],
  decode: decodeInput,
  events: EVENTS,
  callOf,
  endOf: ({ event, raw }, _call, moment) => {
    if (event === 'afterMCPExecution')
      return { ok: succeeded(raw.result_json), result: raw.result_json ?? null };
    const ok = moment === 'afterTool';
    return { ok, result: (ok ? raw.tool_output : raw.error_message) ?? null };
  },
  // A tool of an MCP server is judged where its server is named, and nowhere else, so that no call is judged twice.
  ignores: isUnnamedMcp,
  modelOf,
  byHuman: ({ raw }) => isByHuman(raw.prompt),
  answers: ANSWERS,
};

/** The end of a request tells of the tokens; of turns nothing does. */
const stop: Handler<CursorInput> = async (input, engine) => {
  const { raw } = input;
  const [given, cached] = [count(raw.input_tokens), count(raw.cache_read_tokens)];
  const tokens = (cached <= given ? given - cached : given) + count(raw.output_tokens);
  const usage = { turns: 0, tokens, model: modelOf(input) };
  return encodeNotice(await engine.stop({ ...originOf(hooks, input), usage }));
};

/** Cursor: its agent, its CLI and its SDK, which share one executor of hooks (docs/hosts/cursor.md). */
export const cursor: HostTable = {
  hooks: { ...hooks, special: { stop } },
  wiring: {
    scopes: ['project', 'user'],
    files: ({ project, home }, scope) => {
      const folder = scope === 'user' ? `${home}/.cursor` : project && `${project}/.cursor`;
      return folder === null ? null : { hooks: `${folder}/hooks.json`, server: `${folder}/mcp.json` };
    },
    layout: 'flat',
    entry: (event, command) => ({
      command,
      timeout: 30,
      ...(DECIDING.has(event) ? { failClosed: true } : {}),
    }),
    guarded: new Set(),
    version: 1,
    minTimeoutS: 20,
    faultOf: (event, { failClosed }) =>
      DECIDING.has(event) && failClosed !== true
        ? 'failClosed is not set: a failure lets the call run'
        : null,
    notes: (scope) => [
      scope === 'user'
        ? 'Every project of yours is governed now. In one without .orchestration every tool call is refused.'
        : 'The files name paths of this machine; where others share the repository, use --user instead.',
      'Switch the server `pactclaw` on in the host’s settings of MCP servers, where it asks you to.',
    ],
    protects: ['.cursor/hooks.json', '.cursor/mcp.json'],
  },
  trials: TRIALS,
};
