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

export const HOST = 'droid';

/** Tools of PactClaw's own MCP server as this host names them. */
export const OWN_PREFIX = 'mcp__pactclaw__';

/**
 * The tools of Factory droid 0.225 (names in its binary; arguments as adapters of others read them: no real run was
 * possible). A name that is not here is undeclared and counts as mutating (H-30).
 */
export const TOOLS: ToolTable = {
  Read: look('file_read', 'file_path'),
  LS: look('file_list', 'directory_path'),
  Glob: look('file_list', 'folder'),
  Grep: look('search', 'path'),
  Create: write('file_write', 'file_path'),
  Edit: write('patch', 'file_path'),
  MultiEdit: write('patch', 'file_path'),
  ApplyPatch: patch(HOST, ['input']),
  Execute: shell(HOST, 'shell', 'command'),
  Script: foreign('script'),
  WaitForScript: foreign('script_wait'),
  WebSearch: network('web_search'),
  FetchUrl: network('http'),
  TodoWrite: control('plan_update'),
  Task: control('agent'),
  Skill: control('skill'),
  AskUser: control('ask_user'),
  ExitSpecMode: control('plan_end'),
  GenerateDroid: foreign('agent_write'),
  GenerateImage: foreign('image_write'),
  StageSettingsChanges: hidden('StageSettingsChanges', 'it changes the settings of the client'),
  ...ownTools(OWN_PREFIX),
};
