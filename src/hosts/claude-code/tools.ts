import { isObject } from '../../core/json.ts';
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

const HOST = 'claude-code';

const bash = {
  ...shell(HOST, 'shell', 'command', 'run_in_background'),
  background: (args: { readonly run_in_background?: unknown }) => args.run_in_background === true,
};
const monitored = commandAt(HOST, 'monitor', 'command');

/** Tools of PactClaw's own MCP server as this host names them. */
export const OWN_PREFIX = 'mcp__pactclaw__';

/**
 * The tools of Claude Code 2.1 (its shipped sdk-tools.d.ts, and request bodies of real runs). A name that is not
 * here is undeclared and counts as mutating (H-30).
 */
export const TOOLS: ToolTable = {
  Read: look('file_read', 'file_path'),
  Glob: look('file_list', 'path'),
  Grep: look('search', 'path'),
  LSP: look('language_server', 'file_path'),
  ToolSearch: look('tool_search'),
  ListMcpResourcesTool: look('mcp_resources'),
  ReadMcpResourceTool: look('mcp_resource'),
  ListAgents: look('agent_list'),
  Write: write('file_write', 'file_path'),
  Edit: write('patch', 'file_path'),
  NotebookEdit: write('notebook_edit', 'notebook_path'),
  Bash: bash,
  PowerShell: { ...bash, tool: 'powershell' },
  Monitor: {
    ...bash,
    tool: 'monitor',
    // It watches a command, or a socket and then runs none.
    command: (args) => (isObject(args.ws) && typeof args.command !== 'string' ? null : monitored(args)),
    background: () => true,
  },
  TaskStop: control('task_stop'),
  TaskOutput: control('task_output'),
  WebFetch: network('http'),
  WebSearch: network('web_search'),
  Agent: control('agent'),
  SendMessage: control('agent_message'),
  Skill: control('skill'),
  AskUserQuestion: control('ask_user'),
  TodoWrite: control('plan_update'),
  TaskCreate: control('task_create'),
  TaskGet: control('task_get'),
  TaskList: control('task_list'),
  TaskUpdate: control('task_update'),
  EnterPlanMode: control('plan_begin'),
  ExitPlanMode: control('plan_end'),
  ReportFindings: control('report'),
  EnterWorktree: foreign('worktree'),
  Workflow: foreign('workflow'),
  CronCreate: foreign('cron_create'),
  CronDelete: foreign('cron_delete'),
  ScheduleWakeup: control('schedule_wakeup'),
  RemoteTrigger: foreign('remote_trigger'),
  Artifact: foreign('artifact'),
  PushNotification: foreign('notification'),
  SendUserFile: foreign('send_file'),
  ...ownTools(OWN_PREFIX),
};
