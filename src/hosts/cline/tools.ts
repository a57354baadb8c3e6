import { isObject, type JsonObject } from '../../core/json.ts';
import type { NamedTarget } from '../../core/tool-call.ts';
import { patch } from '../shared/decode/patch.ts';
import { malformed } from '../shared/decode/payload.ts';
import * as tool from '../shared/decode/tool-shape.ts';
import { shellLine } from '../shared/install/shell-line.ts';

const HOST = 'cline';

/** Tools of PactClaw's own MCP server as this host names them: the server, two underscores, the tool. */
export const OWN_PREFIX = 'pactclaw__';

/** The commands of a call as one. Each runs in a shell of its own, and so it is read. */
function commandOf({ commands }: JsonObject): string {
  if (!Array.isArray(commands) || commands.length === 0 || !commands.every((one) => typeof one === 'string'))
    throw malformed(HOST, 'run_commands names no commands');
  return commands.length === 1
    ? String(commands[0])
    : commands.map((one) => shellLine(['bash', '-c', String(one)])).join('\n');
}

function filesOf({ files }: JsonObject): NamedTarget[] {
  const list = Array.isArray(files) ? files : [files];
  return list.map((one) => {
    const path = isObject(one) ? one.path : one;
    if (typeof path !== 'string' || path === '') throw malformed(HOST, 'read_files names no file');
    return { path, role: 'read' };
  });
}

const runCommands: tool.ToolShape = {
  tool: 'shell',
  kind: 'execute',
  mutating: true,
  command: commandOf,
  identity: ['commands'],
};

const TEAM = [
  'spawn_teammate',
  'shutdown_teammate',
  'status',
  'task',
  'run_task',
  'cancel_run',
  'list_runs',
  'await_runs',
  'send_message',
  'broadcast',
  'read_mailbox',
  'mission_log',
  'cleanup',
  'create_outcome',
  'attach_outcome_fragment',
  'review_outcome_fragment',
  'finalize_outcome',
  'list_outcomes',
];

/**
 * The tools of Cline CLI 3.0.65 (request bodies of real runs, docs/hosts/cline.md). A name that is not here is
 * undeclared and counts as mutating (H-30).
 */
export const TOOLS: tool.ToolTable = {
  read_files: { ...tool.look('file_read'), targets: filesOf },
  search_codebase: tool.look('search'),
  fetch_web_content: tool.network('http'),
  editor: tool.write('file_write', 'path'),
  apply_patch: patch(HOST, ['input']),
  run_commands: runCommands,
  ask_question: tool.control('ask_user'),
  submit_and_exit: tool.control('finish'),
  spawn_agent: tool.control('agent'),
  // Members of a team work by tools of their own, each of which is judged.
  ...Object.fromEntries(TEAM.map((name) => [`team_${name}`, tool.control(`team_${name}`)])),
  ...tool.ownTools(OWN_PREFIX),
};
