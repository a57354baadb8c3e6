import { shell } from '../shared/decode/call.ts';
import * as tool from '../shared/decode/tool-shape.ts';

export const HOST = 'kimi';

/** Tools of PactClaw's own MCP server as this host names them. */
export const OWN_PREFIX = 'mcp__pactclaw__';

/**
 * The tools of Kimi Code CLI 2.1 (request bodies of real runs, and its documentation). A name that is not here is
 * undeclared and counts as mutating (H-30).
 */
export const TOOLS: tool.ToolTable = {
  Read: tool.look('file_read', 'path'),
  ReadMediaFile: tool.look('file_read', 'path'),
  Glob: tool.look('file_list', 'path'),
  Grep: tool.look('search', 'path'),
  Write: tool.write('file_write', 'path'),
  Edit: tool.write('patch', 'path'),
  Bash: {
    ...shell(HOST, 'shell', 'command', 'cwd', 'run_in_background'),
    background: (args) => args.run_in_background === true,
  },
  FetchURL: tool.network('http'),
  WebSearch: tool.network('web_search'),
  TaskList: tool.look('task_list'),
  TaskOutput: tool.look('task_output'),
  TaskStop: tool.control('task_stop'),
  WaitFor: tool.control('task_wait'),
  CronList: tool.look('cron_list'),
  CronCreate: tool.foreign('cron_create'),
  CronDelete: tool.foreign('cron_delete'),
  Agent: tool.control('agent'),
  AgentSwarm: tool.control('agent'),
  Skill: tool.control('skill'),
  AskUserQuestion: tool.control('ask_user'),
  TodoList: tool.control('plan_update'),
  EnterPlanMode: tool.control('plan_begin'),
  ExitPlanMode: tool.control('plan_end'),
  CreateGoal: tool.control('goal_create'),
  GetGoal: tool.control('goal_get'),
  UpdateGoal: tool.control('goal_update'),
  SetGoalBudget: tool.control('goal_update'),
  ...tool.ownTools(OWN_PREFIX),
};
