import { hidden, shell } from '../shared/decode/call.ts';
import {
  control,
  foreign,
  look,
  network,
  ownTools,
  type ToolTable,
  write,
} from '../shared/decode/tool-shape.ts';

const HOST = 'cursor';

/** How a tool of an MCP server is named before its server is known. */
export const MCP_PREFIX = 'MCP:';
/** PactClaw's own tools, once the host has said that they are its server's. No tool of the host has such a name. */
export const OWN_PREFIX = 'pactclaw/';

/**
 * The tools of Cursor as its hooks see them (hook executor of @cursor/sdk 1.0.32, docs/hosts/cursor.md). A name that is
 * not here is undeclared and counts as mutating (H-30).
 */
export const TOOLS: ToolTable = {
  Read: look('file_read', 'file_path'),
  List: look('file_list', 'file_path'),
  Grep: look('search', 'file_path'),
  ReadLints: look('lints'),
  ListMcpResources: look('mcp_resources'),
  Write: write('file_write', 'file_path'),
  Delete: {
    tool: 'file_delete',
    kind: 'delete',
    mutating: true,
    path: { key: 'file_path', role: 'delete', required: true },
  },
  Shell: shell(HOST, 'shell', 'command', 'cwd'),
  // It may save what it fetches to `download_path`.
  FetchMcpResource: {
    ...foreign('mcp_resource'),
    path: { key: 'download_path', role: 'write', required: false },
  },
  Fetch: network('http'),
  WebSearch: network('web_search'),
  Task: control('agent'),
  WriteShellStdin: hidden(
    'WriteShellStdin',
    'the host does not tell what it types into the command that is running',
  ),
  ComputerUse: hidden('ComputerUse', 'the host tells only how many actions there are'),
  ...ownTools(OWN_PREFIX),
};
