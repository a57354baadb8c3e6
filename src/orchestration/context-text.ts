import type { Limits, Usage } from '../core/facts.ts';
import type { Intent } from '../core/intent.ts';
import { HANDSHAKE_TOOL } from '../core/words.ts';
import type { HistoryItem } from './handshake-result.ts';
import type { Lesson } from './lessons.ts';
import { wrapUntrusted } from './untrusted.ts';

/** What a session is told before its handshake. */
export interface InterceptParts {
  readonly selectable: readonly { readonly id: string; readonly name: string }[];
  readonly constitution: string;
  readonly soul: string;
}

/** What a session is told while it works for an intent. */
export interface ActionParts {
  readonly intent: Intent;
  readonly guidelines: readonly string[];
  readonly budget?: {
    readonly usage: Usage;
    readonly limits: Pick<Limits, 'maxTurns' | 'maxTokens'>;
  };
}

function list(items: readonly string[], none: string): string {
  return items.length === 0 ? none : items.map((item) => `- ${item}`).join('\n');
}

/** Blocks of a prompt with a blank line between; empty ones are left out. */
function join(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n');
}

function section(title: string, text: string): string {
  return text.trim() === '' ? '' : `## ${title}\n\n${text.trim()}`;
}

function budgetLine({ usage, limits }: NonNullable<ActionParts['budget']>): string {
  const turns = Math.max(0, limits.maxTurns - usage.turns);
  const tokens = Math.max(0, limits.maxTokens - usage.tokens);
  return `Left of the budget: ${turns} of ${limits.maxTurns} turns, ${tokens} of ${limits.maxTokens} tokens.`;
}

/**
 * The prompt of a session without an intent: constitution, soul, and the intents that it may choose from (H-40,
 * H-49, H-109).
 */
export function interceptText({ selectable, constitution, soul }: InterceptParts): string {
  const intents = list(
    selectable.map(({ id, name }) => `${id}: ${name}`),
    '(none: tell the user that a human must add one to .orchestration/active_intents.yaml)',
  );
  const task = `# Reasoning intercept

No intent is active. The only tool you can use now is \`${HANDSHAKE_TOOL}\`; every other call is refused.

1. Weigh the request against the constitution and the soul of the house.
2. Choose the one intent whose purpose fits the request. If none fits, do not choose: say so and stop.
3. Call \`${HANDSHAKE_TOOL}\` with its \`intent_id\`, and in \`reasoning\` why it fits.`;
  return join([
    task,
    section('Available intents', intents),
    section('Constitution', constitution),
    section('Soul', soul),
  ]);
}

/**
 * The prompt of a session that works for an intent: its scope, all of its constraints and criteria word for word, and
 * the house's guidelines as high-priority constraints (H-34, H-37, H-97, H-109).
 */
export function actionText({ intent, guidelines, budget }: ActionParts): string {
  return join([
    `# Contextualized action\n\nYou work for intent ${intent.id}: ${intent.name} (${intent.status}). All of this binds you.`,
    `## Owned scope\n\nYou may change these files and no others:\n\n${list(intent.ownedScope, '(none)')}`,
    `## Constraints\n\n${list(intent.constraints, '(none)')}`,
    `## Guidelines of the house (priority: high)\n\n${list(guidelines, '(none)')}`,
    `## Acceptance criteria\n\n${list(intent.acceptanceCriteria, '(none)')}`,
    budget ? budgetLine(budget) : '',
  ]);
}

/** What agents left behind, wrapped as reference; empty when there is nothing (H-35, H-36, C-27, C-28). */
export function untrustedText(lessons: readonly Lesson[], history: readonly HistoryItem[]): string {
  const lines = [
    ...lessons.map(({ date, intentId, text }) => `- lesson ${date} [${intentId}] ${text}`),
    ...history.map(
      ({ timestamp, mutation, path, rationale }) =>
        `- ${timestamp} ${mutation} ${path ?? '(no file)'}: ${rationale}`,
    ),
  ];
  return lines.length === 0 ? '' : wrapUntrusted(lines.join('\n'));
}

/** The governed part of a prompt, by the state of its session (H-109). A halted session has none. */
export function contextText(
  now:
    | ({ readonly state: 'REQUEST' | 'REASONING_INTERCEPT' } & InterceptParts)
    | ({ readonly state: 'CONTEXTUALIZED_ACTION' } & ActionParts & {
          readonly lessons: readonly Lesson[];
          readonly history: readonly HistoryItem[];
        }),
): string {
  if (now.state !== 'CONTEXTUALIZED_ACTION') return interceptText(now);
  const untrusted = untrustedText(now.lessons, now.history);
  return untrusted === '' ? actionText(now) : `${actionText(now)}\n\n${untrusted}`;
}
