import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { messageOf } from '../../../../core/errors.ts';
import { isObject, type JsonObject } from '../../../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../../../core/words.ts';
import { serverOffBy } from '../guards.ts';
import { deciding, type Places, readObject, type SettingsFile, serverPlace } from '../places.ts';
import { isOurServer, SERVER } from '../wiring.ts';
import { brief, type Check, check, warn } from './check.ts';
import { redirected, type Sandbox, sandboxEnv } from './sandbox.ts';

const TIMEOUT_MS = 15_000;

/** The server entry that counts: a project's local one before the shared one before the user's. */
function findServer(places: Places): { file: string; entry: JsonObject } | null {
  for (const scope of ['local', 'project', 'user'] as const) {
    const place = serverPlace(places, scope);
    if (place === null) continue;
    let at: unknown = readObject(place.file).value;
    for (const key of [...place.path, SERVER]) at = isObject(at) ? at[key] : undefined;
    if (isObject(at)) return { file: place.file, entry: at };
  }
  return null;
}

async function toolsOf(entry: JsonObject, sandbox: Sandbox): Promise<string[]> {
  const env = Object.entries({ ...getDefaultEnvironment(), ...sandboxEnv(sandbox) }).flatMap(
    ([key, value]) => (value === undefined ? [] : [[key, value] as const]),
  );
  const transport = new StdioClientTransport({
    command: String(entry.command),
    args: redirected(Array.isArray(entry.args) ? entry.args : [], sandbox.root),
    env: Object.fromEntries(env),
    cwd: sandbox.root,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'pactclaw-verify', version: '1' });
  try {
    await client.connect(transport, { timeout: TIMEOUT_MS });
    const { tools } = await client.listTools({}, { timeout: TIMEOUT_MS });
    return tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

/** Starts the registered server in the sandbox and asks it for its tools. */
export async function checkServer(
  places: Places,
  settings: readonly SettingsFile[],
  sandbox: Sandbox,
): Promise<Check[]> {
  const found = findServer(places);
  if (!found)
    return [
      check('server', 'the server is registered', false, "not in .mcp.json and not in the host's state"),
    ];
  const { file, entry } = found;
  const checks = [check('server', 'the server is registered', isOurServer(entry), file)];
  const off = serverOffBy(settings);
  checks.push(
    check(
      'server',
      'the server is not switched off',
      off === null,
      off === null ? 'not in disabledMcpjsonServers' : off,
    ),
  );
  if (entry.alwaysLoad !== true)
    checks.push(
      warn(
        'server',
        'the tool is always loaded',
        'alwaysLoad is not set: the agent must search for the tool first',
      ),
    );
  if (file.endsWith('/.mcp.json')) {
    const approved = deciding(settings, 'enabledMcpjsonServers')?.value;
    const all = deciding(settings, 'enableAllProjectMcpServers')?.value === true;
    if (!all && !(Array.isArray(approved) && approved.includes(SERVER)))
      checks.push(warn('server', 'the server is approved', 'an interactive session will ask you once'));
  }
  try {
    const tools = await toolsOf(entry, sandbox);
    checks.push(
      check(
        'server',
        `it answers and offers ${HANDSHAKE_TOOL}`,
        tools.includes(HANDSHAKE_TOOL),
        tools.join(', '),
      ),
    );
  } catch (error) {
    checks.push(check('server', `it answers and offers ${HANDSHAKE_TOOL}`, false, brief(messageOf(error))));
  }
  return checks;
}
