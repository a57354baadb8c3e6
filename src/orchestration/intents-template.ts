import { INTENT_STATUSES, MAX_SCOPE_FILES } from '../core/words.ts';
import type { ProposedIntent } from './propose-intent.ts';

/** Words that YAML readers take for something else than text. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const PLAIN = /^[A-Za-z][\w ./()-]*$/;

function toScalar(text: string): string {
  return PLAIN.test(text) && !text.endsWith(' ') && !RESERVED.test(text) ? text : JSON.stringify(text);
}

function toList(key: string, items: readonly string[]): string {
  if (items.length === 0) return `    ${key}: []\n`;
  return `    ${key}:\n${items.map((item) => `      - ${toScalar(item)}\n`).join('')}`;
}

/**
 * A first `active_intents.yaml`: one proposed intent between comments that say what each key means (H-42, H-44).
 * `day` is the date for its first line, or null.
 */
export function intentsTemplate(intent: ProposedIntent, day: string | null): string {
  return `# Intents of this workspace. An agent must select one before it may do anything, and may change only what the
# intent owns. This file is yours: agents cannot write to it, and an edit holds from the very next call.
# The intent below was proposed by \`pactclaw init\`${day === null ? '' : ` on ${day}`} from the files it saw. Make it say what you want done.
#
# status       ${INTENT_STATUSES.join(', ')}. An agent can select the first two. PactClaw
#              sets BLOCKED when a limit is reached; only you set it back to IN_PROGRESS.
# owned_scope  globs of the files it may change, at most ${MAX_SCOPE_FILES} files; "!glob" excludes. Broad ones (src/**, *.ts) are
#              refused, for a change must stay traceable.
# constraints  rules that the agent gets word for word.
# acceptance_criteria  how you will know that it is done.

active_intents:
  - id: ${toScalar(intent.id)}
    name: ${toScalar(intent.name)}
    status: ${intent.status}
${toList('owned_scope', intent.ownedScope)}${toList('constraints', intent.constraints)}${toList('acceptance_criteria', intent.acceptanceCriteria)}    # budget:            # without it the limits of config.yaml hold
    #   max_turns: 50
    #   max_tokens: 200000
`;
}
