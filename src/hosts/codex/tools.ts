import { shell } from '../shared/decode/call.ts';
import { patch } from '../shared/decode/patch.ts';
import * as tool from '../shared/decode/tool-shape.ts';

export const HOST = 'codex';

/** Tools of PactClaw's own MCP server as this host names them to its hooks. */
export const OWN_PREFIX = 'mcp__pactclaw__';

const bash: tool.ToolShape = {
  ...shell(HOST, 'shell', 'command', 'workdir'),
  // With a terminal it takes input later, by a tool of which no hook is told.
  background: (args) => args.tty === true,
};

/** Tools of the three generations of multi-agent tools, by the prefix that the hooks see. */
function agents(): tool.ToolTable {
  const names = [
    ...['spawn_agent', 'wait_agent', 'close_agent', 'resume_agent', 'send_input', 'send_message'],
    ...['followup_task', 'interrupt_agent', 'list_agents'],
  ];
  return Object.fromEntries(
    ['', 'collaboration', 'multi_agent_v1'].flatMap((prefix) =>
      names.map((name) => [`${prefix}${name}`, tool.control(name === 'spawn_agent' ? 'agent' : name)]),
    ),
  );
}

/**
 * The tools of Codex CLI 0.169 under the names that its hooks see (request bodies and hook payloads of real runs). A
 * name that is not here is undeclared and counts as mutating (H-30).
 */
export const TOOLS: tool.ToolTable = {
  Bash: bash,
  apply_patch: patch(HOST, ['command']),
  view_image: tool.look('file_read', 'path'),
  list_mcp_resources: tool.look('mcp_resources'),
  list_mcp_resource_templates: tool.look('mcp_resource_templates'),
  read_mcp_resource: tool.look('mcp_resource'),
  tool_search: tool.look('tool_search'),
  web_search: tool.network('web_search'),
  request_user_input: tool.control('ask_user'),
  update_plan: tool.control('plan_update'),
  get_goal: tool.control('goal_get'),
  create_goal: tool.control('goal_create'),
  update_goal: tool.control('goal_update'),
  ...agents(),
  spawn_agents_on_csv: tool.foreign('agents_on_csv'),
  ...tool.ownTools(OWN_PREFIX),
};
