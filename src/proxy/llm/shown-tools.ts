import type { JsonObject, JsonValue } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { Plan } from './wire.ts';

/** How a protocol spells tools. */
export interface ToolSpelling {
  /** The name of a tool, or of the one that a choice names. */
  readonly nameOf: (tool: JsonValue) => JsonValue | undefined;
  /** What runs a tool at the provider; null when the client runs it. */
  readonly runAtProvider: (tool: unknown) => string | null;
  readonly handshake: () => JsonObject;
}

/**
 * The tools that the model is offered: the client's and the handshake, the same before the handshake and after it, so
 * that the provider's prompt cache holds. A human may have the client's hidden before it.
 */
export function shownTools(
  tools: readonly JsonValue[],
  plan: Plan,
  { nameOf, runAtProvider, handshake }: ToolSpelling,
): JsonValue[] {
  const left = tools.filter((tool) => {
    const type = runAtProvider(tool);
    return type === null || plan.providerRuns(type);
  });
  if (plan.phase === 'untouched') return left;
  const clients = left.filter((tool) => nameOf(tool) !== HANDSHAKE_TOOL);
  return isHiding(plan) ? [handshake()] : [...clients, handshake()];
}

/** Whether the client's tools are kept from the model in this request. */
export function isHiding({ phase, hideTools }: Plan): boolean {
  return phase === 'intercept' && hideTools;
}

/**
 * Whether a choice that names a tool, or several, may stay: before the handshake it would keep the model from making
 * it, and a tool that is not shown is an error at the provider.
 */
export function mayName(
  name: JsonValue | undefined,
  shown: readonly JsonValue[],
  plan: Plan,
  { nameOf }: ToolSpelling,
): boolean {
  if (plan.phase === 'intercept' && name !== HANDSHAKE_TOOL) return false;
  return name === undefined || shown.some((tool) => nameOf(tool) === name);
}
