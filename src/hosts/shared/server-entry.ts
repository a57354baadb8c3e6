import { isObject, type JsonObject } from '../../core/json.ts';
import { readObject } from './install/json-file.ts';
import { isOurServer, SERVER } from './install/server.ts';
import { redirected } from './verify/start.ts';
import type { RegisteredServer } from './verify/verifier.ts';

/** A server entry that a host found, as `verify` starts it. */
export function registeredServer(file: string, entry: JsonObject, isOn = true): RegisteredServer {
  const words = Array.isArray(entry.args) ? entry.args.map(String) : [];
  return {
    file,
    ours: isOurServer(entry) && isOn,
    start: (root) => ({ file: String(entry.command), args: redirected(words, root) }),
  };
}

/** The entry of our name among the `mcpServers` of the first of these JSON files that has one. */
export function findServerIn(
  files: readonly (string | null)[],
  isOn: (entry: JsonObject) => boolean = () => true,
): RegisteredServer | null {
  for (const file of files) {
    const servers = file === null ? null : readObject(file).value?.mcpServers;
    const entry = isObject(servers) ? servers[SERVER] : undefined;
    if (file !== null && isObject(entry)) return registeredServer(file, entry, isOn(entry));
  }
  return null;
}
