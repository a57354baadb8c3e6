import readline from 'node:readline';

/** An MCP server that answers every call at once, so that what is measured is the way to it. */
const TOOLS = ['look', 'change'].map((name) => ({ name, inputSchema: { type: 'object' } }));

function resultOf(method: string, params: { protocolVersion?: string }): object {
  if (method === 'tools/list') return { tools: TOOLS };
  if (method !== 'initialize') return { content: [{ type: 'text', text: 'ok' }] };
  const { protocolVersion } = params;
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } };
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as { id?: number; method: string; params: object };
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params) })}\n`);
});
