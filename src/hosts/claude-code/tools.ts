import { isObject, type JsonObject } from '../../core/json.ts';
import type { NamedTarget, TargetRole } from '../../core/tool-call.ts';
import { HANDSHAKE_TOOL, type ToolKind } from '../../core/words.ts';

/** How one of the host's tools is read. */
export interface ToolShape {
  readonly tool: string;
  readonly kind: ToolKind;
  readonly mutating: boolean;
  /** Argument that names its file, and what happens to it. */
  readonly path?: { readonly key: string; readonly role: TargetRole; readonly required: boolean };
  readonly commandKey?: string;
  /** Arguments that make two calls the same; all when absent. Notes to a human are never among them (H-90). */
  readonly identity?: readonly string[];
}

const look = (tool: string, key?: string): ToolShape => ({
  tool,
  kind: 'read',
  mutating: false,
  ...(key === undefined ? {} : { path: { key, role: 'read', required: false } }),
});
const control = (tool: string): ToolShape => ({ tool, kind: 'control', mutating: false });
const write = (tool: string, key: string): ToolShape => ({
  tool,
  kind: 'write',
  mutating: true,
  path: { key, role: 'write', required: true },
});
const shell: ToolShape = {
  tool: 'shell',
  kind: 'execute',
  mutating: true,
  commandKey: 'command',
  identity: ['command', 'run_in_background'],
};
const network = (tool: string): ToolShape => ({ tool, kind: 'network', mutating: false });
const foreign = (tool: string): ToolShape => ({ tool, kind: 'execute', mutating: true });

/** Tools of PactClaw's own MCP server as this host names them. */
export const OWN_PREFIX = 'mcp__pactclaw__';

/**
 * The tools of Claude Code 2.1 (its shipped sdk-tools.d.ts, and request bodies of real runs). A name that is not
 * here is undeclared and counts as mutating (H-30).
 */
export const TOOLS: Readonly<Record<string, ToolShape>> = {
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
  Bash: shell,
  PowerShell: { ...shell, tool: 'powershell' },
  Monitor: { ...shell, tool: 'monitor' },
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
  [`${OWN_PREFIX}${HANDSHAKE_TOOL}`]: {
    tool: HANDSHAKE_TOOL,
    kind: 'control',
    mutating: false,
    identity: ['intent_id'],
  },
  [`${OWN_PREFIX}list_active_intents`]: look('list_active_intents'),
  [`${OWN_PREFIX}why`]: look('why'),
};

/** Argument names under which foreign tools name a file (hosts, §1.4), as {@link plainKey} spells them. */
const PATH_KEYS = new Set([
  'filepath',
  'path',
  'notebookpath',
  'filename',
  'file',
  'destination',
  'target',
  'targetfile',
  'outputpath',
  'outputfile',
  'paths',
  'files',
  'filepaths',
  'absolutepath',
  'relativepath',
  'uri',
  'dest',
  'newpath',
  'source',
  'src',
  'oldpath',
  'sourcepath',
  'destinationpath',
]);

/** One spelling for `file_path`, `filePath`, `File-Path` and what else servers call it. */
function plainKey(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, '');
}

/** How deep a foreign tool's arguments are looked through; what lies deeper is left to the comparison afterwards. */
const MAX_DEPTH = 6;

function asPath(value: string): string | null {
  if (/^file:\/\//i.test(value)) {
    const path = value.slice('file://'.length).replace(/^localhost(?=\/)/i, '');
    try {
      return decodeURIComponent(path);
    } catch {
      return path;
    }
  }
  return value === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? null : value;
}

function collect(value: unknown, named: boolean, depth: number, found: string[]): void {
  if (typeof value === 'string') {
    const path = named ? asPath(value) : null;
    if (path !== null) found.push(path);
  } else if (depth > 0 && Array.isArray(value)) {
    for (const one of value) collect(one, named, depth - 1, found);
  } else if (depth > 0 && isObject(value)) {
    for (const [key, one] of Object.entries(value))
      collect(one, PATH_KEYS.has(plainKey(key)), depth - 1, found);
  }
}

/** Paths that an undeclared tool's arguments name, in lists and nested objects too: each counts as a write. */
export function pathsNamed(input: JsonObject): NamedTarget[] {
  const found: string[] = [];
  collect(input, false, MAX_DEPTH, found);
  return found.map((path) => ({ path, role: 'write' as const }));
}
