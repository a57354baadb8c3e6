import * as z from 'zod';
import { INTENT_STATUSES, type IntentStatus } from '../core/words.ts';
import { FIELD_NAMES, type Field, STATUS_ALIASES } from './intent-fields.ts';

const CONTROL = /[\u0000-\u001f\u007f]/;
const line = (what: string, max: number) =>
  z
    .string(`${what} must be text`)
    .min(1, `${what} must not be empty`)
    .max(max, `${what} must be at most ${max} characters`)
    .refine((text) => !CONTROL.test(text), `${what} must not hold control characters`);

const list = (what: string) =>
  z
    .array(z.string(`${what} must hold text only`), `${what} must be a list of text`)
    .max(500, `${what} holds more than 500 items`);
const limit = (what: string) => z.int(`${what} must be a whole number`).min(1, `${what} must be at least 1`);

/** What one intent must look like once its fields have our names (H-42). */
export const intentSchema = z.object({
  id: line('id', 128).regex(/^[\w.:/-]+$/u, 'id may hold letters, digits and . : / _ - only'),
  name: line('name', 500),
  status: z.enum(INTENT_STATUSES, `status must be one of ${INTENT_STATUSES.join(', ')}`),
  ownedScope: list('owned_scope').min(1, 'owned_scope must name at least one glob'),
  constraints: list('constraints'),
  acceptanceCriteria: list('acceptance_criteria'),
  budget: z
    .object(
      { max_turns: limit('budget.max_turns').optional(), max_tokens: limit('budget.max_tokens').optional() },
      'budget must be a map',
    )
    .default({}),
  blockedReason: z.string('blocked_reason must be text').nullish(),
});

export type IntentFields = z.infer<typeof intentSchema>;

/** An item with our field names, and what had to be put right on the way. */
export interface Normalised {
  readonly fields: Record<string, unknown>;
  readonly warnings: readonly string[];
}

function toList(value: unknown, name: string, warnings: string[]): unknown {
  if (typeof value !== 'string') return value;
  warnings.push(`${name} should be a list`);
  return [value];
}

function toStatus(value: unknown, warnings: string[]): unknown {
  if (typeof value !== 'string') return value;
  const upper = value.toUpperCase();
  const status: string = STATUS_ALIASES[upper] ?? upper;
  if (status !== value && (INTENT_STATUSES as readonly string[]).includes(status))
    warnings.push(`status ${value} is read as ${status as IntentStatus}`);
  return status;
}

/** Gives an item of the registry our field names; unknown keys are left alone. */
export function normaliseIntent(item: Readonly<Record<string, unknown>>): Normalised {
  const warnings: string[] = [];
  const fields: Record<string, unknown> = {};
  for (const field of Object.keys(FIELD_NAMES) as Field[]) {
    const [ours, ...others] = FIELD_NAMES[field];
    const given = [ours, ...others].find((name) => item[name] !== undefined);
    if (given === undefined) continue;
    if (given !== ours) warnings.push(`${given} is read as ${ours}`);
    fields[field] = item[given];
  }
  fields.status = toStatus(fields.status, warnings);
  fields.ownedScope = toList(fields.ownedScope, 'owned_scope', warnings);
  for (const [field, name] of [
    ['constraints', 'constraints'],
    ['acceptanceCriteria', 'acceptance_criteria'],
  ] as const) {
    if (fields[field] === undefined || fields[field] === null) {
      warnings.push(`${name} is missing; write ${name}: [] if there are none`);
      fields[field] = [];
    }
    fields[field] = toList(fields[field], name, warnings);
  }
  if (fields.budget === null) delete fields.budget;
  return { fields, warnings };
}
