import { isObject, type JsonObject } from '../../../core/json.ts';
import { hooksIn, type SettingsFile } from '../install/settings-files.ts';
import type { HookEvent } from '../layered-table.ts';
import { faultOfCommand } from '../registration.ts';
import { lineHook } from './start.ts';
import type { RegisteredHook } from './verifier.ts';

/**
 * Hooks of ours in settings that the host merges, each a command line for a shell. `lineOf` reads the line off a handler
 * that may have another form; `startOf` says how a line is started where not as it stands.
 */
export function lineHooks(
  settings: readonly SettingsFile[],
  lineOf = ({ command }: JsonObject): unknown => command,
  startOf?: (line: string) => RegisteredHook['start'],
): RegisteredHook[] {
  return hooksIn(settings).map(({ file, event, matcher, handler }) => {
    const entry = { matcher: (matcher ?? null) as JsonObject[string], handler };
    return lineHook(file, event, entry, lineOf(handler), startOf);
  });
}

/** The launcher ends the hook at the latest then; a host with a shorter timeout gives up first and runs the call. */
const LATEST_ANSWER_S = 21;

/**
 * What is wrong with a hook that is a command line, or null: anything that lets a call pass unasked or unanswered.
 * `perSecond`: the host's units of time in a second.
 */
export function faultOfLine(host: string, events: readonly HookEvent[], perSecond: number) {
  return ({ event, handler: entry }: RegisteredHook): string | null => {
    const wanted = events.find((one) => one.event === event);
    const handler = isObject(entry.handler) ? entry.handler : {};
    const { matcher } = entry;
    const { type, command, timeout } = handler;
    if (type !== 'command') return `its type is ${String(type)}`;
    const all = matcher === null || matcher === '' || matcher === '*';
    if (!all && matcher !== wanted?.matcher)
      return `its matcher ${JSON.stringify(matcher)} does not cover all`;
    if (!(typeof timeout === 'number' && timeout > LATEST_ANSWER_S * perSecond))
      return `its timeout (${String(timeout)}) is not above ${LATEST_ANSWER_S * perSecond}: the client would run the call`;
    return faultOfCommand(host, event, command, wanted?.refuses === true);
  };
}
