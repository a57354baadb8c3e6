import { shell } from '../shared/decode/call.ts';
import { look, ownTools, type ToolTable, write } from '../shared/decode/tool-shape.ts';

const HOST = 'windsurf';

/** PactClaw's own tools: the server, a slash, the tool. The host names both for every MCP tool. */
export const OWN_PREFIX = 'pactclaw/';

/** What the host's agent does, as its hooks name it (vendor's documentation, docs/hosts/windsurf.md). */
export const TOOLS: ToolTable = {
  read_code: look('file_read', 'file_path'),
  write_code: write('file_write', 'file_path'),
  run_command: shell(HOST, 'shell', 'command_line', 'cwd'),
  ...ownTools(OWN_PREFIX),
};
