import type { JsonObject } from '../../../core/json.ts';
import type { Moment } from '../../adapter.ts';
import { LAYOUTS, type PlacedHook } from '../install/hook-file.ts';
import type { Machine } from '../install/installer.ts';
import { readObject } from '../install/json-file.ts';
import { hookFiles } from '../install/table-installer.ts';
import { faultOfCommand } from '../registration.ts';
import { findServerIn } from '../server-entry.ts';
import type { HostTable } from '../table.ts';
import { exitVerdict, specificVerdict } from './answers.ts';
import { type Check, skip, warn } from './check.ts';
import { momentOf, toolsOf } from './claude-shaped.ts';
import { SESSION } from './sandbox.ts';
import { lineHook } from './start.ts';
import type { HostVerifier, RegisteredHook, Sandbox, TriedCall, WiringFacts } from './verifier.ts';
import { checkEvents, checkWorkspace } from './wiring-checks.ts';

function registered(table: HostTable, machine: Machine): RegisteredHook[] {
  const { read } = LAYOUTS[table.wiring.layout];
  return hookFiles(table, machine).flatMap(({ file }) =>
    read(readObject(file).value).map(({ event, entry, command }) => lineHook(file, event, entry, command)),
  );
}

const ALL: readonly unknown[] = [undefined, null, '', '*', '.*'];

/** What is wrong with one of our hooks, or null: anything that lets a call pass unasked or unanswered. */
function faultOfHook({ hooks, wiring }: HostTable, hook: PlacedHook): string | null {
  const { event, entry, command, type, matcher, timeout } = hook;
  if (type !== 'command') return `its type is ${String(type)}`;
  if (!ALL.includes(matcher)) return `its matcher ${JSON.stringify(matcher)} does not cover all`;
  if (wiring.minTimeoutS > 0 && !(typeof timeout === 'number' && timeout > wiring.minTimeoutS))
    return `its timeout (${String(timeout)} s) is not above ${wiring.minTimeoutS} s: the client would run the call`;
  return (
    wiring.faultOf?.(event, entry) ?? faultOfCommand(hooks.host, event, command, wiring.guarded.has(event))
  );
}

function checks(table: HostTable, facts: WiringFacts): Check[] {
  const { machine, registered: hooks, cwd } = facts;
  const faultOf = ({ event, handler }: RegisteredHook) => faultOfHook(table, asPlaced(table, event, handler));
  return [
    ...checkEvents(Object.keys(table.hooks.events), hooks, faultOf),
    ...checkWorkspace(hooks, machine.project ?? cwd),
    ...hookFiles(table, machine).flatMap(({ file }) => {
      const { fault } = readObject(file);
      return fault === null ? [] : [warn('wiring', 'hooks can be read', `${file}: ${fault}`)];
    }),
    skip('wiring', 'the client obeys', 'no client of this host was tried'),
    ...(table.trials.untrusted !== undefined && machine.project !== null
      ? [warn('wiring', 'the folder is trusted', table.trials.untrusted)]
      : []),
  ];
}

/** Reads a hook's entry again as its file's layout has it. */
function asPlaced({ wiring }: HostTable, event: string, entry: JsonObject): PlacedHook {
  const value =
    wiring.layout === 'list'
      ? { hooks: [entry] }
      : wiring.layout === 'flat'
        ? { hooks: { [event]: [entry] } }
        : { [event]: [{ matcher: entry.matcher ?? null, hooks: [entry.handler ?? null] }] };
  const [hook] = LAYOUTS[wiring.layout].read(value);
  if (hook === undefined) throw new Error('what was read as our hook is none');
  return hook;
}

/** Each moment's event: the first of its kind. */
function eventsOf({ hooks, trials }: HostTable): Partial<Record<Moment, string>> {
  const first = Object.entries(hooks.events).toReversed();
  return trials.events ?? Object.fromEntries(first.map(([event, moment]) => [moment, event]));
}

function payload(table: HostTable, sandbox: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  const { shape, common } = table.trials;
  const events = eventsOf(table);
  return {
    hook_event_name: events[moment] ?? events.afterTool ?? '',
    session_id: SESSION,
    cwd: sandbox.root,
    ...common?.(sandbox),
    ...(shape ? momentOf(shape, moment, call) : {}),
  };
}

/** Tries a host's installation by its table. */
export function verifierOf(table: HostTable): HostVerifier {
  const { hooks, wiring, trials } = table;
  const { reads, names } = trials;
  const verdictOf = typeof reads === 'function' ? reads : reads === 'exit' ? exitVerdict : specificVerdict;
  return {
    host: hooks.host,
    clients: [],
    events: eventsOf(table),
    ...(trials.eventFor ? { eventFor: trials.eventFor } : {}),
    registered: (machine) => registered(table, machine),
    wiring: (facts) => checks(table, facts),
    server: {
      find: (machine) =>
        findServerIn(
          wiring.scopes.map((scope) => wiring.files(machine, scope)?.server ?? null),
          (entry) => wiring.isServerOn?.(entry) ?? true,
        ),
    },
    env: trials.env ?? (() => ({})),
    payload: trials.payload ?? ((sandbox, moment, call) => payload(table, sandbox, moment, call)),
    toolFor: trials.toolFor ?? (names ? toolsOf(names) : () => null),
    verdictOf,
    ...(trials.locks ? { locks: trials.locks } : {}),
    guarded: wiring.guarded.size > 0,
    wiringFiles: wiring.protects,
    holes: trials.holes,
  };
}
