import type { JsonObject } from '../../core/json.ts';
import type { NamedTarget, TargetRole } from '../../core/tool-call.ts';
import { shell } from '../shared/decode/call.ts';
import { malformed } from '../shared/decode/payload.ts';
import * as tool from '../shared/decode/tool-shape.ts';

export const HOST = 'gemini';

/** Tools of PactClaw's own MCP server as this host names them. */
export const OWN_PREFIX = 'mcp_pactclaw_';

/**
 * The places that a path may mean: the host reads a relative `@folder/file` as `folder/file` where nothing of the first
 * name is there (its bundle, resolveDefensiveToolPath). Each must pass.
 */
function places(path: string, role: TargetRole): NamedTarget[] {
  const bare = path.startsWith('@') ? path.slice(1).replace(/^[\\/]+/, '') : '';
  return [path, ...(bare === '' ? [] : [bare])].map((one) => ({ path: one, role }));
}

function fileAt(name: string, key: string, role: TargetRole) {
  return (args: JsonObject): NamedTarget[] => {
    const value = args[key];
    if (typeof value === 'string' && value !== '') return places(value, role);
    if (role === 'read' && value === undefined) return [];
    throw malformed(HOST, `${name} names no ${key}`);
  };
}

function reads(name: string, key: string): tool.ToolShape {
  return { ...tool.look(name), targets: fileAt(name, key, 'read') };
}

function writes(name: string): tool.ToolShape {
  return { tool: name, kind: 'write', mutating: true, targets: fileAt(name, 'file_path', 'write') };
}

/** `read_many_files` lists files and patterns. */
function listed({ include, paths }: JsonObject): NamedTarget[] {
  const all = [include, paths].flatMap((value) => (Array.isArray(value) ? value : []));
  return all.flatMap((one) => (typeof one === 'string' ? places(one, 'read') : []));
}

/**
 * The tools of Gemini CLI 0.61 (names in its bundle, arguments in the request bodies of real runs). A name that is not
 * here is undeclared and counts as mutating (H-30): tools of other MCP servers, `discovered_tool_…`, `tracker_…`.
 */
export const TOOLS: tool.ToolTable = {
  read_file: reads('file_read', 'file_path'),
  read_many_files: { ...tool.look('file_read'), targets: listed },
  list_directory: reads('file_list', 'dir_path'),
  glob: reads('file_list', 'dir_path'),
  grep_search: reads('search', 'dir_path'),
  search_file_content: reads('search', 'dir_path'),
  get_internal_docs: tool.look('docs'),
  list_background_processes: tool.look('task_list'),
  read_background_output: tool.look('task_output'),
  list_mcp_resources: tool.look('mcp_resources'),
  read_mcp_resource: tool.look('mcp_resource'),
  write_file: writes('file_write'),
  replace: writes('patch'),
  run_shell_command: {
    ...shell(HOST, 'shell', 'command', 'dir_path', 'is_background'),
    background: (args) => args.is_background === true,
  },
  web_fetch: tool.network('http'),
  google_web_search: tool.network('web_search'),
  invoke_agent: tool.control('agent'),
  complete_task: tool.control('agent_end'),
  activate_skill: tool.control('skill'),
  write_todos: tool.control('plan_update'),
  update_topic: tool.control('topic_update'),
  ask_user: tool.control('ask_user'),
  enter_plan_mode: tool.control('plan_begin'),
  exit_plan_mode: tool.control('plan_end'),
  save_memory: tool.foreign('memory_write'),
};

/** The tools of our own server; only where the host says that the call goes there. */
export const OWN_TOOLS: tool.ToolTable = tool.ownTools(OWN_PREFIX);
