import { shell } from '../shared/decode/call.ts';
import {
  control,
  foreign,
  look,
  network,
  ownTools,
  type ToolTable,
  write,
} from '../shared/decode/tool-shape.ts';

export const HOST = 'kimi';

/** Tools of PactClaw's own MCP server as this host names them. */
export const OWN_PREFIX = 'mcp__pactclaw__';

/**
 * The tools of Kimi Code CLI 2.1 (request bodies of real runs, and its documentation). A name that is not here is
 * undeclared and counts as mutating (H-30).
 */
export const TOOLS: ToolTable = {
  Read: look('file_read', 'path'),
  ReadMediaFile: look('file_read', 'path'),
  Glob: look('file_list', 'path'),
  Grep: look('search', 'path'),
  Write: write('file_write', 'path'),
  Edit: write('patch', 'path'),
  Bash: {
    ...shell(HOST, 'shell', 'command', 'cwd', 'run_in_background'),
    background: (args) => args.run_in_background === true,
  },
  FetchURL: network('http'),
  WebSearch: network('web_search'),
  TaskList: look('task_list'),
  TaskOutput: look('task_output'),
  TaskStop: control('task_stop'),
  WaitFor: control('task_wait'),
  CronList: look('cron_list'),
  CronCreate: foreign('cron_create'),
  CronDelete: foreign('cron_delete'),
  Agent: control('agent'),
  AgentSwarm: control('agent'),
  Skill: control('skill'),
  AskUserQuestion: control('ask_user'),
  TodoList: control('plan_update'),
  EnterPlanMode: control('plan_begin'),
  ExitPlanMode: control('plan_end'),
  CreateGoal: control('goal_create'),
  GetGoal: control('goal_get'),
  UpdateGoal: control('goal_update'),
  SetGoalBudget: control('goal_update'),
  ...ownTools(OWN_PREFIX),
};
