import { hidden, shell } from '../shared/decode/call.ts';
import { patch } from '../shared/decode/patch.ts';
import {
  control,
  foreign,
  look,
  network,
  ownTools,
  type ToolTable,
  write,
} from '../shared/decode/tool-shape.ts';

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
export const TOOLS: ToolTable = {
  view: look('file_read', 'path'),
  glob: look('file_list', 'path'),
  grep: look('search', 'path'),
  rg: look('search', 'path'),
  create: write('file_write', 'path'),
  edit: write('patch', 'path'),
  apply_patch: patch(HOST, ['patch', 'input']),
  bash,
  powershell: { ...bash, tool: 'powershell' },
  read_bash: look('shell_output'),
  read_powershell: look('shell_output'),
  list_bash: look('shell_list'),
  list_powershell: look('shell_list'),
  stop_bash: control('shell_stop'),
  stop_powershell: control('shell_stop'),
  // Earlier versions had it: what it types into a running shell is a command that no hook has seen begin.
  write_bash: hidden('write_bash', 'it types into a command that is running already'),
  write_powershell: hidden('write_powershell', 'it types into a command that is running already'),
  task: control('agent'),
  write_agent: control('agent_message'),
  read_agent: look('agent_output'),
  list_agents: look('agent_list'),
  skill: control('skill'),
  ask_user: control('ask_user'),
  report_intent: control('report'),
  web_fetch: network('http'),
  web_search: network('web_search'),
  fetch_copilot_cli_documentation: look('host_documentation'),
  // SQLite: a database of the session's own, but ATTACH opens any file.
  sql: foreign('session_sql'),
  session_store_sql: look('session_history'),
  ...ownTools(OWN_PREFIX),
};
