import { PactError } from '../../../core/errors.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { readIfThere } from '../../../platform/files.ts';
import type { Wiring } from './installer.ts';
import { type JsonText, nodeAt, valueAt } from './json-edit.ts';
import { jsonPart } from './json-part.ts';
import { type FindOurs, sameJson } from './merge.ts';
import type { Part } from './part.ts';

/** Name of our server; hosts build the tool's name from it. */
export const SERVER = 'pactclaw';

/** What starts our server, as most hosts write it. */
export function serverFor(wiring: Wiring): { readonly command: string; readonly args: string[] } {
  const place = wiring.workspace === null ? [] : ['--workspace', wiring.workspace];
  return {
    command: wiring.node,
    args: [`${wiring.install}/bin/pactclaw`, 'mcp', 'serve', ...place],
  };
}

/** True for a server entry that starts `pactclaw mcp`. */
export function isOurServer(server: unknown): server is JsonObject {
  if (!isObject(server) || typeof server.command !== 'string' || !Array.isArray(server.args)) return false;
  const words = [server.command, ...server.args].map(String);
  return words.some((word) => /(?:^|[/\\])pactclaw$/.test(word)) && words.includes('mcp');
}

function ourServer(path: readonly string[]): FindOurs {
  return () => (now) => {
    const server = nodeAt(now, path)?.kind === 'object' ? valueAt(now, [...path, SERVER]) : undefined;
    return isOurServer(server) ? [[...path, SERVER]] : [];
  };
}

/** A server of the same name that is not ours stays: taking its place would break what somebody relies on. */
function assertNameFree(json: JsonText, path: readonly string[]): void {
  const server = valueAt(json, [...path, SERVER]);
  if (server === undefined || isOurServer(server)) return;
  throw new PactError(
    'CONFLICT',
    `another MCP server is named ${SERVER} here`,
    'Rename or remove it, then install again.',
    { file: json.file },
  );
}

/** Our server among the MCP servers that a JSON file lists at a path. */
export function serverPart(file: string, path: readonly string[], entry: JsonObject): Part {
  return jsonPart({
    file,
    name: path.join('.'),
    entries: [{ path: [...path, SERVER], value: entry }],
    ours: ourServer(path),
    assertFree: (json) => assertNameFree(json, path),
  });
}

/** Files of a project in which the hosts that read its `.mcp.json` have their hooks. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['.claude/settings.json'],
  copilot: ['.github/hooks/pactclaw.json'],
};

function textOf(file: string): string {
  try {
    return readIfThere(file)?.toString('utf8') ?? '';
  } catch {
    return '';
  }
}

function standsAs(file: string, path: readonly string[], entry: JsonObject): boolean {
  try {
    const now = valueAt({ text: textOf(file), file }, [...path, SERVER]);
    // One that a shell finds names no path of this machine: git tracks it.
    return sameJson(now ?? null, entry) || (isOurServer(now) && now.command === '/bin/sh');
  } catch {
    return false;
  }
}

/**
 * Like {@link serverPart}, for a file that several hosts read. While another of them is registered beside it, the
 * entry that both need is left alone: no part of this installation, so that uninstalling one host does not take the
 * handshake from the other.
 */
export function sharedServerPart(
  host: string,
  file: string,
  path: readonly string[],
  entry: JsonObject,
): Part[] {
  const folder = file.slice(0, file.lastIndexOf('/'));
  const isShared =
    file.endsWith('/.mcp.json') &&
    Object.entries(READERS).some(
      ([other, files]) =>
        other !== host && files.some((one) => /[/ ]pactclaw-hook["'\s]/.test(textOf(`${folder}/${one}`))),
    );
  return isShared && standsAs(file, path, entry) ? [] : [serverPart(file, path, entry)];
}
