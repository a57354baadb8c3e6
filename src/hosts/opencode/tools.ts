import { shell } from '../shared/decode/call.ts';
import { patch } from '../shared/decode/patch.ts';
import { control, handshakeTool, look, network, type ToolTable, write } from '../shared/decode/tool-shape.ts';
import { HOST } from './names.ts';

/**
 * The tools of OpenCode 1.18 (tool definitions of real runs, and the tool registry of its program). Tools of MCP servers
 * and of plugins are undeclared.
 */
export const TOOLS: ToolTable = {
  read: look('file_read', 'filePath'),
  glob: look('file_list', 'path'),
  grep: look('search', 'path'),
  lsp: look('language_server', 'filePath'),
  list_mcp_resources: look('mcp_resources'),
  list_mcp_resource_templates: look('mcp_resource_templates'),
  read_mcp_resource: look('mcp_resource'),
  write: write('file_write', 'filePath'),
  edit: write('patch', 'filePath'),
  apply_patch: patch(HOST, ['patchText']),
  bash: shell(HOST, 'shell', 'command', 'workdir'),
  webfetch: network('http'),
  websearch: network('web_search'),
  task: control('agent'),
  skill: control('skill'),
  question: control('ask_user'),
  todowrite: control('plan_update'),
  todoread: control('plan_update'),
  plan_enter: control('plan_begin'),
  plan_exit: control('plan_end'),
  // What the host makes of a call that names no tool or bad arguments: it only answers so.
  invalid: control('invalid'),
  // Of PactClaw's own tools the plugin offers this one alone.
  ...handshakeTool(''),
};
