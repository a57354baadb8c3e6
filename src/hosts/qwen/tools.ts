import { commandAt, shell } from '../shared/decode/call.ts';
import * as tool from '../shared/decode/tool-shape.ts';

export const HOST = 'qwen';

/** Tools of PactClaw's own MCP server as this host names them. */
export const OWN_PREFIX = 'mcp__pactclaw__';

/**
 * The tools of Qwen Code 0.24 (names in its bundle, arguments in the request bodies of real runs). A name that is not
 * here is undeclared and counts as mutating (H-30); so does `exec`, which runs a program of the model's.
 */
export const TOOLS: tool.ToolTable = {
  read_file: tool.look('file_read', 'file_path'),
  list_directory: tool.look('file_list', 'path'),
  glob: tool.look('file_list', 'path'),
  grep_search: tool.look('search', 'path'),
  tool_search: tool.look('tool_search'),
  read_mcp_resource: tool.look('mcp_resource'),
  list_agents: tool.look('agent_list'),
  cron_list: tool.look('cron_list'),
  get_goal: tool.look('goal'),
  write_file: tool.write('file_write', 'file_path'),
  edit: tool.write('patch', 'file_path'),
  notebook_edit: tool.write('notebook_edit', 'notebook_path'),
  run_shell_command: {
    ...shell(HOST, 'shell', 'command', 'directory', 'is_background'),
    background: (args) => args.is_background === true,
  },
  monitor: {
    ...shell(HOST, 'monitor', 'command', 'directory'),
    command: commandAt(HOST, 'monitor', 'command'),
    background: () => true,
  },
  web_fetch: tool.network('http'),
  web_search: tool.network('web_search'),
  agent: tool.control('agent'),
  send_message: tool.control('agent_message'),
  skill: tool.control('skill'),
  task_stop: tool.control('task_stop'),
  todo_write: tool.control('plan_update'),
  task_create: tool.control('task_create'),
  task_update: tool.control('task_update'),
  task_list: tool.control('task_list'),
  ask_user_question: tool.control('ask_user'),
  enter_plan_mode: tool.control('plan_begin'),
  exit_plan_mode: tool.control('plan_end'),
  report_findings: tool.control('report'),
  structured_output: tool.control('report'),
  update_goal: tool.control('goal_update'),
  loop_wakeup: tool.control('schedule_wakeup'),
  save_memory: tool.foreign('memory_write'),
  enter_worktree: tool.foreign('worktree'),
  exit_worktree: tool.foreign('worktree_end'),
  workflow: tool.foreign('workflow'),
  cron_create: tool.foreign('cron_create'),
  cron_delete: tool.foreign('cron_delete'),
  ...tool.ownTools(OWN_PREFIX),
};
