import type { JsonObject } from '../../../core/json.ts';
import { guardedLine } from './guarded-line.ts';
import { hookPaths } from './hook-groups.ts';
import type { Wiring } from './installer.ts';
import { jsonPart } from './json-part.ts';
import type { Part } from './part.ts';
import { SERVER, serverFor, serverPart } from './server.ts';
import { shellLine } from './shell-line.ts';

/** One hook that a host is to call. */
export interface HookEvent {
  readonly event: string;
  /** What it is called for; `'*'` for every tool. Absent where the event knows no difference. */
  readonly matcher?: string;
  /** A failure of this hook must refuse. */
  readonly refuses: boolean;
}

/** A host that keeps hooks and MCP servers in one settings file, as Gemini CLI and its relatives do. */
export interface OneFileHost {
  readonly host: string;
  readonly events: readonly HookEvent[];
  /** Above the hook's own deadline, in the host's unit. */
  readonly timeout: number;
  /** What the host wants to know of the server beside how to start it. */
  readonly server: JsonObject;
}

/** The hook entry of one event. It has a name, under which the host lists it. */
function groupFor({ host, timeout }: OneFileHost, hook: HookEvent, wiring: Wiring): JsonObject {
  const place = wiring.workspace === null ? [] : ['--workspace', wiring.workspace];
  const words = [`${wiring.install}/bin/pactclaw-hook`, wiring.node, host, ...place, '--event', hook.event];
  return {
    ...(hook.matcher === undefined ? {} : { matcher: hook.matcher }),
    hooks: [
      {
        name: SERVER,
        type: 'command',
        command: hook.refuses ? guardedLine(words) : shellLine(words),
        timeout,
      },
    ],
  };
}

/** Hooks and server in one settings file. */
export function partsInOneFile(file: string, host: OneFileHost, wiring: Wiring): Part[] {
  const entries = host.events.map((hook) => ({
    path: ['hooks', hook.event, '-'],
    value: groupFor(host, hook, wiring),
  }));
  return [
    jsonPart({ file, entries, ours: () => hookPaths }),
    serverPart(file, ['mcpServers'], { ...serverFor(wiring), ...host.server }),
  ];
}
