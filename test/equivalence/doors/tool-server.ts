import { ownToolsOf } from '../../../src/cli/mcp/own-tools.ts';
import type { McpToolRule } from '../../../src/config/policy.ts';
import { isObject, type JsonObject } from '../../../src/core/json.ts';
import { Session } from '../../../src/proxy/mcp/session.ts';
import { FakeServer, pairOfWires, Talker } from '../../support/mcp.ts';
import type { Ask } from '../corpus.ts';
import type { Door, Ground } from '../ground.ts';

/** What a human has declared of the server's tools; the odd one has no declaration. */
const RULES: Readonly<Record<string, McpToolRule>> = {
  'files/read': { kind: 'read', paths: ['path'] },
  'files/write': { kind: 'write', paths: ['path'] },
  'files/edit': { kind: 'write', paths: ['path'] },
  'files/delete': { kind: 'delete', paths: ['path'] },
  'files/shell': { kind: 'execute', command: 'command' },
  'files/fetch': { kind: 'network' },
};
const TOOLS = ['read', 'write', 'edit', 'delete', 'shell', 'fetch', 'odd_tool'];

function toolFor(ask: Ask): { readonly name: string; readonly args: JsonObject } {
  if (ask.does === 'handshake') return { name: 'select_active_intent', args: { intent_id: ask.intentId } };
  if (ask.does === 'undeclared') return { name: 'odd_tool', args: { path: ask.file } };
  if (ask.does === 'shell') return { name: 'shell', args: { command: ask.command } };
  if (ask.does === 'fetch') return { name: 'fetch', args: { url: ask.url } };
  return { name: ask.does, args: { path: ask.file } };
}

/** A client that calls the tools of a server through `pactclaw mcp proxy`. */
export function toolServerDoor(ground: Ground): Door {
  const engine = ground.engine();
  let session: Session | null = null;
  let client: Talker;
  let connections = 0;
  let id = '';
  return {
    name: 'proxy of a tool server',
    async enter() {
      await session?.close();
      const server = new FakeServer('files', TOOLS);
      const [inside, outside] = pairOfWires();
      connections += 1;
      id = `equal-mcp-${connections}`;
      client = new Talker(outside);
      session = new Session(
        inside,
        { servers: [{ ...server.plan, cwd: ground.root }], sessionId: id, intent: null, timeoutMs: null },
        {
          engine,
          own: ownToolsOf(ground.workspace, engine),
          version: '0',
          rules: async () => RULES,
          // Pinning holds back what has changed; it is no part of a verdict.
          checkPins: () => null,
          log: () => undefined,
        },
      );
      session.start();
      const clientInfo = { name: 'a test', version: '1' };
      await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
      client.say({ method: 'notifications/initialized' });
    },
    async answer(ask, at) {
      ground.put(id, at);
      const { name, args } = toolFor(ask);
      const { result } = await client.ask('tools/call', { name, arguments: args });
      // A handshake that cannot be answered is an error though it was let through.
      const told = isObject(result) && result.isError !== true ? 'runs' : 'refused';
      return ground.heard(ask.does === 'handshake' ? null : told);
    },
    async close() {
      await session?.close();
    },
  };
}
