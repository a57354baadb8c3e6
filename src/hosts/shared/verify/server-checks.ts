import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { messageOf } from '../../../core/errors.ts';
import { HANDSHAKE_TOOL } from '../../../core/words.ts';
import type { Machine } from '../install/installer.ts';
import { brief, type Check, check, skip } from './check.ts';
import { sandboxEnv } from './sandbox.ts';
import type { HostVerifier, RegisteredServer, Sandbox } from './verifier.ts';

const TIMEOUT_MS = 15_000;

async function toolsOf(
  verifier: HostVerifier,
  server: RegisteredServer,
  sandbox: Sandbox,
): Promise<string[]> {
  const env = Object.entries({ ...getDefaultEnvironment(), ...sandboxEnv(verifier, sandbox) }).flatMap(
    ([key, value]) => (value === undefined ? [] : [[key, value] as const]),
  );
  const { file, args } = server.start(sandbox.root);
  const transport = new StdioClientTransport({
    command: file,
    args: [...args],
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
  verifier: HostVerifier,
  machine: Machine,
  sandbox: Sandbox,
): Promise<Check[]> {
  if (!verifier.server)
    return [skip('server', 'the server is registered', 'the host gets the handshake tool without one')];
  const server = verifier.server.find(machine);
  if (!server) return [check('server', 'the server is registered', false, "in none of the host's settings")];
  const checks = [
    check('server', 'the server is registered', server.ours, server.file),
    ...(verifier.server.checks?.(machine) ?? []),
  ];
  const title = `it answers and offers ${HANDSHAKE_TOOL}`;
  try {
    const tools = await toolsOf(verifier, server, sandbox);
    return [...checks, check('server', title, tools.includes(HANDSHAKE_TOOL), tools.join(', '))];
  } catch (error) {
    return [...checks, check('server', title, false, brief(messageOf(error)))];
  }
}
