import { isObject, type JsonObject } from '../../core/json.ts';
import type { NamedTarget, TargetRole } from '../../core/tool-call.ts';
import { CLAUDE_EVENTS, claudeShaped } from '../shared/claude-shaped.ts';
import { shell } from '../shared/decode/call.ts';
import { malformed } from '../shared/decode/payload.ts';
import * as tool from '../shared/decode/tool-shape.ts';
import { EXIT_ANSWERS } from '../shared/encode/exit.ts';
import { bounded, jsonReply } from '../shared/encode/reply.ts';
import { textOf } from '../shared/hook-host.ts';
import type { HostTable } from '../shared/table.ts';
import { HOLES } from './holes.ts';

const HOST = 'kiro';
/** Tools of PactClaw's own MCP server as this host names them: an at sign, the server, a slash, the tool. */
const OWN_PREFIX = '@pactclaw/';

/** The files of a call: the one it names, or those of its operations. */
function filesOf(name: string, role: TargetRole, { operations, path }: JsonObject): NamedTarget[] {
  if (operations !== undefined && !Array.isArray(operations))
    throw malformed(HOST, `the operations of ${name} are no list`);
  const named = [
    ...(path === undefined ? [] : [path]),
    ...(operations ?? []).map((one) => (isObject(one) ? one.path : null)),
  ];
  return named.map((file) => {
    if (typeof file !== 'string' || file === '') throw malformed(HOST, `${name} names no file`);
    return { path: file, role };
  });
}

const reads: tool.ToolShape = {
  ...tool.look('file_read'),
  targets: (args) => filesOf('fs_read', 'read', args),
};
const writes: tool.ToolShape = {
  tool: 'file_write',
  kind: 'write',
  mutating: true,
  targets: (args) => {
    const files = filesOf('fs_write', 'write', args);
    if (files.length === 0) throw malformed(HOST, 'fs_write names no file');
    return files;
  },
};
const run = shell(HOST, 'shell', 'command');

/**
 * The tools of Kiro by their names in its hooks (docs/hosts/kiro.md; no real run was possible). A name that is not here
 * is undeclared and counts as mutating (H-30).
 */
const TOOLS: tool.ToolTable = {
  fs_read: reads,
  read: reads,
  read_file: tool.look('file_read', 'path'),
  fs_write: writes,
  write: writes,
  str_replace: tool.write('patch', 'path'),
  execute_bash: run,
  execute_cmd: run,
  shell: run,
  web_fetch: tool.network('http'),
  web_search: tool.network('web_search'),
  use_subagent: tool.control('agent'),
  use_aws: tool.foreign('aws'),
  ...tool.ownTools(OWN_PREFIX),
};

const { PostToolUseFailure: _f, PreCompact: _c, SessionEnd: _e, ...EVENTS } = CLAUDE_EVENTS;

/** Kiro's hook files of version 1 (docs/hosts/kiro.md). Adapter-verified only: the client wants an account. */
export const kiro: HostTable = {
  hooks: claudeShaped({
    host: HOST,
    // It may not wait for the hooks after a call, so that one may still come when the agent has stopped.
    endings: () => null,
    tools: TOOLS,
    callIdKey: 'tool_use_id',
    events: EVENTS,
    answers: {
      ...EXIT_ANSWERS,
      // What stands on standard output goes before the agent as it is.
      context: (_event, answer) =>
        jsonReply(textOf(answer) === '' ? {} : { pactclaw: bounded(textOf(answer)) }),
    },
  }),
  wiring: {
    // Hooks of the user could not know the workspace of every window.
    scopes: ['project'],
    files: ({ project }) =>
      project === null
        ? null
        : {
            hooks: `${project}/.kiro/hooks/pactclaw.json`,
            server: `${project}/.kiro/settings/mcp.json`,
          },
    layout: 'list',
    entry: (event, command) => ({
      name: `pactclaw-${event}`,
      description: 'PactClaw',
      trigger: event,
      ...(event.endsWith('ToolUse') ? { matcher: '.*' } : {}),
      action: { type: 'command', command },
      timeout: 30,
      enabled: true,
    }),
    guarded: new Set(['PreToolUse', 'UserPromptSubmit']),
    version: 'v1',
    minTimeoutS: 21,
    faultOf: (_event, { enabled }) => (enabled === false ? 'it is not enabled' : null),
    isServerOn: ({ disabled }) => disabled !== true,
    warnings: [
      'Kiro was not run by us: what it does with these answers is read from its documentation, not seen',
    ],
    notes: () => [
      'Kiro IDE 1.x reads these hooks. Kiro CLI 2 reads hooks of its agents’ own files alone, and is not governed by these.',
      'The files name paths of this machine; keep them out of a repository that others share.',
    ],
    protects: ['.kiro/hooks/pactclaw.json', '.kiro/settings/mcp.json'],
  },
  trials: {
    shape: {
      call: () => ({}),
      success: () => ({ tool_response: { success: true, result: ['done'] } }),
      failure: {},
    },
    names: {
      path: 'path',
      write: 'fs_write',
      edit: 'str_replace',
      replace: ['old_str', 'new_str'],
      read: 'read_file',
      shell: 'execute_bash',
      undeclared: 'no_such_tool',
      own: OWN_PREFIX,
    },
    reads: 'exit',
    locks: ['exit'],
    holes: HOLES,
  },
};
