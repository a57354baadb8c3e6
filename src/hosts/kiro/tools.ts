import { isObject, type JsonObject } from '../../core/json.ts';
import type { NamedTarget, TargetRole } from '../../core/tool-call.ts';
import { shell } from '../shared/decode/call.ts';
import { malformed } from '../shared/decode/payload.ts';
import {
  control,
  foreign,
  look,
  network,
  ownTools,
  type ToolShape,
  type ToolTable,
  write,
} from '../shared/decode/tool-shape.ts';

export const HOST = 'kiro';

/** Tools of PactClaw's own MCP server as this host names them: an at sign, the server, a slash, the tool. */
export const OWN_PREFIX = '@pactclaw/';

/** The files of a call: the one it names, or those of its operations. */
function filesOf(tool: string, role: TargetRole, args: JsonObject): NamedTarget[] {
  const { operations, path } = args;
  if (operations !== undefined && !Array.isArray(operations))
    throw malformed(HOST, `the operations of ${tool} are no list`);
  const named = [
    ...(path === undefined ? [] : [path]),
    ...(operations ?? []).map((one) => (isObject(one) ? one.path : null)),
  ];
  return named.map((file) => {
    if (typeof file !== 'string' || file === '') throw malformed(HOST, `${tool} names no file`);
    return { path: file, role };
  });
}

const reads: ToolShape = { ...look('file_read'), targets: (args) => filesOf('fs_read', 'read', args) };

const writes: ToolShape = {
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
 * The tools of Kiro by their names in its hooks (hosts reference §13; no real run was possible). A name that is not here
 * is undeclared and counts as mutating (H-30).
 */
export const TOOLS: ToolTable = {
  fs_read: reads,
  read: reads,
  read_file: look('file_read', 'path'),
  fs_write: writes,
  write: writes,
  str_replace: write('patch', 'path'),
  execute_bash: run,
  execute_cmd: run,
  shell: run,
  web_fetch: network('http'),
  web_search: network('web_search'),
  use_subagent: control('agent'),
  use_aws: foreign('aws'),
  ...ownTools(OWN_PREFIX),
};
