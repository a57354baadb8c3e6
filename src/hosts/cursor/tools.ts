import { hidden, shell } from '../shared/decode/call.ts';
import * as tool from '../shared/decode/tool-shape.ts';

const HOST = 'cursor';

/** How a tool of an MCP server is named before its server is known. */
export const MCP_PREFIX = 'MCP:';
/** PactClaw's own tools, once the host has said that they are its server's. No tool of the host has such a name. */
export const OWN_PREFIX = 'pactclaw/';

/**
 * The tools of Cursor as its hooks see them (hook executor of @cursor/sdk 1.0.32, docs/hosts/cursor.md). A name that is
 * not here is undeclared and counts as mutating (H-30).
 */
export const TOOLS: tool.ToolTable = {
  Read: tool.look('file_read', 'file_path'),
  List: tool.look('file_list', 'file_path'),
  Grep: tool.look('search', 'file_path'),
  ReadLints: tool.look('lints'),
  ListMcpResources: tool.look('mcp_resources'),
  Write: tool.write('file_write', 'file_path'),
  Delete: {
    tool: 'file_delete',
    kind: 'delete',
    mutating: true,
    path: { key: 'file_path', role: 'delete', required: true },
  },
  Shell: shell(HOST, 'shell', 'command', 'cwd'),
  // It may save what it fetches to `download_path`.
  FetchMcpResource: {
    ...tool.foreign('mcp_resource'),
    path: { key: 'download_path', role: 'write', required: false },
  },
  Fetch: tool.network('http'),
  WebSearch: tool.network('web_search'),
  Task: tool.control('agent'),
  WriteShellStdin: hidden(
    'WriteShellStdin',
    'the host does not tell what it types into the command that is running',
  ),
  ComputerUse: hidden('ComputerUse', 'the host tells only how many actions there are'),
  ...tool.ownTools(OWN_PREFIX),
};
