import { ANSWERS } from '../claude-code/encode.ts';
import { CLAUDE_EVENTS, claudeShaped } from '../shared/claude-shaped.ts';
import { hidden, shell } from '../shared/decode/call.ts';
import { patch } from '../shared/decode/patch.ts';
import * as tool from '../shared/decode/tool-shape.ts';
import { refusalReply } from '../shared/encode/reply.ts';
import type { HostTable } from '../shared/table.ts';
import { COMMON_HOLES } from '../shared/verify/common-holes.ts';

const HOST = 'droid';
/** Tools of PactClaw's own MCP server as this host names them. */
const OWN_PREFIX = 'mcp__pactclaw__';

/**
 * The tools of Factory droid 0.225 (names in its binary; arguments as adapters of others read them: no real run was
 * possible). A name that is not here is undeclared and counts as mutating (H-30).
 */
const TOOLS: tool.ToolTable = {
  Read: tool.look('file_read', 'file_path'),
  LS: tool.look('file_list', 'directory_path'),
  Glob: tool.look('file_list', 'folder'),
  Grep: tool.look('search', 'path'),
  Create: tool.write('file_write', 'file_path'),
  Edit: tool.write('patch', 'file_path'),
  MultiEdit: tool.write('patch', 'file_path'),
  ApplyPatch: patch(HOST, ['input']),
  Execute: shell(HOST, 'shell', 'command'),
  Script: tool.foreign('script'),
  WaitForScript: tool.foreign('script_wait'),
  WebSearch: tool.network('web_search'),
  FetchUrl: tool.network('http'),
  TodoWrite: tool.control('plan_update'),
  Task: tool.control('agent'),
  Skill: tool.control('skill'),
  AskUser: tool.control('ask_user'),
  ExitSpecMode: tool.control('plan_end'),
  GenerateDroid: tool.foreign('agent_write'),
  GenerateImage: tool.foreign('image_write'),
  StageSettingsChanges: hidden('StageSettingsChanges', 'it changes the settings of the client'),
  ...tool.ownTools(OWN_PREFIX),
};

const { PostToolUseFailure: _none, ...EVENTS } = CLAUDE_EVENTS;

/** Factory droid (docs/hosts/droid.md). Adapter-verified only: the client wants an account. */
export const droid: HostTable = {
  hooks: claudeShaped({
    host: HOST,
    projectVariables: ['FACTORY_PROJECT_DIR', 'DROID_PROJECT_DIR'],
    tools: TOOLS,
    callIdKey: 'tool_use_id',
    events: EVENTS,
    answers: { ...ANSWERS, block: (reason) => refusalReply({ decision: 'block', reason }, reason) },
  }),
  wiring: {
    scopes: ['project', 'user'],
    files: ({ project, home }, scope) => {
      const folder = scope === 'user' ? `${home}/.factory` : project && `${project}/.factory`;
      return folder === null ? null : { hooks: `${folder}/hooks.json`, server: `${folder}/mcp.json` };
    },
    layout: 'groups',
    entry: (event, command) => ({
      ...(event.endsWith('ToolUse') ? { matcher: '*' } : {}),
      hooks: [{ type: 'command', command, timeout: 30 }],
    }),
    guarded: new Set(['PreToolUse', 'UserPromptSubmit', 'PostToolUse']),
    minTimeoutS: 21,
    server: { type: 'stdio' },
    warnings: ['droid was not run by us: what it does with these answers is read from its program, not seen'],
    notes: (scope) => [
      'The client loads hooks of a project only once you trust its folder.',
      scope === 'user'
        ? 'Every project of yours is governed now. In one without .orchestration every tool call is refused.'
        : 'The files name paths of this machine; where others share the repository, use --user instead.',
    ],
    protects: ['.factory/hooks.json', '.factory/mcp.json'],
  },
  trials: {
    shape: {
      call: () => ({}),
      success: () => ({ tool_response: { success: true } }),
      failure: { tool_response: { success: true } },
    },
    common: ({ home }) => ({
      transcript_path: `${home}/.factory/sessions/verify.jsonl`,
      permission_mode: 'default',
    }),
    names: {
      path: 'file_path',
      write: 'Create',
      edit: 'Edit',
      replace: ['old_str', 'new_str'],
      read: 'Read',
      shell: 'Execute',
      alsoShell: { riskLevel: 'low' },
      undeclared: 'NoSuchTool',
      own: OWN_PREFIX,
    },
    env: ({ root }) => ({ FACTORY_PROJECT_DIR: root, DROID_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root }),
    reads: 'specific',
    untrusted: 'not checked: until it is, the client loads no hooks of it',
    holes: [
      {
        what: 'the client itself',
        why: 'It wants an account and was not run by us: what it does with an answer is read from its program.',
      },
      {
        what: 'hooksDisabled, allowManagedHooksOnly',
        why: 'Settings of an organisation switch hooks off. PactClaw does not read them.',
      },
      {
        what: 'a folder that is not trusted',
        why: 'Hooks of the project load only once the human has accepted the folder.',
      },
      {
        what: "another hook's allow",
        why: 'The first hook that decides may count, and another one may rewrite the call after it was judged. What a command did is still held against the scope.',
      },
      COMMON_HOLES.LATE_OR_KILLED,
      {
        what: 'calls without ids',
        why: 'A command that plays the client could end and begin its own call again.',
      },
      { what: 'tokens', why: 'The client tells hooks of none. Each call counts as a turn.' },
    ],
  },
};
