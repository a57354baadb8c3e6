import { PactError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { installedTwice } from '../shared/install/conflicts.ts';
import type { HostInstaller, Machine, Scope } from '../shared/install/installer.ts';
import { type JsonText, nodeAt, valueAt } from '../shared/install/json-edit.ts';
import { jsonPart } from '../shared/install/json-part.ts';
import type { FindOurs } from '../shared/install/merge.ts';
import { NOTES } from '../shared/install/notes.ts';
import { pluginWiring } from '../shared/install/plugin-part.ts';
import { leaksOf } from './leaks.ts';
import { HOST, SEAL } from './names.ts';
import { BUNDLE, oursIn, settingsOf, targetFile } from './settings.ts';

const SCHEMA = 'https://opencode.ai/config.json';

function assertObject(json: JsonText): void {
  const node = nodeAt(json, ['permission']);
  if (node === null || node.kind === 'object') return;
  throw new PactError(
    'CONFLICT',
    'permission is one word here, so that no entry can be added to it',
    'Write it as an object: "permission": {"*": "ask"} means the same as "permission": "ask".',
    { file: json.file },
  );
}

/** Our plugin and the seal; and the schema, which the host itself adds to a file, where nothing but it would be left. */
const ours: FindOurs = (first, kept) => (now) => {
  const value = (valueAt(now, []) ?? {}) as JsonObject;
  const { $schema, permission, plugin, ...others } = value;
  const found = oursIn(value);
  const installed = oursIn(valueAt(first, [])).length > 0;
  const alone =
    Object.keys(others).length === 0 &&
    (!Array.isArray(plugin) || plugin.length === found.length) &&
    (!isObject(permission) || Object.keys(permission).every((key) => key === SEAL));
  return [
    ...(alone && installed && $schema === SCHEMA && !kept.includes(SCHEMA) ? [['$schema']] : []),
    ...found.map(({ at }) => ['plugin', at]),
    ...(isObject(permission) && permission[SEAL] === 'deny' ? [['permission', SEAL]] : []),
  ];
};

function notes(scope: Scope): string[] {
  return [
    `Where the plugin does not load (--pure, a broken build) the permission "${SEAL}" denies every tool; the plugin takes it out of what the host has read.`,
    scope === 'user' ? NOTES.everyProject : NOTES.ownPaths,
  ];
}

function assertAlone(machine: Machine, scope: Scope): void {
  const others = settingsOf(machine, scope === 'user' ? 'project' : 'user');
  const found = others.find(({ namesUs }) => namesUs);
  if (found !== undefined) throw installedTwice(HOST, found.file);
}

/** Registers PactClaw with OpenCode (docs/hosts/opencode.md): a plugin, and a permission that denies all without it. */
export const opencodeInstaller: HostInstaller = {
  host: HOST,
  scopes: ['project', 'user'],
  parts(machine, scope, wiring) {
    const file = scope === 'local' ? null : targetFile(machine, scope);
    if (file === null) return [];
    const there = settingsOf(machine, scope).find((one) => one.file === file);
    const schema = there?.exists === false || there?.value?.$schema === SCHEMA;
    return [
      jsonPart({
        file,
        entries: [
          ...(schema ? [{ path: ['$schema'], value: SCHEMA }] : []),
          { path: ['plugin', '-'], value: [`${wiring.install}/dist/${BUNDLE}`, { ...pluginWiring(wiring) }] },
          { path: ['permission', SEAL], value: 'deny' },
        ],
        ours,
        assertFree: assertObject,
        alsoKept: (json) => (valueAt(json, ['$schema']) === undefined ? [] : [SCHEMA]),
      }),
    ];
  },
  assertInstallable: assertAlone,
  warnings(machine, scope) {
    const file = targetFile(machine, scope);
    return Promise.resolve(file === null ? [] : leaksOf(machine, scope, file));
  },
  notes,
};
