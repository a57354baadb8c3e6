import { sha256 } from './digest.ts';
import { identityOf } from './identity.ts';
import type { JsonValue } from './json.ts';

const PREFIX = 'unnamed';

/** What all calls of one tool share that a host gives no ids to. */
export function unnamedTool(name: string): string {
  return `${PREFIX}:${sha256(name.toWellFormed()).slice(0, 12)}:`;
}

/**
 * Stands for the id of a call that its host does not name: one for all calls of the same tool with the same arguments.
 * The engine tells those apart by what it appends (`hooks/unnamed.ts`).
 */
export function unnamedId(name: string, args: JsonValue): string {
  return `${unnamedTool(name)}${identityOf(name, args).slice(0, 32)}`;
}

/** The id as the host's adapter knows it, without what the engine appended. */
export function asDecoded({
  callId,
  unnamed,
}: {
  readonly callId: string;
  readonly unnamed?: boolean;
}): string {
  return unnamed ? callId.split(':').slice(0, 3).join(':') : callId;
}
