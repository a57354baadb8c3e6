import { hidden, shell } from '../shared/decode/call.ts';
import { patch } from '../shared/decode/patch.ts';
import * as tool from '../shared/decode/tool-shape.ts';

const HOST = 'copilot';

/** Tools of PactClaw's own MCP server as this host names them: the server, a hyphen, the tool. */
export const OWN_PREFIX = 'pactclaw-';

const bash = {
  ...shell(HOST, 'shell', 'command', 'mode', 'detach', 'shellId'),
  background: (args: { readonly mode?: unknown; readonly detach?: unknown }) =>
    args.mode === 'async' || args.detach === true,
};

/**
 * The tools of Copilot CLI 1.0.102 under their native names (request bodies of real runs, docs/hosts/copilot.md). A
 * name that is not here is undeclared and counts as mutating (H-30).
 */
export const TOOLS: tool.ToolTable = {
  view: tool.look('file_read', 'path'),
  glob: tool.look('file_list', 'path'),
  grep: tool.look('search', 'path'),
  rg: tool.look('search', 'path'),
  create: tool.write('file_write', 'path'),
  edit: tool.write('patch', 'path'),
  apply_patch: patch(HOST, ['patch', 'input']),
  bash,
  powershell: { ...bash, tool: 'powershell' },
  read_bash: tool.look('shell_output'),
  read_powershell: tool.look('shell_output'),
  list_bash: tool.look('shell_list'),
  list_powershell: tool.look('shell_list'),
  stop_bash: tool.control('shell_stop'),
  stop_powershell: tool.control('shell_stop'),
  // Earlier versions had it: what it types into a running shell is a command that no hook has seen begin.
  write_bash: hidden('write_bash', 'it types into a command that is running already'),
  write_powershell: hidden('write_powershell', 'it types into a command that is running already'),
  task: tool.control('agent'),
  write_agent: tool.control('agent_message'),
  read_agent: tool.look('agent_output'),
  list_agents: tool.look('agent_list'),
  skill: tool.control('skill'),
  ask_user: tool.control('ask_user'),
  report_intent: tool.control('report'),
  web_fetch: tool.network('http'),
  web_search: tool.network('web_search'),
  fetch_copilot_cli_documentation: tool.look('host_documentation'),
  // SQLite: a database of the session's own, but ATTACH opens any file.
  sql: tool.foreign('session_sql'),
  session_store_sql: tool.look('session_history'),
  ...tool.ownTools(OWN_PREFIX),
};
