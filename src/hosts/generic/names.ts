import type { ToolKind } from '../../core/words.ts';

/** Name and version of the contract; a message that names another one is refused. */
export const CONTRACT = 'pactclaw.hook/1';

/** Kinds whose calls change nothing unless something else is said of them. */
export const HARMLESS_KINDS: ReadonlySet<ToolKind> = new Set(['read', 'network', 'control']);
