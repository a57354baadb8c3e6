import { readIfThere } from '../../../platform/files.ts';
import { hookPaths } from '../../shared/install/hook-groups.ts';
import type { Machine, Scope, Wiring } from '../../shared/install/installer.ts';
import { valueAt } from '../../shared/install/json-edit.ts';
import { jsonPart } from '../../shared/install/json-part.ts';
import type { Part } from '../../shared/install/part.ts';
import { type TomlTable, tomlPart } from '../../shared/install/toml-part.ts';
import { EVENTS } from '../handle.ts';
import { folderOf, userFolderOf } from './places.ts';
import { type Registered, registeredIn } from './registered.ts';
import { groupFor, SERVER_HEADER, serverTable, trustHeader, trustTable } from './wiring.ts';

function registeredInText(file: string, text: string): Registered[] {
  try {
    return registeredIn(file, valueAt({ text, file }, []));
  } catch {
    // What the host could not read either holds no hooks of ours.
    return [];
  }
}

/**
 * The trust that a human would give each hook by hand, in the host's `/hooks` view: it skips a hook without it and
 * says nothing. Told by file and fingerprint, so that trust in hooks of others stays.
 */
function trustPart(machine: Machine, hooks: Part): Part {
  const now = readIfThere(hooks.file)?.toString('utf8') ?? '';
  let after = now;
  try {
    after = hooks.add(now === '' ? hooks.blank : now, null)?.text ?? now;
  } catch {
    // The part of the hooks itself will say why.
  }
  const wanted = registeredInText(hooks.file, after);
  const prefix = trustHeader(`${hooks.file}:`).slice(0, -2);
  const hashes = [...wanted, ...registeredInText(hooks.file, now)].flatMap(({ hash }) => hash ?? []);
  return tomlPart({
    file: `${userFolderOf(machine)}/config.toml`,
    name: `trust in ${hooks.file}`,
    tables: wanted.flatMap(({ key, hash }) => (hash === null ? [] : [trustTable(key, hash)])),
    isOurs: ({ header, lines }) =>
      header.startsWith(prefix) && lines.some((line) => hashes.some((hash) => line.includes(hash))),
  });
}

function isOurServerTable({ header, lines }: TomlTable): boolean {
  // What the host itself notes of our tools stands in tables below ours, and means nothing without it.
  if (header.startsWith(`${SERVER_HEADER.slice(0, -1)}.`)) return true;
  return header === SERVER_HEADER && lines.some((line) => line.includes('pactclaw') && line.includes('mcp'));
}

/** The files of an installation in one scope. */
export function partsOf(machine: Machine, scope: Scope, wiring: Wiring): Part[] {
  const folder = folderOf(machine, scope);
  if (folder === null) return [];
  const hooks = jsonPart({
    file: `${folder}/hooks.json`,
    entries: EVENTS.map((event) => ({ path: ['hooks', event, '-'], value: groupFor(event, wiring) })),
    ours: () => hookPaths,
  });
  const server = tomlPart({
    file: `${folder}/config.toml`,
    name: 'server',
    tables: [serverTable(wiring)],
    isOurs: isOurServerTable,
  });
  return [hooks, server, trustPart(machine, hooks)];
}
