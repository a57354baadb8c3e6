import { isObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { Moment } from '../adapter.ts';
import { optionalText } from '../shared/decode/payload.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { EXIT_ANSWERS } from '../shared/encode/exit.ts';
import type { HostTable } from '../shared/table.ts';
import { COMMON_HOLES } from '../shared/verify/common-holes.ts';
import type { HostTool, Trial, TriedCall } from '../shared/verify/verifier.ts';
import { decodeCall, decodeInput, HOST } from './decode.ts';

const EVENTS = {
  pre_user_prompt: 'prompt',
  pre_read_code: 'beforeTool',
  pre_write_code: 'beforeTool',
  pre_run_command: 'beforeTool',
  pre_mcp_tool_use: 'beforeTool',
  post_read_code: 'afterTool',
  post_write_code: 'afterTool',
  post_run_command: 'afterTool',
  post_mcp_tool_use: 'afterTool',
  post_cascade_response: 'stop',
} as const satisfies Readonly<Record<string, Moment>>;

const MOMENTS = {
  prompt: 'pre_user_prompt',
  beforeTool: 'pre_write_code',
  afterTool: 'post_write_code',
  stop: 'post_cascade_response',
} as const;

function mcpTool(server: string, tool: string, args: HostTool['args']): HostTool {
  const named = { mcp_server_name: server, mcp_tool_name: tool, mcp_tool_arguments: args };
  return { name: 'mcp_tool_use', args: named };
}

function editing(file: string, before: string, after: string): HostTool {
  const edits = [{ old_string: before, new_string: after }];
  return { name: 'write_code', args: { file_path: file, edits } };
}

/** The action of each trial; a host that knows no others has no tool that nobody declared but those of servers. */
function toolFor(trial: Trial): HostTool {
  switch (trial.does) {
    case 'write':
      return editing(trial.file, '', trial.content);
    case 'edit':
      return editing(trial.file, 'a', 'b');
    case 'read':
      return { name: 'read_code', args: { file_path: trial.file } };
    case 'shell':
      return { name: 'run_command', args: { command_line: trial.command } };
    case 'undeclared':
      return mcpTool('x', 'no_such', { path: trial.file });
    case 'handshake':
      return mcpTool('pactclaw', HANDSHAKE_TOOL, { intent_id: trial.intentId });
  }
}

function eventFor(moment: Moment, call: TriedCall | null): string | undefined {
  if (call === null) return undefined;
  return `${moment === 'beforeTool' ? 'pre' : 'post'}_${call.name}`;
}

/** Windsurf's Cascade (docs/hosts/windsurf.md). */
export const windsurf: HostTable = {
  hooks: {
    host: HOST,
    // It may not wait for the hooks after a call, so that one may still come when the agent has stopped.
    endings: () => null,
    decode: decodeInput,
    events: EVENTS,
    callOf: decodeCall,
    // The host does not tell whether an action succeeded.
    endOf: ({ raw }) => ({ ok: true, result: raw.tool_info ?? null }),
    modelOf: ({ raw }) => optionalText(raw, 'model_name'),
    byHuman: ({ raw }) => isByHuman(isObject(raw.tool_info) ? raw.tool_info.user_prompt : undefined),
    answers: EXIT_ANSWERS,
  },
  wiring: {
    // No payload names its workspace, so that hooks of the user could not know it.
    scopes: ['project'],
    files: ({ project, home }) =>
      project === null
        ? null
        : {
            hooks: `${project}/.windsurf/hooks.json`,
            server: `${home}/.codeium/windsurf/mcp_config.json`,
          },
    layout: 'flat',
    entry: (_event, command) => ({ command, show_output: false }),
    guarded: new Set(Object.keys(EVENTS).filter((event) => event.startsWith('pre_'))),
    minTimeoutS: 0,
    notes: () => [
      'The host keeps one server `pactclaw` for all projects: it answers for the project that was installed last.',
      'The files name paths of this machine; keep them out of a repository that others share.',
    ],
    protects: ['.windsurf/hooks.json'],
  },
  trials: {
    events: MOMENTS,
    eventFor,
    toolFor,
    payload: ({ root }, moment, call) => ({
      agent_action_name: eventFor(moment, call) ?? (moment === 'prompt' ? MOMENTS.prompt : MOMENTS.stop),
      trajectory_id: 'pactclaw-verify',
      execution_id: 'verify',
      timestamp: '2026-01-01T00:00:00Z',
      model_name: 'verify',
      tool_info:
        call !== null
          ? { ...call.args, cwd: root }
          : moment === 'prompt'
            ? { user_prompt: 'verify' }
            : { response: 'done' },
    }),
    reads: 'exit',
    locks: ['exit'],
    holes: [
      COMMON_HOLES.NOT_TRIED,
      {
        what: 'whatever fires no hook',
        why: 'Search on the web, the browser and subagents have no hook; nothing of them is judged.',
      },
      {
        what: 'late hooks',
        why: 'The documentation names no timeout; what happens after one is not known.',
      },
      COMMON_HOLES.NO_USAGE,
    ],
  },
};
