import { StateError } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import { maskSecrets } from '../core/mask-secrets.ts';
import type { ToolCall } from '../core/tool-call.ts';
import type { FoundTarget } from '../security/resolve-target.ts';
import type { SnapshotEntry } from '../security/snapshot.ts';
import type { Door } from './requests.ts';

/** A recorded file as a call's detail keeps it: JSON holds no bytes. */
export type PutBack = Omit<SnapshotEntry, 'name'> & { readonly name: string };

/** What PreToolUse leaves for PostToolUse; the ledger keeps it as text. */
export interface CallDetail {
  readonly targets: readonly Pick<FoundTarget, 'asked' | 'relative' | 'absolute' | 'role'>[];
  readonly reasoning: string | null;
  /** The call is a handshake: its answer lets the session act. */
  readonly handshake: boolean;
  /** Snapshot of the work tree before a command; null when the call needs none. */
  readonly snapshot: string | null;
  /** SHA-256 of what the snapshot lists, so that nothing else can be stored under its name (F-10). */
  readonly listing?: string;
  /** Files that another command's undoing put back since; they count as they were then. */
  readonly putBack?: readonly PutBack[];
  /** Doors that have let it through, in the order it came to them; the hook alone when absent. */
  readonly doors?: readonly Door[];
  /** Digest of its arguments, by which another door's view of it is known. */
  readonly args?: string;
  /** An outcome without an id has been taken for this call's. */
  readonly ending?: boolean;
  /** The call itself, kept if it can change something, so that it can be ended when the host reports no end (F-14). */
  readonly call?: Omit<ToolCall, 'args'>;
  /** The host has moved on although the call has not ended. It is compared at every event of its session (F-1). */
  readonly running?: boolean;
  /** The command runs in a container: what it writes is judged before it is real, and no snapshot is taken. */
  readonly contained?: ContainedCall;
  /** The host that began it, where something else than the host's hook ends it. */
  readonly host?: string;
}

/** Where a command that is to run in a container stands. */
export interface ContainedCall {
  /** `due`: nobody has run it yet; `running`: `run` has; `ended`: what it changed is judged and recorded. */
  readonly state: 'due' | 'running' | 'ended';
  /** SHA-256 of the command's text, by which the program that runs it finds its call. */
  readonly command: string;
  /** Id of its run. */
  readonly run?: string;
  /** Process that runs it, and when that began (see `beganAt`). */
  readonly pid?: number;
  readonly began?: string;
  /** The host has told of the end of the call already. */
  readonly told?: boolean;
}

const ofText = (value: unknown): boolean => typeof value === 'string';
const orNull = (value: unknown): boolean => value === null || ofText(value);
const maybe = (test: (value: unknown) => boolean) => (value: unknown) => value === undefined || test(value);
const flag = (value: unknown): boolean => typeof value === 'boolean';
const listOf = (test: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(test);

function isTarget(value: unknown): boolean {
  return (
    isObject(value) &&
    ofText(value.asked) &&
    orNull(value.relative) &&
    ofText(value.absolute) &&
    ofText(value.role)
  );
}

function isContained(value: unknown): boolean {
  return (
    isObject(value) &&
    ['due', 'running', 'ended'].includes(String(value.state)) &&
    ofText(value.command) &&
    maybe(ofText)(value.run) &&
    maybe(ofText)(value.began) &&
    maybe(flag)(value.told) &&
    (value.pid === undefined || Number.isInteger(value.pid))
  );
}

function isPutBack(value: unknown): boolean {
  return isObject(value) && ofText(value.name) && ofText(value.mode) && orNull(value.object);
}

function isCall(value: unknown): boolean {
  const texts = ['callId', 'sessionId', 'tool', 'hostTool', 'kind', 'identity', 'cwd'];
  return isObject(value) && texts.every((key) => ofText(value[key])) && flag(value.mutating);
}

/** A call as its detail keeps it: without its arguments, and without the secrets that its words may hold. */
export function withoutArguments({ args: _, ...call }: ToolCall): Omit<ToolCall, 'args'> {
  const { command, rationale } = call;
  return {
    ...call,
    ...(command === undefined ? {} : { command: maskSecrets(command) }),
    ...(rationale === undefined ? {} : { rationale: maskSecrets(rationale) }),
  };
}

/** Test of each key; a key that is not here makes the text nobody's detail. */
const SHAPE: { readonly [K in keyof Required<CallDetail>]: (value: unknown) => boolean } = {
  targets: listOf(isTarget),
  reasoning: orNull,
  handshake: flag,
  snapshot: orNull,
  listing: maybe(ofText),
  putBack: maybe(listOf(isPutBack)),
  doors: maybe(listOf(ofText)),
  args: maybe(ofText),
  ending: maybe(flag),
  call: maybe(isCall),
  running: maybe(flag),
  contained: maybe(isContained),
  host: maybe(ofText),
};

/**
 * Reads the stored detail of a call in flight. Throws a StateError if {@link writeDetail} did not write the text:
 * then somebody else changed the state and it cannot be trusted.
 */
export function readDetail(text: string): CallDetail {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const isDetail =
    isObject(value) &&
    Object.entries(SHAPE).every(([key, test]) => test((value as Record<string, unknown>)[key])) &&
    Object.keys(value).every((key) => Object.hasOwn(SHAPE, key));
  if (isDetail) return value as unknown as CallDetail;
  throw new StateError(
    'what is kept of a call in flight has been damaged',
    {},
    'Run `pactclaw fsck --repair`; the call that it belongs to must be looked at by a human.',
  );
}

/** The text that the ledger keeps of a call in flight. */
export function writeDetail(detail: CallDetail): string {
  return JSON.stringify(detail);
}

/** Calls whose effect cannot be read off them: commands, and tools that nobody declared (H-30, H-63). */
export function isWatched(call: ToolCall): boolean {
  return call.kind === 'execute' || (call.mutating && !call.declared);
}

/**
 * Whether a detail is a command's, kept while it can run: one of a subagent goes on, and what it changes must be
 * found.
 */
export function isOfCommand(text: string): boolean {
  const { snapshot, contained } = readDetail(text);
  return snapshot !== null || contained?.state === 'running';
}
