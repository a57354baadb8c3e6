import { commandAt, shell } from '../shared/decode/call.ts';
import {
  control,
  foreign,
  look,
  network,
  ownTools,
  type ToolTable,
  write,
} from '../shared/decode/tool-shape.ts';

export const HOST = 'qwen';

/** Tools of PactClaw's own MCP server as this host names them. */
export const OWN_PREFIX = 'mcp__pactclaw__';

/**
 * The tools of Qwen Code 0.24 (names in its bundle, arguments in the request bodies of real runs). A name that is not
 * here is undeclared and counts as mutating (H-30); so does `exec`, which runs a program of the model's.
 */
export const TOOLS: ToolTable = {
  read_file: look('file_read', 'file_path'),
  list_directory: look('file_list', 'path'),
  glob: look('file_list', 'path'),
  grep_search: look('search', 'path'),
  tool_search: look('tool_search'),
  read_mcp_resource: look('mcp_resource'),
  list_agents: look('agent_list'),
  cron_list: look('cron_list'),
  get_goal: look('goal'),
  write_file: write('file_write', 'file_path'),
  edit: write('patch', 'file_path'),
  notebook_edit: write('notebook_edit', 'notebook_path'),
  run_shell_command: {
    ...shell(HOST, 'shell', 'command', 'directory', 'is_background'),
    background: (args) => args.is_background === true,
  },
  monitor: {
    ...shell(HOST, 'monitor', 'command', 'directory'),
    command: commandAt(HOST, 'monitor', 'command'),
    background: () => true,
  },
  web_fetch: network('http'),
  web_search: network('web_search'),
  agent: control('agent'),
  send_message: control('agent_message'),
  skill: control('skill'),
  task_stop: control('task_stop'),
  todo_write: control('plan_update'),
  task_create: control('task_create'),
  task_update: control('task_update'),
  task_list: control('task_list'),
  ask_user_question: control('ask_user'),
  enter_plan_mode: control('plan_begin'),
  exit_plan_mode: control('plan_end'),
  report_findings: control('report'),
  structured_output: control('report'),
  update_goal: control('goal_update'),
  loop_wakeup: control('schedule_wakeup'),
  save_memory: foreign('memory_write'),
  enter_worktree: foreign('worktree'),
  exit_worktree: foreign('worktree_end'),
  workflow: foreign('workflow'),
  cron_create: foreign('cron_create'),
  cron_delete: foreign('cron_delete'),
  ...ownTools(OWN_PREFIX),
};
