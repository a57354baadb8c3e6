import { sha256 } from '../core/digest.ts';
import { StateError } from '../core/errors.ts';
import type { Intent } from '../core/intent.ts';
import type { Layout } from '../core/layout.ts';
import type { IntentStatus } from '../core/words.ts';
import { replaceFile } from '../platform/durable-files.ts';
import { readSteady } from '../platform/steady-file.ts';
import type { Registry } from './parse-intents.ts';

/** Keeps what was compiled from a file's exact bytes, so that a call pays for parsing only after an edit. */
export interface CompiledCache {
  compiled(file: string, digest: string): string | null;
  putCompiled(file: string, digest: string, value: string): void;
}

const REMEDY = 'Correct the file by hand; `pactclaw intent validate` lists every fault.';

/**
 * Bytes of the registry now. Read at each call, never trusted from an earlier one: a human's edit takes effect
 * at the very next call (H-45, H-46).
 */
export function readRegistryBytes(layout: Layout): Buffer {
  let bytes: Buffer | null;
  try {
    bytes = readSteady(layout.intents);
  } catch (error) {
    throw new StateError('orchestration state unreadable', { file: layout.intents }, REMEDY, {
      cause: error,
    });
  }
  if (bytes) return bytes;
  throw new StateError(
    'orchestration state missing',
    { file: layout.intents },
    'Restore the file, or run `pactclaw init` in the workspace.',
  );
}

/** What this process has already compiled or unpacked, by the bytes it came from. */
const inMemory = new WeakMap<Buffer, Registry>();

/** The registry for these bytes from the cache, or null when they were never compiled. */
export function cachedRegistry(bytes: Buffer, cache: Pick<CompiledCache, 'compiled'>): Registry | null {
  const known = inMemory.get(bytes);
  if (known) return known;
  const text = cache.compiled('active_intents.yaml', sha256(bytes));
  if (text === null) return null;
  const registry = JSON.parse(text) as Registry;
  inMemory.set(bytes, registry);
  return registry;
}

/** Compiles these bytes (the YAML parser and the schema are loaded only now) and remembers the result. */
export async function compileRegistry(bytes: Buffer): Promise<Registry> {
  const { parseIntents } = await import('./parse-intents.ts');
  return parseIntents(bytes);
}

export function rememberRegistry(bytes: Buffer, registry: Registry, cache: CompiledCache): void {
  cache.putCompiled('active_intents.yaml', sha256(bytes), JSON.stringify(registry));
}

/** The intents, or the StateError that puts the engine into fail-safe. */
export function trustedIntents(registry: Registry, layout: Layout): readonly Intent[] {
  const [first, ...more] = registry.problems;
  if (!first) return registry.intents;
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  throw new StateError(
    `orchestration state corrupted: ${first.message}${others}`,
    { file: layout.intents, line: first.line },
    REMEDY,
  );
}

export type StatusEditor = (text: string, id: string, status: IntentStatus, reason: string | null) => string;

/** Loads the editor (and with it the YAML parser), which only a change of status needs. */
export async function loadStatusEditor(): Promise<StatusEditor> {
  return (await import('./edit-intents.ts')).editStatus;
}

/** The same for the engine, which leaves an intent alone that a human has closed (H-13). */
export async function loadEngineEditor(): Promise<StatusEditor> {
  return (await import('./edit-intents.ts')).editOpenStatus;
}

/**
 * Writes a status into the human's file, leaving every other byte (H-47). Synchronous, so that it can run under
 * the workspace's lock and no two writers lose each other's change. Throws when it cannot.
 */
export function writeStatus(
  layout: Layout,
  edit: StatusEditor,
  id: string,
  status: IntentStatus,
  reason: string | null,
): void {
  const text = readRegistryBytes(layout).toString('utf8');
  replaceFile(layout.intents, edit(text, id, status, reason), { durable: true });
}
