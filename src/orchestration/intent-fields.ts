import type { IntentStatus } from '../core/words.ts';

/**
 * Spellings of other tools that are read, each with a warning. The first name of each list
 * is ours.
 */
export const FIELD_NAMES = {
  id: ['id', 'intent_id'],
  name: ['name', 'title'],
  status: ['status'],
  ownedScope: ['owned_scope', 'scope'],
  constraints: ['constraints'],
  acceptanceCriteria: ['acceptance_criteria'],
  budget: ['budget'],
  blockedReason: ['blocked_reason'],
} as const;

export type Field = keyof typeof FIELD_NAMES;

/** Names of the root list; a bare list at the root is read too. */
export const ROOT_NAMES = ['active_intents', 'intents'] as const;

/** Status words of other tools. */
export const STATUS_ALIASES: Readonly<Record<string, IntentStatus>> = {
  PLANNED: 'PENDING',
  CREATED: 'PENDING',
  ACTIVE: 'IN_PROGRESS',
  COMPLETE: 'COMPLETED',
  DONE: 'COMPLETED',
};
