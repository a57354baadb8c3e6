import { ownToolsOf } from '../../../src/cli/mcp/own-tools.ts';
import { listen } from '../../../src/platform/http-listener.ts';
import { ProtectedServer } from '../../../src/platform/http-protected.ts';
import { HttpWire } from '../../../src/platform/http-wire.ts';
import { checkPins } from '../../../src/proxy/mcp/pin-keeper.ts';
import { Session } from '../../../src/proxy/mcp/session.ts';
import { TestWorkspace } from '../../support/workspace.ts';

/** The proxy over HTTP in front of a server over HTTP; `passes`: the client's own authorization is for the server. */
export async function proxyOf(url: string, passes = false) {
  const place = new TestWorkspace([{ id: 'INT-001', scope: ['src/a/**'] }], ['src/a/one.ts']);
  const sessions: Session[] = [];
  const logged: string[] = [];
  const door = await listen({
    host: '127.0.0.1',
    port: 0,
    token: null,
    behind: passes ? new ProtectedServer(url) : null,
    serve: (wire) => {
      const session = new Session(
        wire,
        {
          servers: [
            {
              name: 's',
              source: url,
              cwd: place.root,
              remote: true,
              open: (authorization) => new HttpWire(url, {}, passes ? (authorization ?? null) : null),
            },
          ],
          sessionId: `http-${sessions.length}`,
          intent: null,
          timeoutMs: null,
        },
        {
          engine: place.engine,
          own: ownToolsOf(place.workspace, place.engine),
          version: '0',
          rules: async () => ({ 's/echo': { kind: 'read', paths: [] } }),
          checkPins: (server, source, tools) => checkPins(place.workspace, server, source, tools),
          log: (text) => logged.push(text),
        },
      );
      sessions.push(session);
      session.start();
    },
  });
  return {
    url: door.url,
    place,
    logged,
    close: async () => {
      await Promise.all(sessions.map((session) => session.close()));
      await door.close();
      place[Symbol.dispose]();
    },
  };
}
